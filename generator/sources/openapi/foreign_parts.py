"""Parts of other documents taken into this one, with their references made to hold there."""

import posixpath
import re
from typing import Any

from ...plain import is_array, is_object
from ...pointers import written
from ...reading.addresses import is_url, joined
from ...reading.foreign import home_of
from .references import BrokenReference, References

_DATA = frozenset(("const", "default", "enum", "example", "examples", "x-example"))
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def brought(references: References, value: Any, pointer: str) -> tuple[Any, str]:
    """What a reference into another document names, and its pointer; anything else as it is."""
    reference = value.get("$ref") if is_object(value) else None
    if not isinstance(reference, str) or reference.startswith("#"):
        return value, pointer
    try:
        target, place = references.follow(value, pointer)
    except BrokenReference:  # told where it is read
        return value, pointer
    home = home_of(place)
    return (rebased(target, home) if home else target), written(place)


def rebased(value: Any, home: str) -> Any:
    """The value with references that mean, from the description, what they meant at home."""
    if is_array(value):
        return [rebased(one, home) for one in value]
    if not is_object(value):
        return value
    moved = {key: one if key in _DATA else rebased(one, home) for key, one in value.items()}
    if isinstance(value.get("$ref"), str):
        moved["$ref"] = _from_the_description(value["$ref"], home)
    return moved


def _from_the_description(reference: str, home: str) -> str:
    document, _, fragment = reference.partition("#")
    if not document:
        return f"{home}#{fragment}"
    if is_url(home):
        return joined(home, reference)
    if _SCHEME.match(document):
        return reference
    return f"{posixpath.join(posixpath.dirname(home), document)}#{fragment}"
