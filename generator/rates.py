"""Reads rate limits from what a description states in numbers; it never guesses one.

There is no standard for them. In the field: `x-ratelimit: {requests, period}`,
`x-rateLimit: {limit, window}`, `x-rate-limit: "100/minute"`, `x-yc-apigateway-rate-limit:
{allRequests: {rps}}`, pairs such as `x-ratelimit-limit` with `x-ratelimit-window`, and the
text of a 429 response.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..runtime.shown.closure import is_node
from .model.api import Operation
from .model.catalogue import RateLimit
from .plain import is_array, is_number
from .words import words

_SECONDS = {
    "ms": 0.001,
    "millisecond": 0.001,
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hr": 3600,
    "hour": 3600,
    "d": 86400,
    "day": 86400,
    "week": 604800,
    "w": 604800,
    "month": 2592000,
}
_UNIT = r"(?P<unit>[a-z]+)"
_DURATION = re.compile(rf"(?P<count>\d+(?:\.\d+)?)?\s*{_UNIT}")
_NUMBER = r"(?P<requests>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?P<thousand>k)?"
_NOUN = r"\s*(?:api\s+)?(?:requests?|calls?|queries|hits|transactions)\s*"
_PER = r"(?:/|\bper\b|\bin\b|\beach\b|\bevery\b|\ban?\b)"
_RATE = re.compile(
    rf"{_NUMBER}(?:{_NOUN}{_PER}|\s*(?:/|per))\s*(?P<period>\d+(?:\.\d+)?)?\s*{_UNIT}\b",
    re.IGNORECASE,
)
_COUNTS = ("requests", "limit", "max", "max_requests", "quota", "calls", "rate", "count", "burst")
_TIME_UNITS = ("unit", "time_unit")
_PERIODS = (
    *("per", "period", "window", "interval", "seconds", "duration", "time_window"),
    *("window_seconds", "period_seconds", "window_ms", *_TIME_UNITS),
)
_DIRECT: Mapping[str, float] = {
    "rps": 1,
    "rpm": 60,
    "rph": 3600,
    "rpd": 86400,
    **{
        f"{noun}_per_{unit}": _SECONDS[unit]
        for noun in ("requests", "calls")
        for unit in ("second", "minute", "hour", "day")
    },
}
_NAMED = re.compile(r"x-.*(?:rate-?limit|throttl)", re.IGNORECASE)
_REACH = 2000  # characters of a response's text that are looked through


def stated(operation: Operation) -> RateLimit | None:
    """The rate limit that an operation states: its extensions, then its 429 response."""
    found = in_extensions(operation.extensions)
    if found is not None:
        return found
    for result in operation.results:
        if result.status == "429":
            limit = in_text(result.description)
            if limit is not None:
                return replace(limit, source="429 response")
    return None


def in_extensions(extensions: Mapping[str, Any]) -> RateLimit | None:
    """The rate limit among `x-…` keys, or None."""
    named = {key: extensions[key] for key in sorted(extensions) if _NAMED.match(key)}
    if not named:
        return None
    for key, value in named.items():
        limit = _in_value(value)
        if limit is not None:
            return replace(limit, source=key)
    spread = {"_".join(words(key)[-1:]): value for key, value in named.items()}
    limit = _in_mapping(spread)
    return replace(limit, source=next(iter(named))) if limit else None


def in_text(text: str) -> RateLimit | None:
    """A rate in words: `60 requests per minute`, `100/min`, `5,000 calls an hour`."""
    for found in _RATE.finditer(text[:_REACH]):
        unit = _unit(found["unit"])
        if unit is None:
            continue
        requests = float(found["requests"].replace(",", "")) * (1000 if found["thousand"] else 1)
        limit = _limit(requests, float(found["period"] or 1) * unit)
        if limit is not None:
            return limit
    return None


def duration(text: str) -> float | None:
    """The seconds of `30s`, `1h`, `minute`, `2 days`; None when it is no duration."""
    found = _DURATION.fullmatch(text.strip().lower())
    unit = _unit(found["unit"]) if found else None
    if found is None or unit is None:
        return None
    return float(found["count"] or 1) * unit or None


def _in_value(value: Any) -> RateLimit | None:
    if isinstance(value, str):
        return in_text(value)
    if is_array(value):
        return next(filter(None, map(_in_value, value)), None)
    return _in_mapping(value) if is_node(value) else None


def _in_mapping(value: Mapping[str, Any]) -> RateLimit | None:
    said = {"_".join(words(str(key))): inner for key, inner in value.items()}
    for key, seconds in _DIRECT.items():
        limit = _limit(_number(said.get(key)), seconds)
        if limit is not None:
            return limit
    counts = (_number(said.get(key)) for key in _COUNTS)
    requests = next((count for count in counts if count is not None), None)
    limit = _limit(requests, _period(said))
    if limit is not None:
        return limit
    nested = [said[key] for key in sorted(said) if not isinstance(said[key], list)]
    return next(filter(None, map(_in_value, nested)), None)


def _period(said: Mapping[str, Any]) -> float | None:
    units = [_unit(str(said[key])) for key in _TIME_UNITS if key in said]
    unit = next(filter(None, units), 1)
    for key in _PERIODS:
        value = said.get(key)
        number = _number(value)
        if number is not None:
            return number * (0.001 if key.endswith("_ms") else unit)
        if isinstance(value, str) and (seconds := duration(value)) is not None:
            return seconds
    return None


def _unit(word: str) -> float | None:
    """The seconds of a unit of time, in the singular or the plural."""
    lowered = word.lower()
    return _SECONDS.get(lowered) or _SECONDS.get(lowered.removesuffix("s"))


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    return float(value) if isinstance(value, str) and value.isdecimal() else None


def _limit(requests: float | None, seconds: float | None) -> RateLimit | None:
    """Whole numbers stay whole, so that they print as the document has them."""
    if not requests or not seconds or requests < 0 or seconds < 0:
        return None
    if not (is_number(requests) and is_number(seconds)):
        return None
    return RateLimit(requests=_whole(requests), seconds=_whole(seconds), source="")


def _whole(number: float) -> float:
    return int(number) if float(number).is_integer() else number
