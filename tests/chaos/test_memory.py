"""A thousand calls at once, again and again: what they held is given back."""

import asyncio
import gc
import tracemalloc

import httpx

from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.runtime import Surroundings
from toolmint.runtime.limits import Limiters

AT_ONCE = 1000
ROUNDS = 5
WARM = 2  # rounds after which everything that is loaded once is there


class Gate:
    """Answers nobody before all have come."""

    def __init__(self) -> None:
        self.waiting = 0
        self.opened = asyncio.Event()

    async def answer(self, request: httpx.Request) -> httpx.Response:
        self.waiting += 1
        if self.waiting == AT_ONCE:
            self.opened.set()
        await self.opened.wait()
        return httpx.Response(201, json={"id": 1, "name": "Rex", "tag": "x" * 1000})


async def rounds() -> list[tuple[int, int]]:
    """Bytes that are held after each round, and the most that were held during it."""
    held: list[tuple[int, int]] = []
    gate = Gate()
    transport = httpx.MockTransport(lambda request: gate.answer(request))
    async with httpx.AsyncClient(transport=transport) as client:
        petstore = Petstore(
            credentials={"bearerAuth": "tok-123456"},
            base_url="https://petstore.example",
            client=client,
            audit=lambda _: None,
            cache=True,
            validation="repair",
            surroundings=Surroundings(limiters=Limiters()),
        )
        gate.opened.set()
        await petstore.call("create_pet", {"name": "the first answer says there is no limit"})
        for _ in range(ROUNDS):
            gate.waiting = 0
            gate.opened.clear()
            tracemalloc.reset_peak()
            calls = (petstore.call("create_pet", {"name": f"pet-{n}"}) for n in range(AT_ONCE))
            assert all(result.success for result in await asyncio.gather(*calls))
            gc.collect()
            held.append(tracemalloc.get_traced_memory())
    return held


def test_a_thousand_parallel_calls_leave_nothing_behind() -> None:
    tracemalloc.start()
    try:
        held = asyncio.run(rounds())
    finally:
        tracemalloc.stop()
    for number, (after, peak) in enumerate(held, 1):
        print(
            f"round {number}: {after / 1024:.0f} kB held after {AT_ONCE} calls,"
            f" {(peak - after) / AT_ONCE / 1024:.1f} kB a call while all were under way"
        )
    settled = held[WARM:]
    grown = settled[-1][0] - settled[0][0]
    print(f"grown over the last {AT_ONCE * (len(settled) - 1)} calls: {grown} bytes")
    assert grown < 50_000
    assert max(peak - after for after, peak in settled) / AT_ONCE < 40_000
