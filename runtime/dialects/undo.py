"""The pieces that ways back are made of; a value that does not have the sent form stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..validation import Validator
from ..wire.values import is_array, is_object
from .export import Undo


def members(below: Mapping[str, Undo], left_out: frozenset[str]) -> Undo:
    """An object: nulls that stand for what was left out go, the rest is undone in place."""

    def undo(value: Any) -> Any:
        if not is_object(value):
            return value
        return {
            name: below[name](item) if name in below else item
            for name, item in value.items()
            if not (item is None and name in left_out)
        }

    return undo


def items(below: Undo) -> Undo:
    """An array: each of its items."""

    def undo(value: Any) -> Any:
        return [below(item) for item in value] if is_array(value) else value

    return undo


def entries(below: Undo | None) -> Undo:
    """A list of keys and values: the object it stands for."""

    def undo(value: Any) -> Any:
        if not is_array(value) or not all(_is_entry(item) for item in value):
            return value
        if len({item["key"] for item in value}) < len(value):
            return value  # no object has a key twice
        return {
            item["key"]: below(item["value"]) if below is not None else item["value"]
            for item in value
        }

    return undo


def _is_entry(item: object) -> bool:
    return is_object(item) and set(item) == {"key", "value"} and isinstance(item["key"], str)


@dataclass(frozen=True)
class Branch:
    """One alternative as it was sent, and its way back."""

    schema: Mapping[str, Any]
    undo: Undo | None

    @cached_property
    def _known(self) -> dict[str, Validator]:
        return {}

    def fits(self, value: object, definitions: Mapping[str, Any]) -> bool:
        """Whether a value answers this alternative."""
        if "it" not in self._known:
            self._known["it"] = Validator({**self.schema, "$defs": definitions})
        return not self._known["it"].problems(value)


def branches(found: Sequence[Branch], definitions: Mapping[str, Any]) -> Undo | None:
    """Alternatives: the way back of the first that the value fits."""
    if all(branch.undo is None for branch in found):
        return None

    def undo(value: Any) -> Any:
        for branch in found:
            if branch.fits(value, definitions):
                return value if branch.undo is None else branch.undo(value)
        return value

    return undo
