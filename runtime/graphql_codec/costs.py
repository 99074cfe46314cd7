"""What servers say of the cost of a query, as the limiter reads it: in headers of our making."""

from collections.abc import Mapping
from typing import Any

from ..limits.times import epoch
from ..wire.values import is_array, is_object
from .response import Response

_POINTS = "points"


def headers(response: Response, now: float) -> dict[str, str]:
    """`x-ratelimit-…-points` for what an answer says of its quota (GitHub, Shopify)."""
    status = _throttle_status(response)
    if status is not None:
        limit, left, rate = (_number(status.get(name)) for name in _SHOPIFY)
        return _written(
            limit,
            left,
            None if not rate or limit is None or left is None else (limit - left) / rate,
        )
    told = _rate_limit(response.data)
    if told is None:
        return {}
    reset = told.get("resetAt")
    at = epoch(reset) if isinstance(reset, str) else None
    return _written(
        _number(told.get("limit")),
        _number(told.get("remaining")),
        None if at is None else max(0.0, at - now),
    )


def wait(response: Response, now: float) -> float | None:
    """Seconds until a throttled call is worth repeating, where the answer says so."""
    for error in response.errors:
        for name in ("retryAfter", "retry_after", "retryAfterSeconds"):
            told = _number(error.extensions.get(name))
            if told is not None:
                return told
        reset = error.extensions.get("resetAt")
        at = epoch(reset) if isinstance(reset, str) else None
        if at is not None:
            return max(0.0, at - now)
    cost = response.extensions.get("cost")
    status = _throttle_status(response)
    if status is not None and is_object(cost):
        asked = _number(cost.get("requestedQueryCost"))
        left, rate = _number(status.get("currentlyAvailable")), _number(status.get("restoreRate"))
        if asked is not None and left is not None and rate:
            return max(0.0, (asked - left) / rate)
    quota = _rate_limit(response.data) or {}
    end = quota.get("resetAt")
    restored = epoch(end) if isinstance(end, str) else None
    return None if restored is None else max(0.0, restored - now)


_SHOPIFY = ("maximumAvailable", "currentlyAvailable", "restoreRate")


def _throttle_status(response: Response) -> Mapping[str, Any] | None:
    """Shopify's `extensions.cost.throttleStatus`."""
    cost = response.extensions.get("cost")
    status = cost.get("throttleStatus") if is_object(cost) else None
    if not is_object(status) or is_array(status):
        return None
    return status


def _rate_limit(data: Any) -> Mapping[str, Any] | None:
    """GitHub's `rateLimit`, where a document asks for it."""
    told = data.get("rateLimit") if is_object(data) else None
    return told if is_object(told) else None


def _written(limit: float | None, left: float | None, reset: float | None) -> dict[str, str]:
    told = {"limit": limit, "remaining": left, "reset-after": reset}
    return {
        f"x-ratelimit-{name}-{_POINTS}": f"{value:.0f}"
        for name, value in told.items()
        if value is not None
    }


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
