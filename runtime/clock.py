"""Time as a parameter: what waits, expires or is stamped takes a `Clock`."""

import time
from typing import Protocol


class Clock(Protocol):
    """Both clocks and the wait, so that a test can move them together."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`; at once, but after other tasks had a turn, for zero or less."""
        ...


class SystemClock:
    """The machine's clock."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)

    async def sleep(self, seconds: float) -> None:
        """As `Clock.sleep`."""
        import asyncio

        await asyncio.sleep(max(0.0, seconds))
