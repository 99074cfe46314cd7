"""Members of a provider's JSON, which may be absent, null or of another type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..wire.values import is_array, is_object


def object_at(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object that is a member; an empty one where there is none."""
    found: object = value.get(name)
    return found if is_object(found) else {}


def objects_at(value: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects of an array that is a member."""
    found: object = value.get(name)
    items: Sequence[object] = found if is_array(found) else ()
    return [item for item in items if is_object(item)]


def text_at(value: Mapping[str, Any], name: str) -> str:
    """The text that is a member; an empty one where there is none."""
    found: object = value.get(name)
    return found if isinstance(found, str) else ""


def count_at(value: Mapping[str, Any], name: str) -> int:
    """The whole number that is a member; zero where there is none."""
    found: object = value.get(name)
    return found if isinstance(found, int) else 0
