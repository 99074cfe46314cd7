"""The OpenAPI styles: how a parameter's value is laid out (RFC 6570, and the rest of the table).

Null members and items, empty arrays and empty objects are undefined in RFC 6570 and are left
out. What a style has no layout for, an array or object inside one, is written as JSON text.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..arguments import ArrayFormat
from .percent import encode
from .refusal import Unwritable
from .values import is_array, is_object, text_of

_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
_PLACES: dict[ArrayFormat, str] = {"repeat": "", "brackets": "[]", "indices": "[{}]"}
_LEADS = {"simple": ("", ","), "label": (".", "."), "matrix": (";", ";")}


@dataclass(frozen=True, slots=True)
class Pair:
    """One `name=value`, not yet encoded; `items` stand between delimiters of the style."""

    name: str
    items: tuple[str, ...]
    delimiter: str = ","

    def encoded(self, write: Callable[[str], str] = encode) -> str:
        """As a query or form writes it; RFC 3986 has no place for a raw ` ` or `|`."""
        delimiter = self.delimiter if self.delimiter == "," else encode(self.delimiter)
        return f"{encode(self.name)}={delimiter.join(write(item) for item in self.items)}"

    @property
    def text(self) -> str:
        """The value where nothing is encoded."""
        return self.delimiter.join(self.items)


def pairs(
    name: str, value: Any, style: str, explode: bool, arrays: ArrayFormat = "repeat"
) -> list[Pair]:
    """Lay a value out by form, spaceDelimited, pipeDelimited, deepObject or cookie.

    `arrays` says how deepObject writes them.
    """
    if style == "deepObject":
        return list(_deep(name, value, arrays))
    if explode and is_object(value):
        return list(_exploded(value))
    if explode and is_array(value):
        return [Pair(name, (text,)) for text in _flat(value)]
    items = _flat(value)
    return [Pair(name, items, _DELIMITERS.get(style, ","))] if items else []


def line(
    name: str, value: Any, style: str, explode: bool, write: Callable[[str], str] = encode
) -> str:
    """Lay a value out by simple, label, matrix or a delimiter: a piece of a path, or a header.

    Raises Unwritable for null and what is empty: there is nothing to put in the place.
    """
    between = write(_DELIMITERS[style]) if style in _DELIMITERS else ","
    lead, gap = _LEADS.get(style, ("", between))

    def named(key: str, text: str) -> str:
        return f"{key}={text}" if text or style != "matrix" else key

    if explode and is_object(value):
        words = [named(write(key), write(text_of(member))) for key, member in _members(value)]
    else:
        words = [write(text) for text in _flat(value)]
        if words and not (explode and is_array(value)):
            words = [between.join(words)]
        if style == "matrix":
            words = [named(write(name), word) for word in words]
    if not words:
        raise Unwritable("is empty, and its place needs a value")
    return lead + gap.join(words)


def is_left_out(value: Any) -> bool:
    """Null, and an array or object without a value in it: RFC 6570 calls them undefined."""
    return not _flat(value)


def _flat(value: Any) -> tuple[str, ...]:
    """The texts of a value in one row: items, or names and members in turn."""
    if value is None:
        return ()
    if is_object(value):
        return tuple(text for key, member in _members(value) for text in (key, text_of(member)))
    if is_array(value):
        return tuple(text_of(item) for item in value if item is not None)
    return (text_of(value),)


def _members(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, member) for key, member in value.items() if member is not None)


def _exploded(value: Mapping[str, Any]) -> Iterator[Pair]:
    """Each member as a parameter of its own, so that an array in one repeats its key."""
    for key, member in _members(value):
        if is_array(member):
            yield from (Pair(key, (text,)) for text in _flat(member))
        else:
            yield Pair(key, (text_of(member),))


def _deep(name: str, value: Any, arrays: ArrayFormat) -> Iterator[Pair]:
    """`a[b][c]=…`; the standard defines one level of scalars only.

    An array is written as `arrays` says, but counts where its items are nested themselves:
    nothing else would keep their members together.
    """
    if is_object(value):
        for key, member in _members(value):
            yield from _deep(f"{name}[{key}]", member, arrays)
    elif is_array(value):
        nested = any(is_object(item) or is_array(item) for item in value)
        index = 0
        for item in value:
            place = f"[{index}]" if nested else _PLACES[arrays].format(index)
            inner = list(_deep(name + place, item, arrays))
            index += bool(inner)  # what holds nothing leaves no gap
            yield from inner
    elif value is not None:
        yield Pair(name, (text_of(value),))
