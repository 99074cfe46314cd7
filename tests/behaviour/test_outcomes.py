"""Every way a call can end occurs, and each call id ends in exactly one of them."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, get_args

import pytest

from tests.behaviour.edge import Edge, edge
from tests.behaviour.loopback import Answer
from toolmint.runtime import Allowed, Denied, Outcome, Proposal, ToolResult


class DenyAll:
    """A policy that allows nothing."""

    async def decide(self, proposal: Proposal) -> Denied:
        return Denied(by="house rules", reason="not today")


@dataclass(frozen=True)
class Case:
    """A call and how it ends."""

    outcome: str
    answer: Answer
    tool: str = "get_pet"
    arguments: Any = field(default_factory=lambda: {"id": 1})
    sent: int = 1
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    decision: tuple[str | None, str | None] = ("allowed", "code")


HANG_UP = Answer(hang_up=True)
REX = Answer.of({"id": 1, "name": "Rex"})
UNASKED = (None, None)

CASES = {
    "an answer": Case("ok", REX),
    "a refusal": Case("error", Answer.of({"message": "no such pet"}, 404)),
    "no answer to a read, five times": Case("error", HANG_UP, sent=5),
    "bad arguments": Case(
        "invalid_arguments", REX, arguments={"id": "x"}, sent=0, decision=UNASKED
    ),
    "no JSON": Case("invalid_arguments", REX, arguments="{", sent=0, decision=UNASKED),
    "a policy's no": Case(
        "denied", REX, sent=0, settings={"policy": DenyAll()}, decision=("denied", "house rules")
    ),
    "no credentials": Case(
        "denied", REX, sent=0, settings={"credentials": {}}, decision=("denied", "credentials")
    ),
    "no such tool": Case("unknown_tool", REX, tool="get_pets", sent=0, decision=UNASKED),
    "slow down, for too long": Case("rate_limited", Answer.of({}, 429, Retry_After="3600")),
    "slow down, again and again": Case("rate_limited", Answer.of({}, 429, Retry_After="1"), sent=5),
    "the quota is gone": Case(
        "rate_limited", Answer.of({"error": {"code": "insufficient_quota"}}, 429)
    ),
    "a write whose answer was lost": Case(
        "unknown_effect", HANG_UP, tool="create_pet", arguments={"name": "Rex"}
    ),
    "a write that a gateway lost": Case(
        "unknown_effect", Answer.of({}, 504), tool="create_pet", arguments={"name": "Rex"}
    ),
    "a write whose answer cannot be read": Case(
        "unknown_effect",
        Answer(201, b"{oops", {"Content-Type": "application/json"}),
        tool="create_pet",
        arguments={"name": "Rex"},
    ),
}


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


@pytest.mark.parametrize("name", CASES)
def test_a_call_ends_once(at: Edge, name: str) -> None:
    case = CASES[name]
    at.server.answer = lambda _: case.answer
    result = at.call(at.petstore(**case.settings), case.tool, case.arguments, call_id="c1")
    assert (result.outcome, result.metadata["call_id"]) == (case.outcome, "c1")
    assert result.success == (case.outcome == "ok") == (result.error is None)
    assert result.metadata["attempts"] == case.sent == len(at.server.seen)
    (line,) = at.log
    assert (line["call"], line["tool"], line["outcome"]) == ("c1", case.tool, case.outcome)
    assert line["attempts"] == case.sent
    assert (line.get("decision"), line.get("decided_by")) == case.decision


def test_a_call_times_out(at: Edge) -> None:
    from toolmint.runtime import Bounds

    at.server.answer = lambda _: Answer(after=0.4)
    petstore = at.petstore(bounds=Bounds(read_seconds=0.05), retry=False)
    result = at.call(petstore, "get_pet", {"id": 1}, call_id="c1")
    assert (result.outcome, str(result.error)) == (
        "timeout",
        "get_pet: nothing came within 0.05 seconds; bounds=Bounds(read_seconds=…) waits longer",
    )
    assert [(line["call"], line["outcome"]) for line in at.log] == [("c1", "timeout")]


def test_a_limit_that_would_hold_too_long_is_said_at_once(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({}, 429, Retry_After="3600")
    petstore = at.petstore()
    at.call(petstore, "get_pet", {"id": 1}, call_id="c1")
    result = at.call(petstore, "get_pet", {"id": 2}, call_id="c2")
    assert (result.outcome, result.metadata["retry_after"]) == ("rate_limited", 3600.0)
    assert at.targets == ["GET /pets/1"]
    assert at.clock.slept == []
    assert [line["attempts"] for line in at.log] == [1, 0]


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome"),
    [
        ("get_pet", {"id": 1}, "cancelled"),
        ("create_pet", {"name": "Rex"}, "unknown_effect"),  # as for any answer that is lost
    ],
)
def test_a_cancelled_call_is_aborted_on_the_wire_and_recorded(
    tool: str, arguments: dict[str, Any], outcome: str
) -> None:
    with edge() as at:

        async def main() -> tuple[bool, list[tuple[str, str, int]]]:
            arrived, gone = asyncio.Event(), asyncio.Event()

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.readuntil(b"\r\n\r\n")
                arrived.set()
                await reader.read()  # nothing more is sent: this ends with the connection
                gone.set()
                writer.close()

            async with await asyncio.start_server(serve, "127.0.0.1", 0) as listener:
                port = listener.sockets[0].getsockname()[1]
                async with at.petstore(base_url=f"http://127.0.0.1:{port}") as petstore:
                    task = asyncio.ensure_future(petstore.call(tool, arguments, call_id="c1"))
                    await arrived.wait()
                    assert not gone.is_set()
                    task.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await task
                    async with asyncio.timeout(5):
                        await gone.wait()
            return gone.is_set(), [
                (line["call"], line["outcome"], line["attempts"]) for line in at.log
            ]

        assert asyncio.run(main()) == (True, [("c1", outcome, 1)])


def test_a_write_that_is_cancelled_between_attempts_was_refused(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({}, 429, Retry_After="30")

    async def main() -> None:
        async with at.petstore() as petstore:
            work = petstore.call("create_pet", {"name": "Rex"}, call_id="c1")
            task = asyncio.ensure_future(work)
            while not at.clock.slept:
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.wait({task})

    asyncio.run(main())
    assert [(line["outcome"], line["attempts"]) for line in at.log] == [("cancelled", 1)]


def test_a_cancellation_from_inside_is_a_result(at: Edge) -> None:
    class Cancels:
        async def decide(self, proposal: Proposal) -> Denied:
            raise asyncio.CancelledError

    result = at.call(at.petstore(policy=Cancels()), "get_pet", {"id": 1}, call_id="c1")
    assert (result.outcome, at.targets) == ("cancelled", [])
    assert [(line["call"], line["outcome"]) for line in at.log] == [("c1", "cancelled")]


def test_a_call_that_is_cancelled_in_the_queue_takes_nothing(at: Edge) -> None:
    at.server.answer = lambda _: REX

    async def main() -> None:
        from toolmint.runtime import RateLimit

        async with at.petstore(limits=RateLimit(1, 10)) as petstore:
            await petstore.call("get_pet", {"id": 1}, call_id="c1")
            waiting = asyncio.ensure_future(petstore.call("get_pet", {"id": 2}, call_id="c2"))
            await asyncio.sleep(0.01)
            waiting.cancel()
            await asyncio.wait({waiting})
            result = await at.clock.drive(petstore.call("get_pet", {"id": 3}, call_id="c3"))
            assert result.success

    asyncio.run(main())
    assert at.targets == ["GET /pets/1", "GET /pets/3"]
    assert [(line["call"], line["outcome"], line["attempts"]) for line in at.log] == [
        ("c1", "ok", 1),
        ("c2", "cancelled", 0),
        ("c3", "ok", 1),
    ]


def test_every_outcome_but_skipped_occurs_here() -> None:
    seen = {case.outcome for case in CASES.values()} | {"timeout", "cancelled"}
    assert seen == set(get_args(Outcome)) - {"skipped"}


def test_a_guard_that_is_broken_denies(at: Edge) -> None:
    class Raises:
        async def decide(self, proposal: Proposal) -> Any:
            raise RuntimeError("no connection to the approver")

    class SaysTrue:
        async def decide(self, proposal: Proposal) -> Any:
            return True

    for policy, words in ((Raises(), "the policy failed: RuntimeError"), (SaysTrue(), "neither")):
        result = at.call(at.petstore(policy=policy), "get_pet", {"id": 1})
        assert result.outcome == "denied"
        assert words in str(result.error)
        assert (at.log[-1]["decision"], at.log[-1]["decided_by"]) == (
            "denied",
            type(policy).__name__,
        )
    assert at.targets == []


def test_a_policy_that_cannot_take_note_changes_nothing_of_what_was_done(at: Edge) -> None:
    class Forgets:
        async def decide(self, proposal: Proposal) -> Allowed:
            return Allowed(by="rule")

        def witness(self, proposal: Proposal, result: ToolResult) -> None:
            raise OSError("disk full")

    result = at.call(at.petstore(policy=Forgets()), "create_pet", {"name": "Rex"})
    assert (result.outcome, result.data, at.targets) == (
        "ok",
        {"id": 1, "name": "Rex"},
        ["POST /pets"],
    )
    assert result.metadata["notes"] == (
        "The policy took no note of this call: it failed with OSError.",
    )


def test_typed_calls_meet_the_same_edge(at: Edge) -> None:
    petstore = at.petstore(policy=DenyAll())
    result = petstore.pets.get_pet(id=1).result().run()
    assert (result.outcome, at.targets) == ("denied", [])
    assert [line["outcome"] for line in at.log] == ["denied"]


def test_helpers_are_recorded_too(at: Edge) -> None:
    arguments = {"tool": "list_pets", "argument": "filter.deep"}
    assert at.call(at.petstore(), "describe_type", arguments, call_id="c1").success
    assert [(line["call"], line["tool"], line["decided_by"]) for line in at.log] == [
        ("c1", "describe_type", "helper")
    ]
