"""A failed attempt is repeated only where that can help and cannot harm."""

from typing import Any

import pytest

from toolmint.runtime.edge.retry import (
    NEVER,
    Again,
    Failure,
    GiveUp,
    RetryPolicy,
    backoff,
    decide,
    idempotency_key,
    quota_gone,
    repeatable,
    should_retry,
)
from toolmint.runtime.operation import Effects

READ = Effects(read_only=True, idempotent=True)
WRITE = Effects()


def longest(_: float, high: float) -> float:
    return high


def outcome(failure: Failure, *, harmless: bool, attempt: int = 1, elapsed: float = 0.0) -> str:
    decision = decide(
        failure,
        harmless=harmless,
        attempt=attempt,
        elapsed=elapsed,
        policy=RetryPolicy(),
        uniform=longest,
    )
    return "again" if isinstance(decision, Again) else decision.outcome


@pytest.mark.parametrize(
    ("failure", "read", "write"),
    [
        (Failure(phase="unsent"), "again", "again"),
        (Failure(phase="unsent", timeout=True), "again", "again"),
        (Failure(phase="unanswered"), "again", "unknown_effect"),
        (Failure(phase="unanswered", timeout=True), "again", "unknown_effect"),
        (Failure(phase="answered", status=429), "again", "again"),
        (Failure(phase="answered", status=425), "again", "again"),
        (Failure(phase="answered", status=503, retry_after=1.0), "again", "again"),
        (Failure(phase="answered", status=503), "again", "error"),
        (Failure(phase="answered", status=500), "again", "error"),
        (Failure(phase="answered", status=502), "again", "unknown_effect"),
        (Failure(phase="answered", status=504), "again", "unknown_effect"),
        (Failure(phase="answered", status=524), "again", "unknown_effect"),
        (Failure(phase="answered", status=529), "again", "error"),
        (Failure(phase="answered", status=408), "again", "error"),
        (Failure(phase="answered", status=403, retry_after=1.0), "again", "again"),
        (Failure(phase="answered", status=403), "error", "error"),
        (Failure(phase="answered", status=404), "error", "error"),
        (Failure(phase="answered", status=409), "error", "error"),
        (Failure(phase="answered", status=409, should_retry=True), "again", "error"),
        (Failure(phase="answered", status=501), "error", "error"),
        (Failure(phase="answered", status=503, should_retry=False), "error", "error"),
        (Failure(phase="answered", status=429, quota_gone=True), "rate_limited", "rate_limited"),
        (Failure(phase="answered", status=429, retry_after=61.0), "rate_limited", "rate_limited"),
    ],
)
def test_the_decision_depends_on_how_far_the_request_came(
    failure: Failure, read: str, write: str
) -> None:
    assert (outcome(failure, harmless=True), outcome(failure, harmless=False)) == (read, write)


@pytest.mark.parametrize(
    ("method", "effects", "has_key", "expected"),
    [
        ("GET", READ, False, True),
        ("POST", READ, False, True),  # a search
        ("POST", WRITE, False, False),
        ("POST", WRITE, True, True),
        ("POST", Effects(idempotent=True), False, True),
        ("PATCH", WRITE, False, False),
        ("PUT", WRITE, False, True),
        ("DELETE", Effects(destructive=True), False, True),
        ("GET", Effects(destructive=True), False, False),  # a GET that revokes a token
    ],
)
def test_what_may_be_repeated(method: str, effects: Effects, has_key: bool, expected: bool) -> None:
    assert repeatable(method, effects, has_key=has_key) is expected


def test_waits_double_up_to_eight_seconds_with_full_jitter() -> None:
    policy = RetryPolicy()
    assert [backoff(n, policy, longest) for n in range(1, 7)] == [1, 2, 4, 8, 8, 8]
    assert [backoff(n, policy, lambda low, _: low) for n in range(1, 7)] == [0.0] * 6


@pytest.mark.parametrize(("retry_after", "wait"), [(0.0, 1.0), (5.0, 5.5), (60.0, 61.0)])
def test_the_servers_wait_is_kept_and_never_shortened(retry_after: float, wait: float) -> None:
    failure = Failure(phase="answered", status=429, retry_after=retry_after)
    decision = decide(
        failure, harmless=False, attempt=1, elapsed=0.0, policy=RetryPolicy(), uniform=longest
    )
    assert decision == Again(wait)


def test_a_longer_wait_than_allowed_is_told_to_the_caller() -> None:
    failure = Failure(phase="answered", status=429, retry_after=3600.0)
    decision = decide(
        failure, harmless=True, attempt=1, elapsed=0.0, policy=RetryPolicy(), uniform=longest
    )
    assert decision == GiveUp(
        "rate_limited",
        "the server asks to slow down; the server asks for a longer wait than allowed",
        3600.0,
    )


def test_attempts_and_time_end() -> None:
    failure = Failure(phase="unanswered", timeout=True)
    assert outcome(failure, harmless=True, attempt=4) == "again"
    assert outcome(failure, harmless=True, attempt=5) == "timeout"
    assert outcome(failure, harmless=True, attempt=4, elapsed=113.0) == "timeout"
    assert outcome(Failure(phase="unsent"), harmless=True, attempt=5) == "error"
    once = decide(failure, harmless=True, attempt=1, elapsed=0.0, policy=NEVER, uniform=longest)
    assert once == GiveUp("timeout", "no answer in time; gave up after 1 attempts")


@pytest.mark.parametrize(
    ("status", "body", "retry_after", "gone"),
    [
        (402, None, None, True),
        (429, {"error": {"code": "insufficient_quota"}}, None, True),
        (429, {"error": {"type": "insufficient_quota", "code": None}}, None, True),
        (403, {"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}, None, True),
        (403, {"error": {"errors": [{"reason": "rateLimitExceeded"}]}}, None, False),
        (429, {"code": "MONTHLY_QUOTA_EXCEEDED"}, 86400.0, True),
        (429, {"code": "insufficient_quota"}, 2.0, False),
        (429, {"error": {"code": "rate_limit_exceeded"}}, None, False),
        (429, {"message": "insufficient quota? slow down"}, None, False),
        (429, "insufficient_quota", None, False),
        (500, {"code": "insufficient_quota"}, None, False),
    ],
)
def test_an_empty_account_is_told_from_a_request_to_slow_down(
    status: int, body: Any, retry_after: float | None, gone: bool
) -> None:
    assert quota_gone(status, body, retry_after) is gone


def test_the_servers_own_word_on_repeating_is_read() -> None:
    assert should_retry({"x-should-retry": "false"}) is False
    assert should_retry({"stripe-should-retry": "true"}) is True
    assert should_retry({"x-should-retry": "perhaps"}) is None
    assert should_retry({}) is None


def test_each_call_has_a_key_of_its_own() -> None:
    keys = {idempotency_key() for _ in range(100)}
    assert len(keys) == 100
    assert {len(key) for key in keys} == {32}
