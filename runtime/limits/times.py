"""When a server says something ends, in any of the spellings found in the wild."""

import re
from datetime import UTC, datetime
from functools import lru_cache

_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?")
_DURATION = re.compile(
    r"(?:p(?:(\d{1,6}(?:\.\d+)?)d)?t?)?"  # ISO 8601 writes P1DT2H
    r"(?:(\d{1,6}(?:\.\d+)?)\s*d(?:ays?)?)?\s*"
    r"(?:(\d{1,6}(?:\.\d+)?)\s*h(?:ours?|rs?)?)?\s*"
    r"(?:(\d{1,6}(?:\.\d+)?)\s*m(?:in(?:ute)?s?)?)?\s*"
    r"(?:(\d{1,9}(?:\.\d+)?)\s*s(?:ec(?:ond)?s?)?)?\s*"
    r"(?:(\d{1,12}(?:\.\d+)?)\s*(?:ms|milliseconds?))?"
)
_DURATION_UNITS = (86400.0, 86400.0, 3600.0, 60.0, 1.0, 0.001)
_MICROSECONDS = re.compile(r"(\d{1,15}(?:\.\d+)?)\s*(us|µs|ns)")
_YEAR = 366 * 86400.0


def seconds_until(text: str, now: float) -> float | None:
    """Seconds from `now` (the epoch time of the *server*) to what `text` names.

    Understood: a delta in seconds (also fractional), an epoch time in seconds, milli-,
    micro- or nanoseconds, a duration (`6m0s`, `120ms`, `PT30S`), RFC 3339, an HTTP date,
    and what JavaScript prints for a date. What has passed is 0, what is more than a year
    away counts as a year, anything else is None.
    """
    text = text.strip()
    if not text or len(text) > 100:
        return None
    if _NUMBER.fullmatch(text):
        number = float(text)
        return _within(_delta(number, now))
    delta = _duration(text.lower())
    if delta is None:
        moment = _moment(text)
        delta = None if moment is None else moment - now
    return None if delta is None else _within(delta)


@lru_cache(maxsize=64)  # answers of one second have one date
def epoch(text: str) -> float | None:
    """The epoch seconds of an HTTP date or RFC 3339 time, or None."""
    return _moment(text.strip()) if 0 < len(text) <= 100 else None


def _within(delta: float) -> float:
    return min(max(0.0, delta), _YEAR)


def _delta(number: float, now: float) -> float:
    """No server's delta is longer than 30 years, no epoch time is before 2001."""
    for bound, unit in ((1e18, 1e9), (1e15, 1e6), (1e11, 1e3), (1e9, 1.0)):
        if number >= bound:
            return number / unit - now
    return number


def _duration(text: str) -> float | None:
    match = _DURATION.fullmatch(text)
    if match and any(match.groups()):
        return sum(
            float(part) * unit
            for part, unit in zip(match.groups(), _DURATION_UNITS, strict=True)
            if part
        )
    match = _MICROSECONDS.fullmatch(text)
    if match:
        return float(match[1]) * (1e-9 if match[2] == "ns" else 1e-6)
    return None


def _moment(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _mail_date(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


_JAVASCRIPT = re.compile(
    r"(\w{3}) (\w{3}) (\d\d) (\d{4}) (\d\d:\d\d:\d\d) GMT([+-]\d{4})(?: \(.*\))?"
)


def _mail_date(text: str) -> float | None:
    from email.utils import parsedate_to_datetime

    script = _JAVASCRIPT.fullmatch(text)
    if script:
        text = f"{script[1]}, {script[3]} {script[2]} {script[4]} {script[5]} {script[6]}"
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
