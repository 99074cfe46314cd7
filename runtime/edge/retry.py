"""Whether a failed attempt is repeated, and after how long.

The decision depends on three facts: how far the request came, whether repeating it can do
harm, and what the server said of waiting. Pure: time, chance and the attempt are arguments.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..operation import Effects
from ..wire.values import is_array, is_object

IDEMPOTENT_METHODS = frozenset({"HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE"})
"""RFC 9110 9.2.2: several equal requests do what one does. GET is one too, but some act."""

Uniform: TypeAlias = Callable[[float, float], float]
"""`random.uniform`, or what a test puts in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How patient a call is. Times are seconds."""

    attempts: int = 5  # the first one included
    first_wait: float = 1.0  # doubled each time: 1, 2, 4, 8
    longest_backoff: float = 8.0
    longest_wait: float = 60.0  # that a server may ask for
    deadline: float = 120.0  # from the first attempt on; no wait ends after it


NEVER = RetryPolicy(attempts=1)

Phase: TypeAlias = Literal["unsent", "unanswered", "answered"]
"""`unsent`: the server cannot have seen it. `unanswered`: it may have acted on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An attempt that failed."""

    phase: Phase
    status: int | None = None
    retry_after: float | None = None  # seconds
    timeout: bool = False
    quota_gone: bool = False  # waiting will not help soon
    should_retry: bool | None = None  # the server's own word (`x-should-retry`)


@dataclass(frozen=True, slots=True)
class Again:
    """Try again after `wait` seconds."""

    wait: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The call ends so; `retry_after` is known when waiting longer would help."""

    outcome: Literal["error", "rate_limited", "timeout", "unknown_effect"]
    reason: str
    retry_after: float | None = None


def repeatable(method: str, effects: Effects, *, has_key: bool = False) -> bool:
    """Whether repeating a request that may have been carried out does no harm.

    An Idempotency-Key makes any request so, and so does a tool known to only read or to be
    idempotent. Else the method is believed, but not that a GET which acts is harmless.
    """
    return has_key or effects.pure or effects.idempotent or method in IDEMPOTENT_METHODS


def decide(
    failure: Failure,
    *,
    harmless: bool,
    attempt: int,
    elapsed: float,
    policy: RetryPolicy,
    uniform: Uniform,
) -> Again | GiveUp:
    """What follows the failure of attempt number `attempt` (from 1), `elapsed` seconds in.

    `harmless` is what `repeatable` says.
    """
    end = _end(failure, harmless)
    if not _worth_repeating(failure, harmless):
        return end
    if failure.retry_after is not None and failure.retry_after > policy.longest_wait:
        return _later(end, failure.retry_after, "the server asks for a longer wait than allowed")
    if attempt >= policy.attempts:
        return _later(end, failure.retry_after, f"gave up after {attempt} attempts")
    wait = _wait(failure, attempt, policy, uniform)
    if elapsed + wait > policy.deadline:
        return _later(end, failure.retry_after, "no time left for another attempt")
    return Again(wait)


def may_be_done(failure: Failure) -> bool:
    """Whether the server may have acted on an attempt whose answer never came here."""
    return failure.phase == "unanswered" or failure.status in _ANSWER_LOST


def backoff(attempt: int, policy: RetryPolicy, uniform: Uniform) -> float:
    """Seconds after attempt number `attempt`: anything up to 1, 2, 4, 8 (full jitter)."""
    doubled = policy.first_wait * 2.0 ** min(attempt - 1, 30)
    return uniform(0.0, min(doubled, policy.longest_backoff))


def idempotency_key() -> str:
    """A key for one call, made before its first attempt and sent with each of them."""
    return secrets.token_urlsafe(24)


# ── what a failure means ────────────────────────────────────────────────────────────

