"""JSON values as text: the one spelling of numbers, booleans and nested data on the wire.

A whole number is written as an integer whatever its Python type, as JavaScript's
`JSON.stringify` does below 10^21: `1.0` is the same JSON number as `1`, and a server that asks
for an integer may refuse the longer spelling.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from .refusal import Unwritable

_UNICODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """A JSON object."""
    return isinstance(value, dict) or isinstance(value, Mapping)  # noqa: SIM101 - an ABC is slow to ask


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """A JSON array."""
    return isinstance(value, list | tuple)


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    """Compact JSON in the caller's member order; NaN and infinity are none."""
    encode = (_ASCII if ascii_only else _UNICODE).encode
    try:
        text = encode(value)
        if _MAY_BE_WHOLE.search(text):  # seldom: only then is the value walked in Python
            text = encode(_whole_as_integers(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise Unwritable(f"is not a JSON value: {error}") from error
    return text


_MAY_BE_WHOLE = re.compile(r"\.0|\de\+")
_LEAST_EXPONENT = 1e21  # from here on JavaScript writes an exponent


def _whole_as_integers(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _LEAST_EXPONENT else value
    if is_object(value):
        return {name: _whole_as_integers(member) for name, member in value.items()}
    return [_whole_as_integers(item) for item in value] if is_array(value) else value


def text_of(value: Any) -> str:
    """A string as it is; anything else as JSON writes it (`true`, `1e+30`, `{"a":1}`)."""
    return value if isinstance(value, str) else json_text(value)


def utf8(text: str) -> bytes:
    """The text in UTF-8; half a surrogate pair is no text."""
    return encoded(text, "utf-8")


def encoded(text: str, charset: str) -> bytes:
    """The text in a charset."""
    try:
        return text.encode(charset)
    except LookupError as error:
        raise Unwritable(f"the charset {charset!r} is not known") from error
    except UnicodeEncodeError as error:
        position = f"the character at {error.start} ({text[error.start]!a})"
        raise Unwritable(f"{position} cannot be written in {charset}") from error
    except UnicodeError as error:
        raise Unwritable(f"it cannot be written in {charset}") from error
