"""Equal pure calls cost one request, and nobody gets another's result."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.clock import ManualClock, settle
from toolmint.runtime.edge.cache import Cached, ResultCache, cache_key


class Source:
    """Counts how often it is asked; answers when it is told to."""

    def __init__(self) -> None:
        self.asked = 0
        self.cancelled = 0
        self.answer = "ok 1"
        self.gate = asyncio.Event()

    async def fetch(self) -> str:
        self.asked += 1
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.answer == "raise":
            raise ConnectionError
        return self.answer


def ok(answer: str) -> bool:
    return answer.startswith("ok")


def run(test: Callable[[ManualClock], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test(ManualClock()))


def test_the_key_knows_tool_arguments_and_principal_but_no_order() -> None:
    key = cache_key("t", {"a": 1, "b": [1, {"x": None}]}, "alice")
    assert key == cache_key("t", {"b": [1, {"x": None}], "a": 1}, "alice")
    others = [
        cache_key("u", {"a": 1, "b": [1, {"x": None}]}, "alice"),
        cache_key("t", {"a": 1, "b": [1, {"x": None}]}, "bob"),
        cache_key("t", {"a": 1.0, "b": [1, {"x": None}]}, "alice"),
        cache_key("t", {"a": True, "b": [1, {"x": None}]}, "alice"),
        cache_key("t", {"a": "1", "b": [1, {"x": None}]}, "alice"),
        cache_key("t", {"a": 1, "b": [1]}, "alice"),
    ]
    assert len({key, *others}) == 7


@pytest.mark.parametrize("value", [float("nan"), b"bytes", object()])
def test_arguments_that_are_no_json_have_no_key(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        cache_key("t", {"a": value}, "alice")


def test_a_hundred_equal_calls_are_one_flight() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        calls = [asyncio.ensure_future(cache.get("k", source.fetch)) for _ in range(100)]
        await settle()
        source.gate.set()
        results = await asyncio.gather(*calls)
        assert source.asked == 1
        assert results == [Cached("ok 1", "fresh")] + [Cached("ok 1", "shared")] * 99
        assert await cache.get("k", source.fetch) == Cached("ok 1", "cached", 0.0)

    run(test)


def test_a_result_lives_for_five_minutes() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        source.gate.set()
        await cache.get("k", source.fetch)
        clock.move(299.0)
        assert await cache.get("k", source.fetch) == Cached("ok 1", "cached", 299.0)
        clock.move(1.0)
        assert await cache.get("k", source.fetch) == Cached("ok 1", "fresh")
        assert source.asked == 2

    run(test)


def test_failures_are_shared_but_not_kept() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        source.answer = "failed"
        source.gate.set()
        assert await cache.get("k", source.fetch) == Cached("failed", "fresh")
        assert await cache.get("k", source.fetch) == Cached("failed", "fresh")
        assert (source.asked, len(cache)) == (2, 0)

    run(test)


def test_a_flight_that_raises_raises_for_all() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        source.answer = "raise"
        calls = [asyncio.ensure_future(cache.get("k", source.fetch)) for _ in range(3)]
        await settle()
        source.gate.set()
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(result) for result in results] == [ConnectionError] * 3
        assert source.asked == 1

    run(test)


def test_where_the_caller_that_fetches_is_cancelled_the_next_takes_over() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        calls = [asyncio.ensure_future(cache.get("k", source.fetch)) for _ in range(4)]
        await settle()
        calls[0].cancel()  # the one that fetches
        calls[1].cancel()  # one that waits
        await settle()
        source.gate.set()
        results = await asyncio.gather(*calls[2:])
        assert results == [Cached("ok 1", "fresh"), Cached("ok 1", "shared")]
        assert [call.cancelled() for call in calls] == [True, True, False, False]
        assert (source.asked, source.cancelled) == (2, 1)

    run(test)


def test_a_caller_that_waits_is_cancelled_alone() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        calls = [asyncio.ensure_future(cache.get("k", source.fetch)) for _ in range(3)]
        await settle()
        calls[1].cancel()
        await settle()
        source.gate.set()
        results = await asyncio.gather(*calls[::2])
        assert results == [Cached("ok 1", "fresh"), Cached("ok 1", "shared")]
        assert (source.asked, source.cancelled) == (1, 0)

    run(test)


def test_when_all_callers_are_cancelled_nothing_is_fetched_any_more() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok), Source()
        calls = [asyncio.ensure_future(cache.get("k", source.fetch)) for _ in range(3)]
        await settle()
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
        assert (source.asked, source.cancelled) == (1, 1)
        source.gate.set()
        assert await cache.get("k", source.fetch) == Cached("ok 1", "fresh")

    run(test)


@pytest.mark.parametrize(("answer", "failure"), [("failed", "failed"), ("raise", None)])
def test_a_stale_result_stands_for_a_failure_and_says_so(answer: str, failure: str | None) -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok, stale_for=600.0), Source()
        source.gate.set()
        await cache.get("k", source.fetch)
        source.answer = answer
        clock.move(301.0)
        assert await cache.get("k", source.fetch) == Cached("ok 1", "stale", 301.0, failure)
        source.answer = "ok 2"
        assert await cache.get("k", source.fetch) == Cached("ok 2", "fresh")

    run(test)


def test_a_stale_result_is_not_served_for_ever() -> None:
    async def test(clock: ManualClock) -> None:
        cache, source = ResultCache[str](clock, keep=ok, stale_for=600.0), Source()
        source.gate.set()
        await cache.get("k", source.fetch)
        source.answer = "failed"
        clock.move(900.0)
        assert await cache.get("k", source.fetch) == Cached("failed", "fresh")

    run(test)


def test_what_was_not_used_for_longest_goes_first() -> None:
    async def test(clock: ManualClock) -> None:
        cache = ResultCache[str](clock, keep=ok, size=len, most_entries=3, most_bytes=20)
        source = Source()
        source.gate.set()
        for key in ("a", "b", "c", "a", "d"):
            await cache.get(key, source.fetch)
        assert (await cache.get("a", source.fetch)).source == "cached"
        assert (await cache.get("b", source.fetch)).source == "fresh"
        source.answer = "ok " + "x" * 15
        await cache.get("large", source.fetch)
        assert len(cache) == 1
        source.answer = "ok " + "x" * 50
        await cache.get("too large", source.fetch)
        assert len(cache) == 1
        cache.forget()
        assert len(cache) == 0

    run(test)
