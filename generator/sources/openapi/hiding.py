"""Members that one direction hides: `readOnly` from requests, `writeOnly` from results."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from ...plain import as_array, as_object
from ...pointers import Place
from .references import BrokenReference, References, Target

Direction: TypeAlias = Literal["input", "output"]

_KEYWORDS: dict[Direction, str] = {"input": "readOnly", "output": "writeOnly"}
_DEEPEST = 50


class Hiding:
    """Answers for one direction, through `$ref` and `allOf`; each target is asked once."""

    def __init__(self, references: References, direction: Direction) -> None:
        self._references = references
        self._keyword = _KEYWORDS[direction]
        self._hidden: dict[str, bool] = {}
        self._names: dict[str, frozenset[str]] = {}

    def hides(self, schema: Any, place: Place, depth: int = 0) -> bool:
        """Whether a member with this schema does not travel in this direction."""
        described = as_object(schema)
        own = described.get(self._keyword)
        if own is not None or depth > _DEEPEST:
            return own is True
        target = self._target(described, place)
        return (target is not None and self._hides_target(target)) or any(
            self.hides(branch, place, depth + 1) for branch in as_array(described.get("allOf"))
        )

    def names(self, schema: Any, place: Place, depth: int = 0) -> Iterator[str]:
        """Names of the members that an object with this schema hides."""
        described = as_object(schema)
        if depth > _DEEPEST:
            return
        for name, member in as_object(described.get("properties")).items():
            if self.hides(member, place):
                yield name
        target = self._target(described, place)
        if target is not None:
            yield from self._names_of_target(target)
        for branch in as_array(described.get("allOf")):
            yield from self.names(branch, place, depth + 1)

    def _hides_target(self, target: Target) -> bool:
        pointer = target.pointer
        if pointer not in self._hidden:
            self._hidden[pointer] = False  # what refers to itself says nothing new
            self._hidden[pointer] = self.hides(target.value, pointer)
        return self._hidden[pointer]

    def _names_of_target(self, target: Target) -> frozenset[str]:
        pointer = target.pointer
        if pointer not in self._names:
            self._names[pointer] = frozenset()
            self._names[pointer] = frozenset(self.names(target.value, pointer))
        return self._names[pointer]

    def _target(self, schema: Mapping[str, Any], place: Place) -> Target | None:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return None
        try:
            return self._references.resolve(reference, place)
        except BrokenReference:
            return None
