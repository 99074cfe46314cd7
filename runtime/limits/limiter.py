"""The limiter one credential shares: first come, first served, and never faster than told.

A call asks for a `Permit`, is sent, and hands the answer's headers back through it. So the
limiter knows what the server said *and* how many calls the server had not seen when it
said so. It may be used from several threads and event loops at once.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from threading import Lock
from typing import Self, TypeAlias

from ..clock import Clock
from ..operation import RateLimit
from .bucket import Bucket
from .headers import MOST_QUOTAS, Observation, Quota, read
from .window import Window

LONGEST_WAIT = 60.0  # seconds; a longer wait is the caller's decision
BLIND = 16  # calls that may be under way before a server answered once
SEEN_AFTER = 2.0  # seconds after which a server has surely counted a call it has not answered
MOST_OPERATIONS = 4096


_Key: TypeAlias = tuple[str, float | None]  # equal names with unequal limits are two quotas


class RateLimited(Exception):
    """The limit will not let a call go within the wait that is allowed."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"rate limit reached; try again in {retry_after:.0f} s")
        self.retry_after = retry_after  # seconds


class Permit:
    """Leave to send `tokens` calls, once. As a context manager it never stays open.

    End it with `answered` or, when no answer came, `lost`; `give_back` if nothing was sent.
    Only the first of them counts.
    """

    __slots__ = ("ended", "limiter", "operation", "seen", "sent", "tokens")

    def __init__(self, limiter: "Limiter", tokens: float, operation: str, sent: float) -> None:
        self.limiter = limiter
        self.tokens = tokens
        self.operation = operation
        self.sent = sent
        self.seen = False  # an answer that comes now has counted it
        self.ended = False

    def answered(self, status: int, headers: Iterable[tuple[str, str]]) -> Observation:
        """Take the server's word; what it said of limits comes back."""
        return self.limiter.answered(self, status, headers)

    def lost(self) -> None:
        """It was sent and no answer came: the server may have counted it."""
        self.limiter.lost(self)

    def give_back(self) -> None:
        """It was never sent."""
        self.limiter.give_back(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.limiter.lost(self)


class _Waiter:
    """A call in the queue; `turn` is set when it comes first, its time is up or limits changed."""

    __slots__ = ("deadline", "gone", "loop", "operation", "tokens", "turn")

    def __init__(self, tokens: float, operation: str, deadline: float) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Event()
        self.tokens = tokens
        self.operation = operation
        self.deadline = deadline
        self.gone = False

    def __lt__(self, other: "_Waiter") -> bool:
        return self.deadline < other.deadline

    def wake(self) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.turn.set)


