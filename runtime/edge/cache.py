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


class _Abandoned(Exception):
    """Whoever fetched was cancelled: another must."""


class _Flight(Generic[T]):
    """A fetch under way, by the caller who asked first; the others wait for it."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[T]] = []

    async def landed(self) -> T:
        """What the fetch brings, or raises. Raises `_Abandoned` where it was given up."""
        mine: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        return await mine

    def land(self, value: T) -> None:
        """Hand the value to all who wait."""
        for one in self._waiting:
            if not one.done():  # its caller may have been cancelled
                one.set_result(value)

    def fail(self, error: Exception) -> None:
        """Raise the error for all who wait."""
        for one in self._waiting:
            if not one.done():
                one.set_exception(error)


class ResultCache(Generic[T]):
    """Keeps results for `lifetime` seconds, and for `stale_for` more in case of failure.

    `keep` says which results are worth keeping (successes), `passes` which of the others an
    older one may stand in for (any other one ends it), `size` their bytes. What was
    not used for longest goes first. May be used from several threads; calls share a flight
    within one event loop.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        keep: Callable[[T], bool],
        passes: Callable[[T], bool] = lambda _: True,
        size: Callable[[T], int] = lambda _: 1,
        lifetime: float = LIFETIME,
        stale_for: float = 0.0,
        most_entries: int = MOST_ENTRIES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._clock = clock
        self._keep = keep
        self._passes = passes
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

        The first caller fetches. Where it is cancelled, and its request with it, the next of
        those who wait takes over.
        """
        place = (asyncio.get_running_loop(), key)
        while True:
            entry, age = self._find(key)
            if entry is not None and age < self._lifetime:
                return Cached(entry.value, "cached", age)
            flight = self._flights.get(place)
            try:
                value = await (self._fetched(place, fetch) if flight is None else flight.landed())
            except _Abandoned:
                continue
            except Exception:
                if entry is None:
                    raise
                return Cached(entry.value, "stale", self._age(entry))
            if entry is not None and not self._keep(value):
                if self._passes(value):
                    return Cached(entry.value, "stale", self._age(entry), failure=value)
                self._end(key, entry)
            return Cached(value, "fresh" if flight is None else "shared")

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

    async def _fetched(
        self, place: tuple[asyncio.AbstractEventLoop, str], fetch: Callable[[], Awaitable[T]]
    ) -> T:
        """What `fetch` brings, for those as well who ask meanwhile."""
        flight = self._flights[place] = _Flight[T]()
        forgotten = self._forgotten
        try:
            value = await fetch()
            if self._keep(value) and self._forgotten == forgotten:
                self._store(place[1], value)
        except BaseException as error:
            flight.fail(error if isinstance(error, Exception) else _Abandoned())
            raise
        finally:
            if self._flights.get(place) is flight:
                del self._flights[place]
        flight.land(value)
        return value

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

    def _end(self, key: str, entry: _Entry[T]) -> None:
        """Let go of this entry, which is no longer so."""
        with self._lock:
            if self._entries.get(key) is entry:
                self._drop(key)

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size
