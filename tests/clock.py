"""A clock that tests move: sleeping costs no time, and who sleeps wakes in order."""

import asyncio
import heapq
from collections.abc import Coroutine
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")
START = 1_700_000_000.0
QUIET = 30  # turns of the event loop after which nothing but time can happen


class ManualClock:
    """Starts at `START`; `advance` moves it, `drive` moves it as far as a task needs."""

    def __init__(self, now: float = START) -> None:
        self._start = now
        self._passed = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self.slept: list[float] = []

    def now(self) -> float:
        return self._start + self._passed

    def monotonic(self) -> float:
        return 1000.0 + self._passed

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(
            self._sleepers, (self._passed + max(0.0, seconds), next(self._order), future)
        )
        await future

    def move(self, seconds: float) -> None:
        """Move the time, waking nobody: for code that only looks at it."""
        self._passed += seconds

    async def advance(self, seconds: float) -> None:
        """Let `seconds` pass, and everybody whose time has come finish what they do then."""
        end = self._passed + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            self._wake_next()
            await settle()
        self._passed = end

    async def drive(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end, jumping over every wait."""
        task = asyncio.ensure_future(work)
        await settle()
        while not task.done():
            if self._sleepers:
                self._wake_next()
            await settle()
        return await task

    async def drive_real(self, work: Coroutine[Any, Any, T]) -> T:
        """As `drive`, for work that also waits for the network: only its own waits are jumped."""
        task = asyncio.ensure_future(work)
        while not task.done():
            await asyncio.sleep(0.001)
            if self._sleepers:
                self._wake_next()
        return await task

    def _wake_next(self) -> None:
        due, _, future = heapq.heappop(self._sleepers)
        if not future.done():
            self._passed = max(self._passed, due)
            future.set_result(None)


async def settle() -> None:
    """Let every task go as far as it can without time."""
    for _ in range(QUIET):
        await asyncio.sleep(0)
