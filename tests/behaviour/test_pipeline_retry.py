"""Repeating a request: when it helps, never where it could do something twice."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from tests.behaviour.edge import Edge, edge, longest
from tests.behaviour.loopback import Answer, Seen
from tests.clock import START
from toolmint.runtime import Bounds, RetryPolicy, Surroundings

REX = Answer.of({"id": 1, "name": "Rex"})
HANG_UP = Answer(hang_up=True)


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


def one_after_another(at: Edge, answers: Sequence[Answer]) -> Callable[[Seen], Answer]:
    """The answers in their order, the last one for ever."""
    return lambda _: answers[min(len(at.server.seen), len(answers)) - 1]


READ: tuple[str, dict[str, Any]] = ("get_pet", {"id": 1})
WRITE: tuple[str, dict[str, Any]] = ("create_pet", {"name": "Rex"})


def test_waits_double_up_to_eight_seconds(at: Edge) -> None:
    at.server.answer = lambda _: Answer(503)
    result = at.call(at.petstore(), *READ)
    assert (result.outcome, result.metadata["attempts"]) == ("error", 5)
    assert at.clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert str(result.error) == "get_pet: 503 Service Unavailable (after 5 attempts)"


def test_chance_shortens_each_wait(at: Edge) -> None:
    asked: list[tuple[float, float]] = []

    def half(least: float, most: float) -> float:
        asked.append((least, most))
        return most / 2

    at.server.answer = one_after_another(at, [Answer(503), HANG_UP, REX])
    petstore = at.petstore(surroundings=at.surroundings(half))
    assert at.call(petstore, *READ).success
    assert (asked, at.clock.slept) == ([(0.0, 1.0), (0.0, 2.0)], [0.5, 1.0])


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"Retry_After": "Tue, 14 Nov 2023 22:13:27 GMT"}, 7.0),
        ({"retry_after_ms": "7000"}, 7.0),
        ({"Retry_After": "9", "x_ms_retry_after_ms": "1500"}, 1.5),
    ],
)
def test_a_server_says_how_long(at: Edge, headers: dict[str, str], wait: float) -> None:
    assert START == 1_700_000_000.0  # the date above is seven seconds later
    dated = {**headers, "Date": "Tue, 14 Nov 2023 22:13:20 GMT"}
    at.server.answer = one_after_another(at, [Answer.of({}, 429, **dated), REX])
    result = at.call(at.petstore(limits=False), *READ)
    assert (result.outcome, result.metadata["attempts"]) == ("ok", 2)
    assert at.clock.slept == [wait + min(1.0, wait / 10)]


def test_a_longer_wait_than_a_minute_is_the_callers(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({}, 429, Retry_After="61")
    result = at.call(at.petstore(), *READ)
    assert (result.outcome, result.metadata["retry_after"]) == ("rate_limited", 61.0)
    assert (len(at.server.seen), at.clock.slept) == (1, [])


def test_all_attempts_end_by_the_deadline(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({}, 503, Retry_After="50")
    petstore = at.petstore(retry=RetryPolicy(attempts=100, deadline=120))
    result = at.call(petstore, *READ)
    assert (result.outcome, len(at.server.seen)) == ("error", 3)
    assert at.clock.now() - START <= 120


@pytest.mark.parametrize("answer", [HANG_UP, Answer.of({}, 500), Answer.of({}, 502)])
def test_a_write_is_never_sent_twice_when_it_may_be_done(at: Edge, answer: Answer) -> None:
    at.server.answer = lambda _: answer
    result = at.call(at.petstore(), *WRITE)
    assert result.outcome in ("unknown_effect", "error")
    assert (at.targets, at.clock.slept) == (["POST /pets"], [])


def test_a_write_that_was_turned_away_undone_is_sent_again(at: Edge) -> None:
    at.server.answer = one_after_another(at, [Answer.of({}, 429, Retry_After="1"), REX])
    assert at.call(at.petstore(), *WRITE).success
    assert at.targets == ["POST /pets"] * 2


def test_a_write_that_is_idempotent_is_sent_again(at: Edge) -> None:
    at.server.answer = one_after_another(at, [HANG_UP, Answer(204)])
    assert at.call(at.petstore(), "delete_pet", {"id": 1}).success
    assert at.targets == ["DELETE /pets/1"] * 2


def test_an_idempotency_key_makes_a_write_repeatable_and_stays_the_same(at: Edge) -> None:
    at.server.answer = one_after_another(at, [HANG_UP, Answer.of({}, 502), REX])
    assert at.call(at.petstore(), "place_order").success
    at.call(at.petstore(), "place_order")
    keys = [seen.headers["idempotency-key"] for seen in at.server.seen]
    assert len(keys) == 4
    assert keys[0] == keys[1] == keys[2] != keys[3]


def test_quota_gone_is_not_slow_down(at: Edge) -> None:
    gone = Answer.of({"error": {"code": "insufficient_quota", "message": "Pay first."}}, 429)
    at.server.answer = lambda _: gone
    result = at.call(at.petstore(), *READ)
    assert (result.outcome, result.metadata["attempts"]) == ("rate_limited", 1)
    assert result.metadata["quota_gone"] is True
    assert "the quota is used up: calling again soon will not help" in result.to_message()
    slow = Answer.of({"error": {"code": "rate_limit_exceeded"}}, 429, Retry_After="1")
    at.server.answer = lambda _: slow
    at.server.seen.clear()
    result = at.call(at.petstore(), *READ)
    assert (result.outcome, result.metadata["attempts"]) == ("rate_limited", 5)
    assert "quota_gone" not in result.metadata


def test_a_server_may_forbid_or_ask_for_another_try(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({}, 503, x_should_retry="false")
    assert at.call(at.petstore(), *READ).metadata["attempts"] == 1
    at.server.answer = lambda _: Answer.of({}, 409, x_should_retry="true")
    assert at.call(at.petstore(), *READ).metadata["attempts"] == 5


def test_what_would_fail_again_is_not_repeated(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of("x" * 1000)
    petstore = at.petstore(bounds=Bounds(response_bytes=100))
    assert at.call(petstore, *READ).metadata["attempts"] == 1
    at.server.answer = lambda _: Answer(302, b"", {"Location": "/again"})
    assert at.call(at.petstore(), *READ).metadata["attempts"] == 1


def test_a_truncated_answer_to_a_read_is_asked_for_again(at: Edge) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": "99", "Connection": "close"}
    at.server.answer = one_after_another(at, [Answer(200, b'{"id": 1', headers), REX])
    result = at.call(at.petstore(), *READ)
    assert (result.data, result.metadata["attempts"]) == ({"id": 1, "name": "Rex"}, 2)
    at.server.seen.clear()
    assert at.call(at.petstore(), *WRITE).outcome == "unknown_effect"
    assert at.targets == ["POST /pets"]


@pytest.mark.parametrize("then", [HANG_UP, Answer.of({}, 404), Answer.of({}, 429)])
def test_a_repeated_write_whose_answer_was_lost_once_is_not_said_to_have_failed(
    at: Edge, then: Answer
) -> None:
    at.server.answer = one_after_another(at, [HANG_UP, then])
    result = at.call(at.petstore(), "delete_pet", {"id": 1})
    assert result.outcome == "unknown_effect"
    assert "It may have taken effect" in result.to_message()


def test_a_wait_that_ends_after_the_time_of_the_call_is_not_begun(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({}, 429, Retry_After="20")
    petstore = at.petstore(bounds=Bounds(total_seconds=5))
    result = at.call(petstore, *READ)
    assert (result.outcome, result.metadata["retry_after"]) == ("rate_limited", 20.0)
    assert (len(at.server.seen), at.clock.slept) == (1, [])


def test_another_try_with_fresh_credentials_has_no_time_of_its_own(at: Edge) -> None:
    def slow(_: Seen) -> Answer:
        at.clock.move(6)
        return Answer.of({}, 401)

    at.server.answer = slow
    tokens = iter(("tok-first", "tok-second"))
    bearer = {"bearerAuth": lambda: next(tokens)}
    petstore = at.petstore(credentials=bearer, bounds=Bounds(total_seconds=5))
    result = at.call(petstore, *READ)
    assert (result.outcome, len(at.server.seen)) == ("timeout", 1)


def test_retry_can_be_switched_off(at: Edge) -> None:
    at.server.answer = lambda _: HANG_UP
    assert at.call(at.petstore(retry=False), *READ).metadata["attempts"] == 1
    assert at.clock.slept == []


def test_chance_is_the_machines_unless_given() -> None:
    import random

    assert Surroundings().uniform == random.uniform != longest
