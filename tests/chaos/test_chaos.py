"""Ten thousand calls against a server in every mood: one outcome each, none done twice."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.behaviour.packages.petstore_tools import Petstore
from tests.chaos.server import Server
from toolmint.runtime import RetryPolicy, Surroundings, ToolResult
from toolmint.runtime.clock import SystemClock
from toolmint.runtime.limits import Limiters

CALLS = 10_000
AT_ONCE = 20
SEED = int(os.environ.get("CHAOS_SEED", "20260101"))
LONGEST = 120.0  # seconds; a run takes about 20, and one that hangs ends here
FASTER = 100.0  # so much faster than the machine's runs the clock of the calls


class FastClock:
    """The machine's clock, sped up: a server's second is over in ten milliseconds."""

    def __init__(self) -> None:
        self._system = SystemClock()

    def now(self) -> float:
        return self._system.now() * FASTER

    def monotonic(self) -> float:
        return self._system.monotonic() * FASTER

    async def sleep(self, seconds: float) -> None:
        await self._system.sleep(seconds / FASTER)


def call_of(number: int, chance: Random) -> tuple[str, dict[str, Any]]:
    """A read, a plain write, an idempotent one, or one with a key."""
    match chance.randrange(4):
        case 0:
            return "get_pet", {"id": number}
        case 1:
            return "create_pet", {"name": f"pet-{number}"}
        case 2:
            return "delete_pet", {"id": number}
        case _:
            return "place_order", {}


class Rush:
    """Makes the calls, and keeps what came of them and what was logged."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.log: list[Mapping[str, Any]] = []
        self.results: dict[str, tuple[str, ToolResult]] = {}

    async def run(self) -> Server:
        """All calls, so many at once."""
        chance = Random(self.seed)
        calls = iter([(number, *call_of(number, chance)) for number in range(CALLS)])
        clock = FastClock()
        async with Server(self.seed).running() as server:
            petstore = Petstore(
                credentials={"bearerAuth": "tok-123456"},
                base_url=server.url,
                audit=self.log.append,
                retry=RetryPolicy(attempts=4),
                surroundings=Surroundings(
                    clock=clock, uniform=chance.uniform, limiters=Limiters(clock)
                ),
            )

            async def worker() -> None:
                for number, tool, arguments in calls:
                    result = await petstore.call(tool, arguments, call_id=f"c{number}")
                    assert f"c{number}" not in self.results
                    self.results[f"c{number}"] = tool, result

            async with petstore:
                await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
        return server


def test_ten_thousand_calls_end_once_each_and_agree_with_the_server() -> None:
    started = time.perf_counter()
    rush = Rush(SEED)
    server = asyncio.run(asyncio.wait_for(rush.run(), timeout=LONGEST))
    seconds = time.perf_counter() - started
    outcomes = Counter(result.outcome for _, result in rush.results.values())
    print(
        f"seed {SEED}: {CALLS} calls in {seconds:.1f} s, the server's work included,"
        f" {server.requests.total()} requests"
    )
    print(f"the server's moods: {dict(server.moods)}")
    print(f"outcomes: {dict(outcomes)}")

    # One outcome each, none lost, and the audit has the same.
    assert len(rush.results) == CALLS
    assert len(rush.log) == CALLS
    assert {line["call"]: line["outcome"] for line in rush.log} == {
        call: result.outcome for call, (_, result) in rush.results.items()
    }
    assert set(outcomes) == {"ok", "error", "unknown_effect", "rate_limited"}

    # The audit agrees with the server's own log, request by request.
    assert sum(line["attempts"] for line in rush.log) == server.requests.total()
    sent = {line["call"]: line["attempts"] for line in rush.log}
    for call, (tool, result) in rush.results.items():
        mark = {"get_pet": f"GET {call[1:]}", "create_pet": f"pet-{call[1:]}"}.get(tool)
        mark = f"DELETE {call[1:]}" if tool == "delete_pet" else mark
        if mark is None:
            continue  # the key of an order is the runtime's own
        assert server.requests[mark] == sent[call] == result.metadata["attempts"]
        # A plain write is done at most once, and never told undone when it was done.
        if tool == "create_pet":
            assert server.acted[mark] <= 1
            if result.outcome in ("error", "rate_limited"):
                assert server.acted[mark] == 0
        if result.success:
            assert server.acted[mark] >= 1

    orders = [call for call, (tool, _) in rush.results.items() if tool == "place_order"]
    keys = [mark for mark in server.requests if not mark.startswith(("GET", "DELETE", "pet-"))]
    assert len(keys) == sum(sent[call] > 0 for call in orders)  # one key for all its attempts