_NOT_DONE = frozenset({425, 429})  # answered without acting, whatever the method
_PASSING = frozenset({408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_ANSWER_LOST = frozenset({502, 504, 520, 524})  # a gateway waited for an answer in vain


def _worth_repeating(failure: Failure, harmless: bool) -> bool:
    if failure.quota_gone or failure.should_retry is False:
        return False
    if failure.phase == "unsent":
        return True
    if failure.phase == "unanswered":
        return harmless
    status = failure.status
    if status in _NOT_DONE or (status == 503 and failure.retry_after is not None):
        return True
    if status == 403:  # a refusal for speed, as GitHub's secondary limits
        return failure.retry_after is not None
    return harmless and (status in _PASSING or failure.should_retry is True)


def _end(failure: Failure, harmless: bool) -> GiveUp:
    if failure.phase == "unanswered" and not harmless:
        return GiveUp("unknown_effect", "the request was sent and its answer was lost")
    if failure.status in _ANSWER_LOST and not harmless:
        return GiveUp("unknown_effect", f"a gateway lost the answer ({failure.status})")
    if failure.quota_gone:
        return GiveUp("rate_limited", "the quota is used up", failure.retry_after)
    if failure.status == 429 or (failure.status == 403 and failure.retry_after is not None):
        return GiveUp("rate_limited", "the server asks to slow down", failure.retry_after)
    if failure.timeout:
        return GiveUp("timeout", "no answer in time")
    return GiveUp("error", f"status {failure.status}" if failure.status else "no connection")


def _later(end: GiveUp, retry_after: float | None, why: str) -> GiveUp:
    return GiveUp(end.outcome, f"{end.reason}; {why}", retry_after)


def _wait(failure: Failure, attempt: int, policy: RetryPolicy, uniform: Uniform) -> float:
    """The server's word, and a little more so that not all come back at once; else backoff."""
    if not failure.retry_after:  # at once, or at a time that has passed, says nothing of when
        return backoff(attempt, policy, uniform)
    return failure.retry_after + uniform(0.0, min(1.0, failure.retry_after / 10))


# ── "quota gone" is not "slow down" ─────────────────────────────────────────────────

_GONE = (
    "insufficientquota",
    "quotaexhausted",
    "billinghardlimit",
    "billingnotactive",
    "creditbalance",
    "insufficientcredits",
    "insufficientfunds",
    "dailylimitexceeded",
    "dailyquotaexceeded",
    "monthlylimitexceeded",
    "monthlyquotaexceeded",
    "monthlyusagelimit",
    "usagelimitreached",
    "accountlimitexceeded",
    "spendlimitexceeded",
    "paymentrequired",
)
_CODES = ("code", "type", "reason", "status", "error", "error_code", "errorCode", "@type")
_DEPTH = 4


def quota_gone(status: int, body: Any, retry_after: float | None = None) -> bool:
    """Whether a refusal is about an allowance that waiting a moment does not bring back.

    `402` always is; `403` and `429` are when a code in the JSON body says so (OpenAI's
    `insufficient_quota`, Google's `dailyLimitExceeded`) and the server does not name a wait
    of a minute or less. Prose is not searched.
    """
    if status == 402:
        return True
    if status not in (403, 429) or (retry_after is not None and retry_after <= 60):
        return False
    return any(_says_gone(code) for code in _codes(body, _DEPTH))


def _says_gone(code: str) -> bool:
    letters = "".join(c for c in code.lower() if c.isalnum())
    return len(letters) < 120 and any(word in letters for word in _GONE)


def _codes(value: Any, depth: int) -> list[str]:
    if depth == 0:
        return []
    if is_array(value):
        return [code for item in value[:5] for code in _codes(item, depth - 1)]
    if not is_object(value):
        return []
    own = [value[name] for name in _CODES if isinstance(value.get(name), str)]
    inner = [code for item in value.values() for code in _codes(item, depth - 1)]
    return [*own, *inner]


def should_retry(headers: Mapping[str, str]) -> bool | None:
    """The server's own word on repeating, from lower-case headers; None without one."""
    for name in ("x-should-retry", "stripe-should-retry"):
        word = headers.get(name, "").strip().lower()
        if word in ("true", "false"):
            return word == "true"
    return None