class Limiter:
    """Limits of one credential (or of one group of its operations) at one origin.

    Known are the stated limits (buckets) and the server's last word on each of its quotas
    (windows). An operation is held by the quotas that its own answers named, one that never
    was answered by all of them.
    """

    def __init__(
        self,
        clock: Clock,
        limits: Iterable[RateLimit] = (),
        *,
        longest_wait: float = LONGEST_WAIT,
    ) -> None:
        self._clock = clock
        self._longest_wait = longest_wait
        self._lock = Lock()
        self._buckets: dict[tuple[float, float], Bucket] = {}
        self._windows: dict[_Key, Window] = {}
        self._quotas_of: dict[str, tuple[_Key, ...]] = {}
        self._queue: deque[_Waiter] = deque()
        self._deadlines: list[_Waiter] = []  # a heap; who has gone since is still in it
        self._queued = 0.0  # tokens that the queue waits for
        self._sent: deque[Permit] = deque()
        self._unseen = 0.0  # tokens sent that no answer can have counted for sure
        self._blind = BLIND  # tokens that may be unseen while nothing is known; 0: no bound
        self._paused_until = 0.0
        self._refusals = 0
        for limit in limits:
            self.add(limit)

    def add(self, limit: RateLimit) -> None:
        """Keep to one more stated limit; the same one twice is one."""
        with self._lock:
            self._add_bucket(limit.requests, limit.seconds)

    # ── asking ──────────────────────────────────────────────────────────────────────

    def try_acquire(self, tokens: float = 1.0, operation: str = "") -> Permit | None:
        """A permit if one is free this moment and nobody waits for it."""
        with self._lock:
            return self._take_if_first(tokens, operation)

    async def acquire(
        self, tokens: float = 1.0, operation: str = "", *, within: float | None = None
    ) -> Permit:
        """Wait for a permit, in the order of asking.

        Raises `RateLimited`, at once where that can be foreseen, when it would take longer
        than `within` seconds (at most the limiter's longest wait). A cancelled wait takes
        nothing.
        """
        with self._lock:
            permit = self._take_if_first(tokens, operation)
            if permit is not None:
                return permit
            now = self._clock.monotonic()
            allowed = self._longest_wait if within is None else min(within, self._longest_wait)
            foreseen = self._wait(tokens, operation, now, self._queued)
            if foreseen > allowed:
                raise RateLimited(foreseen)
            waiter = _Waiter(tokens, operation, now + allowed)
            self._queue.append(waiter)
            heappush(self._deadlines, waiter)
            self._queued += tokens
        try:
            return await self._wait_in_line(waiter)
        finally:
            with self._lock:
                self._leave(waiter)
                self._wake_first()

    def reserve(self, tokens: float = 1.0, operation: str = "") -> float:
        """Take tokens, now or in advance: the seconds to wait before sending.

        For callers that do their own waiting and report nothing back.
        """
        with self._lock:
            now = self._clock.monotonic()
            delay = self._wait(tokens, operation, now, self._queued)
            self._spend(tokens, operation, now)
            return delay

    def wait_time(self, tokens: float = 1.0, operation: str = "") -> float:
        """Seconds a call that asked now would wait, as far as can be foreseen."""
        with self._lock:
            return self._wait(tokens, operation, self._clock.monotonic(), self._queued)

    # ── answering ───────────────────────────────────────────────────────────────────

    def answered(
        self, permit: Permit, status: int, headers: Iterable[tuple[str, str]]
    ) -> Observation:
        """As `Permit.answered`."""
        observation = read(headers, now=self._clock.now(), status=status)
        with self._lock:
            if self._end(permit):
                now = self._clock.monotonic()
                self._observe(observation, permit.operation, status, now)
                self._note_refusal(permit, status, observation, now)
                self._wake_first()
        return observation

    def lost(self, permit: Permit) -> None:
        """As `Permit.lost`."""
        with self._lock:
            if self._end(permit):
                self._wake_first()

    def give_back(self, permit: Permit) -> None:
        """As `Permit.give_back`."""
        with self._lock:
            if self._end(permit):
                for quota in self._holding(permit.operation):
                    quota.give_back(permit.tokens)
                self._wake_first()

    # ── the rest is called with the lock held ───────────────────────────────────────

    def _take_if_first(self, tokens: float, operation: str) -> Permit | None:
        """A permit, if one is free and nobody waits for it; whose event loop ended does not."""
        while self._queue and self._queue[0].loop.is_closed():
            self._leave(self._queue[0])
            self._wake_first()
        return None if self._queue else self._take(tokens, operation)

    def _take(self, tokens: float, operation: str) -> Permit | None:
        now = self._clock.monotonic()
        self._forget_seen(now)
        if self._blind and self._unseen and self._unseen + tokens > self._blind:
            return None
        if self._wait(tokens, operation, now) > 0:
            return None
        self._spend(tokens, operation, now)
        permit = Permit(self, tokens, operation, now)
        self._unseen += tokens
        self._sent.append(permit)
        return permit

    def _spend(self, tokens: float, operation: str, now: float) -> None:
        for quota in self._holding(operation):
            quota.take(tokens, now)

    def _wait(self, tokens: float, operation: str, now: float, ahead: float = 0.0) -> float:
        delay = self._paused_until - now if self._paused_until > now else 0.0
        for quota in self._holding(operation):
            delay = max(delay, quota.wait(tokens, now, ahead))
        return delay

    def _holding(self, operation: str) -> Sequence[Bucket | Window]:
        if not self._windows:
            return tuple(self._buckets.values()) if self._buckets else ()
        keys = self._quotas_of.get(operation, self._windows)
        windows = [self._windows[key] for key in keys if key in self._windows]
        return [*self._buckets.values(), *windows]

    def _end(self, permit: Permit) -> bool:
        if permit.ended:
            return False
        permit.ended = True
        if not permit.seen:
            permit.seen = True
            self._unseen -= permit.tokens
        return True

    def _forget_seen(self, now: float) -> None:
        while self._sent and (self._sent[0].seen or self._sent[0].sent < now - SEEN_AFTER):
            permit = self._sent.popleft()
            if not permit.seen:
                permit.seen = True
                self._unseen -= permit.tokens

    def _observe(self, observation: Observation, operation: str, status: int, now: float) -> None:
        self._forget_seen(now)
        keys = tuple(
            key for quota in observation.quotas if (key := self._observe_quota(quota, now))
        )
        known = self._quotas_of.get(operation, ())
        if not keys and status >= 500:
            return  # a gateway answered, which knows of no quota
        for key in known:
            window = self._windows.get(key)
            if window and key not in keys and (window.probing or now >= window.resets_at):
                del self._windows[key]  # the server no longer speaks of it
        if self._windows:
            if len(self._quotas_of) >= MOST_OPERATIONS:
                self._quotas_of.clear()
            self._quotas_of[operation] = keys or known

    def _observe_quota(self, quota: Quota, now: float) -> _Key | None:
        """Keep what a quota says; its key if it says how much is left."""
        key = (quota.name, quota.limit)
        if quota.remaining is None:
            if quota.limit and quota.length and quota.counts_requests:
                self._add_bucket(quota.limit, quota.length)
            return None
        if not quota.counts_requests and quota.remaining > 0:
            self._windows.pop(key, None)
            return None
        if key in self._windows:
            self._windows[key].observe(quota, self._unseen, now)
        else:
            if len(self._windows) >= MOST_QUOTAS:
                self._windows.pop(next(iter(self._windows)))
            self._windows[key] = Window(quota, self._unseen, now)
        return key

    def _add_bucket(self, requests: float, seconds: float) -> None:
        if len(self._buckets) < MOST_QUOTAS and (requests, seconds) not in self._buckets:
            self._buckets[requests, seconds] = Bucket(requests, seconds, self._clock.monotonic())

    def _note_refusal(
        self, permit: Permit, status: int, observation: Observation, now: float
    ) -> None:
        """After a refusal one call goes ahead alone, when the server said or ever later."""
        of_now = permit.sent >= self._paused_until  # not one more answer of the same rush
        if status != 429 and not (status == 403 and observation.retry_after is not None):
            if of_now:
                self._refusals = self._blind = 0
            return
        pause = observation.retry_after
        if pause is None:
            empty = [q.reset for q in observation.quotas if q.remaining == 0 and q.reset]
            pause = max(empty, default=min(2.0**self._refusals, LONGEST_WAIT) if of_now else 0.0)
        self._refusals += of_now
        self._blind = 1
        self._paused_until = max(self._paused_until, now + pause)

    def _leave(self, waiter: _Waiter) -> None:
        if not waiter.gone:
            waiter.gone = True
            self._queued -= waiter.tokens
            self._queue.remove(waiter)

    def _wake_late(self, first: _Waiter, now: float) -> float:
        """Wake those behind the first whose time is up; the seconds until that of the next."""
        heap = self._deadlines
        while heap and (heap[0].gone or heap[0] is first or heap[0].deadline <= now):
            late = heappop(heap)
            if not late.gone and late is not first:
                late.wake()
        return heap[0].deadline - now if heap else LONGEST_WAIT

    def _wake_first(self) -> None:
        if self._queue:
            self._queue[0].wake()

    # ── waiting ─────────────────────────────────────────────────────────────────────

    async def _wait_in_line(self, waiter: _Waiter) -> Permit:
        while True:
            with self._lock:
                waiter.turn.clear()
                delay: float | None = None  # until one's turn
                now = self._clock.monotonic()
                if self._queue[0] is waiter:
                    permit = self._take(waiter.tokens, waiter.operation)
                    if permit is not None:
                        self._leave(waiter)
                        return permit
                    delay = self._wait(waiter.tokens, waiter.operation, now) or SEEN_AFTER
                    if now + delay > waiter.deadline:
                        raise RateLimited(delay)
                    delay = min(delay, self._wake_late(waiter, now))
                elif now >= waiter.deadline:
                    raise RateLimited(self._wait(waiter.tokens, waiter.operation, now))
            if delay is None:
                await waiter.turn.wait()
            else:
                await self._sleep(delay, waiter.turn)

    async def _sleep(self, seconds: float, change: asyncio.Event) -> None:
        """Until the time has passed or something changed."""
        timer = asyncio.ensure_future(self._clock.sleep(seconds))
        changed = asyncio.ensure_future(change.wait())
        try:
            await asyncio.wait({timer, changed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            changed.cancel()
