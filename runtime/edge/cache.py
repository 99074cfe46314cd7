"""Results of pure calls, kept for a while; equal calls at the same time share one flight."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Generic, Literal, TypeAlias, TypeVar

from ..canonical import digest
from ..clock import Clock

LIFETIME = 300.0  # seconds
MOST_ENTRIES = 1024
MOST_BYTES = 64 * 1024 * 1024

T = TypeVar("T")
Source: TypeAlias = Literal["fresh", "shared", "cached", "stale"]
"""Where a result came from: this call's own request, another's that was under way, an
earlier one, or an earlier one past its time because the request failed."""


@dataclass(frozen=True, slots=True)
class Cached(Generic[T]):
    """A result, where it came from, and its age in seconds."""

    value: T
    source: Source
    age: float = 0.0
    failure: T | None = None  # what the request came to, when a stale result stands for it


def cache_key(tool: str, arguments: Mapping[str, object], principal: str) -> str:
    """Equal for the same tool, equal arguments and the same principal, whatever their order.

    `principal` is any text that differs for whoever may see different results. Raises
    TypeError or ValueError for arguments that are not JSON: such a call is not cached.
    """
    return digest([tool, principal, arguments])


@dataclass(slots=True)
class _Entry(Generic[T]):
    value: T
    stored: float
    size: int


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class ResultCache(Generic[T]):
    """Keeps results for `lifetime` seconds, and for `stale_for` more in case of failure.

    `keep` says which results are worth keeping (successes), `size` their bytes. What was
    not used for longest goes first. May be used from several threads; calls share a flight
    within one event loop.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        keep: Callable[[T], bool],
        size: Callable[[T], int] = lambda _: 1,
        lifetime: float = LIFETIME,
        stale_for: float = 0.0,
        most_entries: int = MOST_ENTRIES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._clock = clock
        self._keep = keep
        self._size = size
        self._lifetime = lifetime
        self._stale_for = stale_for
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._entries: OrderedDict[str, _Entry[T]] = OrderedDict()
        self._bytes = 0
        self._flights: dict[tuple[asyncio.AbstractEventLoop, str], _Flight[T]] = {}
        self._forgotten = 0  # times; a flight that began before is not kept
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    async def get(self, key: str, fetch: Callable[[], Awaitable[T]]) -> Cached[T]:
        """The result kept under `key`, or that of `fetch`, which equal calls share.

        A caller that is cancelled leaves the flight to the others; the last one ends it.
        """
        entry, age = self._find(key)
        if entry is not None and age < self._lifetime:
            return Cached(entry.value, "cached", age)
        place = (asyncio.get_running_loop(), key)
        flight = self._flights.get(place)
        source: Source = "shared"
        if flight is None or flight.task.cancelling():
            flight, source = self._start(place, fetch), "fresh"
        try:
            value = await self._join(flight)
        except Exception:
            if entry is None:
                raise
            return Cached(entry.value, "stale", self._age(entry))
        if entry is not None and not self._keep(value):
            return Cached(entry.value, "stale", self._age(entry), failure=value)
        return Cached(value, source)

    def forget(self) -> None:
        """Drop everything that is kept, after a write for instance.

        Flights that are under way go on for those who wait; nobody else joins them, and what
        they bring is not kept.
        """
        with self._lock:
            self._entries.clear()
            self._flights.clear()
            self._bytes = 0
            self._forgotten += 1

    # ── flights ─────────────────────────────────────────────────────────────────────

    def _start(
        self, place: tuple[asyncio.AbstractEventLoop, str], fetch: Callable[[], Awaitable[T]]
    ) -> _Flight[T]:
        forgotten = self._forgotten

        async def fly() -> T:
            value = await fetch()
            if self._keep(value) and self._forgotten == forgotten:
                self._store(place[1], value)
            return value

        flight = _Flight(place[0].create_task(fly()))
        self._flights[place] = flight

        def land(task: asyncio.Task[T]) -> None:
            if self._flights.get(place) is flight:
                del self._flights[place]
            if not task.cancelled():
                task.exception()  # seen, even when every waiter has gone

        flight.task.add_done_callback(land)
        return flight

    async def _join(self, flight: _Flight[T]) -> T:
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        except asyncio.CancelledError:
            if flight.waiting == 1 and not flight.task.done():
                flight.task.cancel()
                await asyncio.wait({flight.task})  # the request is over when the call is
            raise
        finally:
            flight.waiting -= 1

    # ── entries ─────────────────────────────────────────────────────────────────────

    def _age(self, entry: _Entry[T]) -> float:
        return self._clock.monotonic() - entry.stored

    def _find(self, key: str) -> tuple[_Entry[T] | None, float]:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None, 0.0
            age = self._age(entry)
            if age >= self._lifetime + self._stale_for:
                self._drop(key)
                return None, 0.0
            self._entries.move_to_end(key)
            return entry, age

    def _store(self, key: str, value: T) -> None:
        size = self._size(value)
        with self._lock:
            self._drop(key)
            if size > self._most_bytes:
                return
            self._entries[key] = _Entry(value, self._clock.monotonic(), size)
            self._bytes += size
            while len(self._entries) > self._most_entries or self._bytes > self._most_bytes:
                self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size
