"""The limiter: in order, at once where it can, never above a limit."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.clock import ManualClock, settle
from toolmint.runtime.limits import Bucket, Limiter, Limiters, Permit, RateLimited
from toolmint.runtime.operation import RateLimit


def run(test: Callable[[ManualClock], Awaitable[None]]) -> None:
    async def main() -> None:
        await test(ManualClock())

    asyncio.run(main())


def learn(limiter: Limiter, remaining: int, reset: int, limit: int = 10) -> None:
    """Let one call be answered with a quota."""
    permit = limiter.try_acquire()
    assert permit is not None
    permit.answered(200, quota(remaining, reset, limit))


def quota(remaining: int, reset: int, limit: int = 10) -> list[tuple[str, str]]:
    return [
        ("RateLimit-Limit", str(limit)),
        ("RateLimit-Remaining", str(remaining)),
        ("RateLimit-Reset", str(reset)),
    ]


# ── the bucket ──────────────────────────────────────────────────────────────────────


def test_a_bucket_reserves_ahead() -> None:
    bucket = Bucket(requests=10, seconds=1, now=0.0)
    assert [round(bucket.reserve(1, 0.0), 6) for _ in range(4)] == [0.0, 0.1, 0.2, 0.3]


@pytest.mark.parametrize(("requests", "seconds"), [(1, 1), (20, 1), (60, 60), (7, 3)])
def test_no_window_of_a_paced_bucket_holds_more_than_the_limit(
    requests: float, seconds: float
) -> None:
    bucket = Bucket(requests, seconds, now=0.0)
    times = [bucket.reserve(1, 0.0) for _ in range(int(requests) * 4)]
    fullest = max(sum(t <= u < t + seconds - 1e-6 for u in times) for t in times)
    assert fullest <= requests
    assert len(times) / (times[-1] + seconds) >= 0.7 * requests / seconds


def test_a_long_allowance_may_be_used_at_once() -> None:
    bucket = Bucket(requests=100, seconds=3600, now=0.0)
    assert [bucket.reserve(1, 0.0) for _ in range(100)] == [0.0] * 100
    assert round(bucket.reserve(1, 0.0), 6) == 36.0


def test_more_tokens_than_a_bucket_holds_need_a_full_one() -> None:
    bucket = Bucket(requests=10, seconds=1, now=0.0)
    assert bucket.reserve(5, 0.0) == 0.0
    assert round(bucket.wait(1, 0.0), 6) == 0.5


@pytest.mark.parametrize(("requests", "seconds"), [(0, 1), (1, 0), (-1, 1)])
def test_an_impossible_limit_is_refused(requests: float, seconds: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        Bucket(requests, seconds, now=0.0)


# ── waiting ─────────────────────────────────────────────────────────────────────────


def test_calls_go_in_the_order_of_asking() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock, [RateLimit(1, 1)])
        order: list[int] = []

        async def call(number: int) -> None:
            permit = await limiter.acquire()
            order.append(number)
            permit.answered(200, [])

        async def calls() -> None:
            await asyncio.gather(*(call(number) for number in range(50)))

        await clock.drive(calls())
        assert order == list(range(50))
        assert round(clock.monotonic(), 6) == 1049.0

    run(test)


def test_who_waits_behind_others_is_told_when_his_own_time_is_up() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock, [RateLimit(1, 1)])
        sent = await limiter.acquire()
        waits = [asyncio.ensure_future(limiter.acquire(within=within)) for within in (60, 9, 7)]
        await settle()
        sent.answered(429, [("Retry-After", "30")])
        ended: list[tuple[int, float]] = []
        for number, wait in enumerate(waits):
            wait.add_done_callback(
                lambda _, number=number: ended.append((number, clock.monotonic()))  # type: ignore[misc]
            )
        await clock.advance(60)
        assert ended == [(2, 1007.0), (1, 1009.0), (0, 1030.0)]
        with pytest.raises(RateLimited) as late:
            await waits[2]
        assert late.value.retry_after == 23.0

    run(test)


class Stopped(asyncio.SelectorEventLoop):
    """An event loop that says that it was closed, and can still be tidied up."""

    gone = False

    def is_closed(self) -> bool:
        return self.gone or super().is_closed()


def test_a_call_whose_event_loop_ended_holds_nobody_up() -> None:
    clock, loop = ManualClock(), Stopped()
    limiter = Limiter(clock, [RateLimit(1, 1)])

    async def begun() -> "asyncio.Future[Permit]":
        (await limiter.acquire()).answered(200, [])
        waiting = asyncio.ensure_future(limiter.acquire())
        await settle()
        return waiting

    left_behind = loop.run_until_complete(begun())
    loop.gone = True
    clock.move(1)
    assert limiter.try_acquire() is not None
    loop.gone = False
    left_behind.cancel()
    loop.run_until_complete(asyncio.wait({left_behind}))
    loop.close()


def test_a_cancelled_wait_gives_its_place_to_the_next() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock, [RateLimit(1, 1)])
        (await limiter.acquire()).answered(200, [])
        waits = [asyncio.ensure_future(limiter.acquire()) for _ in range(3)]
        await settle()
        assert round(limiter.wait_time(), 6) == 4.0
        waits[0].cancel()
        waits[1].cancel()
        await settle()
        assert round(limiter.wait_time(), 6) == 2.0
        await clock.advance(1.0)
        assert [wait.done() for wait in waits] == [True, True, True]
        assert isinstance(waits[2].result(), Permit)

    run(test)


def test_a_permit_that_was_not_used_is_given_back_once() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock, [RateLimit(1, 1)])
        permit = await limiter.acquire()
        assert round(limiter.wait_time(), 6) == 1.0
        permit.give_back()
        permit.give_back()
        assert limiter.wait_time() == 0.0
        await limiter.acquire()
        assert round(limiter.wait_time(), 6) == 1.0

    run(test)


def test_a_wait_beyond_the_cap_is_refused_at_once_and_says_for_how_long() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        learn(limiter, remaining=0, reset=300)
        with pytest.raises(RateLimited) as refusal:
            await limiter.acquire()
        assert round(refusal.value.retry_after, 6) == 301.0
        assert clock.slept == []

    run(test)


def test_a_caller_may_allow_less_than_the_cap() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock, [RateLimit(1, 1)])
        await limiter.acquire()
        with pytest.raises(RateLimited):
            await limiter.acquire(within=0.5)
        await clock.drive(limiter.acquire(within=1.5))

    run(test)


def test_a_wait_that_grows_beyond_the_cap_ends_for_everybody() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock, [RateLimit(1, 1)])
        first = await limiter.acquire()
        waits = [asyncio.ensure_future(limiter.acquire()) for _ in range(3)]
        await settle()
        first.answered(429, [("Retry-After", "120")])
        await settle()
        results = await asyncio.gather(*waits, return_exceptions=True)
        assert [type(result) for result in results] == [RateLimited] * 3

    run(test)


# ── what servers say ────────────────────────────────────────────────────────────────


def test_a_quota_is_used_up_and_then_one_call_asks_for_the_next() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        learn(limiter, remaining=3, reset=4)
        assert [limiter.try_acquire() is not None for _ in range(4)] == [True, True, True, False]
        assert round(limiter.wait_time(), 6) == 4.0
        clock.move(4.0)
        probe = limiter.try_acquire()
        assert probe is not None
        assert limiter.try_acquire() is None
        probe.answered(200, quota(9, 4))
        assert [limiter.try_acquire() is not None for _ in range(10)] == [True] * 9 + [False]

    run(test)


def test_the_last_tenth_of_a_quota_is_spread() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        learn(limiter, remaining=9, reset=9, limit=100)
        assert round(limiter.wait_time(), 6) == 1.0
        clock.move(1.0)
        assert [limiter.try_acquire() is not None for _ in range(2)] == [True, False]
        clock.move(1.0)
        assert [limiter.try_acquire() is not None for _ in range(2)] == [True, False]

    run(test)


def test_calls_that_the_server_had_not_seen_are_counted() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        permits = [limiter.try_acquire() for _ in range(4)]
        assert permits[0] is not None
        permits[0].answered(200, quota(4, 5, limit=5))
        assert [limiter.try_acquire() is not None for _ in range(2)] == [True, False]

    run(test)


def test_calls_that_hang_do_not_count_for_ever() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        for _ in range(3):
            assert limiter.try_acquire() is not None
        clock.move(10.0)
        learn(limiter, remaining=3, reset=5, limit=5)
        assert limiter.wait_time() == 0.0

    run(test)


def test_before_a_server_answered_once_only_some_calls_go() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        permits = [limiter.try_acquire() for _ in range(100)]
        assert sum(permit is not None for permit in permits) == 16
        assert permits[0] is not None
        permits[0].answered(200, [])
        assert all(limiter.try_acquire() for _ in range(100))

    run(test)


def test_after_a_refusal_one_call_goes_ahead_alone() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        permits = [limiter.try_acquire() for _ in range(3)]
        for permit in permits:
            assert permit is not None
            permit.answered(429, [("Retry-After", "2")])
        assert round(limiter.wait_time(), 6) == 2.0
        clock.move(2.0)
        probe = limiter.try_acquire()
        assert probe is not None
        assert limiter.try_acquire() is None
        probe.answered(200, [])
        assert all(limiter.try_acquire() for _ in range(50))

    run(test)


def test_refusals_that_say_nothing_are_waited_out_ever_longer() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        waits: list[float] = []
        for _ in range(8):
            permit = limiter.try_acquire()
            assert permit is not None
            permit.answered(429, [])
            waits.append(round(limiter.wait_time(), 6))
            clock.move(waits[-1])
        assert waits == [1, 2, 4, 8, 16, 32, 60, 60]

    run(test)


def test_a_quota_the_server_no_longer_speaks_of_is_forgotten() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        learn(limiter, remaining=0, reset=5)
        clock.move(5.0)
        probe = limiter.try_acquire()
        assert probe is not None
        probe.answered(200, [])
        assert all(limiter.try_acquire() for _ in range(50))

    run(test)


def test_an_operation_is_held_by_its_own_quota_once_that_is_known() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        for operation, limit, remaining in (("search", 30, 0), ("read", 5000, 4999)):
            permit = limiter.try_acquire(operation=operation)
            if permit is None:
                clock.move(61.0)
                permit = limiter.try_acquire(operation=operation)
            assert permit is not None
            permit.answered(200, quota(remaining, 60, limit))
        search = await clock.drive(limiter.acquire(operation="search"))
        search.answered(200, quota(0, 60, 30))
        assert limiter.wait_time(operation="read") == 0.0
        assert limiter.wait_time(operation="search") > 50
        assert limiter.wait_time(operation="never called") > 50

    run(test)


def test_a_policy_alone_paces_the_calls() -> None:
    async def test(clock: ManualClock) -> None:
        limiter = Limiter(clock)
        permit = limiter.try_acquire()
        assert permit is not None
        permit.answered(200, [("RateLimit-Policy", '"default";q=10;w=1')])
        assert limiter.try_acquire() is not None
        assert round(limiter.wait_time(), 6) == 0.1

    run(test)


# ── sharing ─────────────────────────────────────────────────────────────────────────


def test_calls_with_one_credential_at_one_origin_share_a_limiter() -> None:
    limiters = Limiters(ManualClock())
    limiter = limiters.get("https://api.example", "token a", limits=[RateLimit(1, 1)])
    same = limiters.get("https://API.example", "token a", limits=[RateLimit(1, 1)])
    others = [
        limiters.get("https://api.example", "token b"),
        limiters.get("https://other.example", "token a"),
        limiters.get("https://api.example", "token a", "search"),
    ]
    assert same is limiter
    assert len({id(limiter), *map(id, others)}) == 4
    assert "token" not in repr(vars(limiters))


def test_threads_with_loops_of_their_own_share_a_limit() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from toolmint.runtime.clock import SystemClock

    limiter = Limiter(SystemClock(), [RateLimit(100, 1)])

    async def calls(thread: int) -> int:
        for _ in range(10):
            (await limiter.acquire()).answered(200, [])
        return thread

    def in_thread(thread: int) -> int:
        return asyncio.run(calls(thread))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(in_thread, range(4))) == [0, 1, 2, 3]
