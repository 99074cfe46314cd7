"""Limits on real calls: what servers say, what is stated, for whom, and shared by whom."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.behaviour.edge import Edge, edge
from tests.behaviour.limiting import (
    CALLS,
    FixedWindow,
    Server,
    TokenBucket,
    draft_8,
    epoch_seconds,
    require_well_used,
)
from tests.behaviour.loopback import Answer
from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.runtime import RateLimit, Surroundings, ToolResult
from toolmint.runtime.limits import Limiters

WORKERS = 30


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


# ── against servers that enforce 20 requests a second ───────────────────────────────


async def rush(server: Server) -> None:
    """Many calls at once, through one toolset, as a program makes them."""
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listener:
        port: int = listener.sockets[0].getsockname()[1]
        bounds = httpx.Limits(max_connections=WORKERS)
        async with httpx.AsyncClient(limits=bounds) as client:
            petstore = Petstore(
                credentials={"bearerAuth": "tok-123456"},
                base_url=f"http://127.0.0.1:{port}",
                client=client,
                retry=False,
                surroundings=Surroundings(limiters=Limiters()),
            )
            calls = (petstore.call("get_pet", {"id": number}) for number in range(CALLS))
            outcomes = [result.outcome for result in await asyncio.gather(*calls)]
    assert outcomes == ["ok"] * CALLS


def test_a_rush_of_calls_is_never_refused_and_uses_what_the_servers_allow() -> None:
    require_well_used(rush, [(FixedWindow, draft_8), (TokenBucket, epoch_seconds)])


# ── what is stated ──────────────────────────────────────────────────────────────────


def waits(at: Edge, petstore: Petstore, calls: list[tuple[str, dict[str, Any]]]) -> list[float]:
    """When each of these calls, made one after the other, was sent."""
    sent: list[float] = []
    started = at.clock.now()

    def answer(_: object) -> Answer:
        sent.append(at.clock.now() - started)
        return Answer.of({"id": 1, "name": "Rex"})

    at.server.answer = answer

    async def main() -> None:
        async with petstore:
            for name, arguments in calls:
                assert (await at.clock.drive(petstore.call(name, arguments))).success

    asyncio.run(main())
    return sent


GET: tuple[str, dict[str, Any]] = ("get_pet", {"id": 1})
LIST: tuple[str, dict[str, Any]] = ("list_pets", {})
HEALTH: tuple[str, dict[str, Any]] = ("health", {})


def test_a_limit_of_the_users_holds_for_all_tools(at: Edge) -> None:
    petstore = at.petstore(limits=RateLimit(2, 10))
    assert waits(at, petstore, [GET, LIST, GET]) == pytest.approx([0, 5, 10])


def test_a_tool_and_a_group_can_have_their_own(at: Edge) -> None:
    petstore = at.petstore(limits={"get_pet": RateLimit(1, 10)})
    assert waits(at, petstore, [GET, LIST, LIST, GET]) == pytest.approx([0, 0, 0, 10])
    petstore = at.petstore(limits={"pets": RateLimit(1, 10)})
    assert waits(at, petstore, [GET, HEALTH, LIST]) == pytest.approx([0, 0, 10])


def test_a_credential_has_one_limit_wherever_it_is_used(at: Edge) -> None:
    given: dict[str, Any] = {"limits": RateLimit(1, 10), "surroundings": at.surroundings()}
    first, same = at.petstore(**given), at.petstore(**given, prefix="shop_")
    other = at.petstore(**given, credentials={"bearerAuth": "another-token"})
    assert waits(at, first, [GET]) == [0]
    assert waits(at, same, [("shop_get_pet", {"id": 1})]) == pytest.approx([10])
    assert waits(at, other, [GET]) == [0]


def test_views_share_the_limits_of_their_toolset(at: Edge) -> None:
    petstore = at.petstore(limits=RateLimit(1, 10))
    assert waits(at, petstore, [GET]) == [0]
    assert waits(at, petstore.select(tags="pets"), [LIST]) == pytest.approx([10])


def test_no_limit_at_all_when_it_is_switched_off(at: Edge) -> None:
    refused = Answer.of({}, 429, Retry_After="3600")
    at.server.answer = lambda _: refused
    petstore = at.petstore(limits=False)
    assert [at.call(petstore, *GET).metadata["attempts"] for _ in range(2)] == [1, 1]


def test_a_server_that_asks_to_wait_is_left_alone_meanwhile(at: Edge) -> None:
    slow = [Answer.of({}, 429, Retry_After="7"), Answer.of({"id": 1, "name": "Rex"})]
    at.server.answer = lambda _: slow[min(len(at.server.seen), 2) - 1]
    petstore = at.petstore(retry=False)
    assert at.call(petstore, *GET).outcome == "rate_limited"
    assert at.call(petstore, *LIST).success
    assert at.clock.slept == pytest.approx([7])


def test_a_longer_wait_than_a_minute_is_said_and_not_waited_for(at: Edge) -> None:
    petstore = at.petstore(limits=RateLimit(1, 600))
    at.call(petstore, *GET)
    result: ToolResult = at.call(petstore, *GET)
    assert result.outcome == "rate_limited"
    assert result.metadata["retry_after"] == pytest.approx(600)
    assert (len(at.server.seen), at.clock.slept) == (1, [])


@pytest.mark.parametrize(
    ("reset", "outcome", "slept", "retry_after"),
    [
        ("55", "ok", [50, 6], None),  # a whole number of seconds may be one more
        ("100", "rate_limited", [], 101),  # not after fifty seconds in vain, nor after a hundred
    ],
)
def test_two_limits_are_waited_for_in_one_time(
    at: Edge, reset: str, outcome: str, slept: list[float], retry_after: float | None
) -> None:
    spent = {"X-RateLimit-Limit": "9", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    at.server.answer = lambda _: Answer(
        200, b'{"id": 1, "name": "Rex"}', {"Content-Type": "application/json", **spent}
    )
    petstore = at.petstore(limits={"pets": RateLimit(1, 50)})
    assert at.call(petstore, *GET).success
    result = at.call(petstore, *GET)
    assert (result.outcome, result.metadata.get("retry_after")) == (outcome, retry_after)
    assert at.clock.slept == pytest.approx(slept)


def test_an_attempt_that_never_left_takes_nothing_from_the_limit(at: Edge) -> None:
    nowhere = at.petstore(base_url="http://127.0.0.1:1", limits=RateLimit(1, 10), retry=False)
    assert [at.call(nowhere, *GET).outcome for _ in range(3)] == ["error"] * 3
    assert at.clock.slept == []


def test_a_wait_ends_with_the_time_of_the_call(at: Edge) -> None:
    from toolmint.runtime import Bounds

    petstore = at.petstore(limits=RateLimit(1, 50), bounds=Bounds(total_seconds=20))
    at.call(petstore, *GET)
    started = time.perf_counter()
    assert at.call(petstore, *GET).outcome == "rate_limited"
    assert time.perf_counter() - started < 5
