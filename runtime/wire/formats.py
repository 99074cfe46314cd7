"""Formats that descriptions use more widely than RFC 3339 spells them."""

import re

_DATE = r"(?:\d+(?:[.,]\d+)?Y)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?W)?(?:\d+(?:[.,]\d+)?D)?"
_TIME = r"(?:\d+(?:[.,]\d+)?H)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?S)?"
_DURATION = re.compile(rf"[+-]?P(?=[\dT]){_DATE}(?:T(?=\d){_TIME})?")
_CLOCK = re.compile(
    r"(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?"
)


def is_duration(text: str) -> bool:
    """An ISO 8601 duration: fractions, weeks beside days and a sign are in common use."""
    return _DURATION.fullmatch(text) is not None


def is_time(text: str) -> bool:
    """A time of day, with an offset or without: most APIs that say `time` mean the clock's."""
    return _CLOCK.fullmatch(text) is not None
