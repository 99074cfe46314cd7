"""What a provider's refusal means, from its status, headers and body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..edge.retry import Failure, quota_gone, should_retry
from ..limits.headers import read
from ..limits.times import seconds_until
from ..wire.values import is_array, is_object
from .model import ErrorKind

_LONGEST = 500  # characters of a message that are shown
_KINDS: Mapping[int, ErrorKind] = {
    400: "invalid_request",
    401: "authentication",
    402: "quota",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "too_large",
    422: "invalid_request",
    429: "rate_limited",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_CODES: Mapping[str, ErrorKind] = {
    "api_error": "server",
    "authentication_error": "authentication",
    "billing_error": "quota",
    "context_length_exceeded": "too_large",
    "insufficient_quota": "quota",
    "invalid_prompt": "invalid_request",
    "invalid_request_error": "invalid_request",
    "not_found_error": "not_found",
    "overloaded_error": "overloaded",
    "permission_error": "permission",
    "rate_limit_error": "rate_limited",
    "rate_limit_exceeded": "rate_limited",
    "request_too_large": "too_large",
    "server_error": "server",
    "timeout_error": "timeout",
}


def failure_of(
    status: int, headers: Mapping[str, str], text: bytes, now: float
) -> tuple[ErrorKind, Failure, str]:
    """Which kind of error it is, what it means for another attempt, and what to tell."""
    body = _parsed(text)
    error = _error(body)
    wait = read(headers.items(), now=now, status=status).retry_after
    wait = _retry_delay(error, now) if wait is None else wait
    gone = quota_gone(status, body, wait)
    kind = _KINDS.get(status, "server" if status >= 500 else "invalid_request")
    if gone:
        kind = "quota"
    elif error.get("code") == "context_length_exceeded":
        kind = "too_large"
    failure = Failure(
        phase="answered",
        status=status,
        retry_after=wait,
        quota_gone=gone,
        should_retry=should_retry(headers),
    )
    return kind, failure, f"{message_of(error) or told(text)} ({status})"


def kind_of(error: Mapping[str, Any], otherwise: ErrorKind = "server") -> ErrorKind:
    """The kind of an error that came inside an answer, by its code or type."""
    for name in ("code", "type", "status"):
        kind = _CODES.get(str(error.get(name)))
        if kind is not None:
            return kind
    return otherwise


def message_of(error: Mapping[str, Any]) -> str:
    """What the provider says, on one line, and its code where that says more."""
    message = " ".join(str(error.get("message") or "").split())[:_LONGEST]
    code = error.get("code") if isinstance(error.get("code"), str) else None
    code = code or error.get("type") or error.get("status")
    return f"{code}: {message}" if message and isinstance(code, str) else message


def told(text: bytes) -> str:
    """The beginning of a body that is not what it should be; pages are not shown."""
    shown = " ".join(text[: 4 * _LONGEST].decode("utf-8", "replace").split())
    if not shown:
        return "an empty body"
    return "a web page" if shown.startswith("<") else shown[:_LONGEST]


def _parsed(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _error(body: object) -> Mapping[str, Any]:
    """The error's members, wherever a provider, or a server that speaks its API, puts them."""
    if is_array(body) and body:
        body = body[0]  # Gemini's, when a stream was asked for without events
    if not is_object(body):
        return {}
    error = body.get("error")
    if is_object(error):
        return error
    return {"message": error} if isinstance(error, str) else body


def _retry_delay(error: Mapping[str, Any], now: float) -> float | None:
    """`google.rpc.RetryInfo` among the details."""
    details = error.get("details")
    for detail in details if is_array(details) else ():
        delay: object = detail.get("retryDelay") if is_object(detail) else None
        if isinstance(delay, str):
            return seconds_until(delay, now)
    return None
