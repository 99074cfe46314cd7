"""Plain data: telling its kinds apart, frozen or not, and putting it in one order."""

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

_SURROGATE_ESCAPE = re.compile(
    r"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[c-fC-F][0-9a-fA-F]{2})"
)

_NO_MEMBERS: Mapping[str, Any] = {}
_SCALARS = frozenset((str, int, float, bool, type(None), list))  # `isinstance` asks them slowly

MAXIMUM_DEPTH = 100
"""How deep data goes before the rest is left out: far above any real example."""


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is a JSON object."""
    return type(value) is dict or (type(value) not in _SCALARS and isinstance(value, Mapping))


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is a JSON array."""
    return type(value) is list or type(value) is tuple


def as_object(value: object) -> Mapping[str, Any]:
    """The object, or an empty one in place of anything else."""
    return value if is_object(value) else _NO_MEMBERS


def as_array(value: object) -> Sequence[Any]:
    """The array, or an empty one in place of anything else."""
    return value if is_array(value) else ()


def as_text(value: object) -> str:
    """The string, or an empty one in place of anything else."""
    return value if isinstance(value, str) else ""


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number that others can read: no boolean, none beyond a double."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and _is_double(value)


def _is_double(value: float) -> bool:
    """Whether a double can come near a number: no infinity, and no integer of a thousand digits.

    (RFC 8259, 6: software may read numbers as doubles, so these have no meaning everywhere.)
    """
    return -sys.float_info.max <= value <= sys.float_info.max


def is_writable(value: Any, depth: int = 0) -> bool:
    """Whether no number in a value of a description is beyond a double, as `1e400` is."""
    if isinstance(value, (int, float)):
        return _is_double(value)
    inside = value.values() if is_object(value) else as_array(value)
    return depth > MAXIMUM_DEPTH or all(is_writable(one, depth + 1) for one in inside)


def ordered(value: Any, depth: int = 0) -> Any:
    """The value with sorted keys all the way down, as dicts and lists of its own.

    A number beyond a double and what lies too deep becomes null.
    """
    if is_object(value):
        if depth > MAXIMUM_DEPTH:
            return None
        return {str(key): ordered(value[key], depth + 1) for key in sorted(value)}
    if is_array(value):
        return None if depth > MAXIMUM_DEPTH else [ordered(item, depth + 1) for item in value]
    if isinstance(value, (int, float)) and not _is_double(value):
        return None
    return value


def kind(value: object) -> str:
    """What a value is in JSON's words, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case _:
            return "an object" if is_object(value) else "an array"


def may_hold_lone_surrogates(text: str) -> bool:
    """Whether a text of JSON escapes half a surrogate pair (or only looks like it)."""
    return any(match[1] is None for match in _SURROGATE_ESCAPE.finditer(text))


def without_lone_surrogates(value: Any) -> Any:
    """The value with U+FFFD for every half of a surrogate pair: UTF-8 cannot write those."""
    if isinstance(value, str):
        return (
            value
            if _encodable(value)
            else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if is_object(value):
        return {
            without_lone_surrogates(key): without_lone_surrogates(item)
            for key, item in value.items()
        }
    if is_array(value):
        return [without_lone_surrogates(item) for item in value]
    return value


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
