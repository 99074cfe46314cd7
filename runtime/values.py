"""JSON values as text: the one spelling of numbers, booleans and nested data on the wire."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from .refusal import Unwritable

_UNICODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """A JSON object."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """A JSON array."""
    return isinstance(value, list | tuple)


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    """Compact JSON in the caller's member order; NaN and infinity are none."""
    try:
        return (_ASCII if ascii_only else _UNICODE).encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unwritable(f"is not a JSON value: {error}") from error


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
