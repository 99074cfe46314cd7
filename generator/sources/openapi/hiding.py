"""Members that one direction hides: `readOnly` from requests, `writeOnly` from results."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from ...plain import as_array, as_object
from ...pointers import Place
from .references import BrokenReference, References, Target

Direction: TypeAlias = Literal["input", "output"]

_KEYWORDS: dict[Direction, str] = {"input": "readOnly", "output": "writeOnly"}


class Hiding:
    """Answers for one direction, through `$ref` and `allOf`, however long their chains are."""

    def __init__(self, references: References, direction: Direction) -> None:
        self._references = references
        self._keyword = _KEYWORDS[direction]

    def hides(self, schema: Any, place: Place) -> bool:
        """Whether a member with this schema does not travel in this direction."""
        described = as_object(schema)
        if "$ref" not in described and "allOf" not in described:  # as most are
            return described.get(self._keyword) is True
        waiting, met = [(schema, place)], set[str]()
        while waiting:
            node, at = waiting.pop()
            described = as_object(node)
            own = described.get(self._keyword)
            if own is True:
                return True
            if own is None:
                waiting.extend(self._parts(described, at, met))
        return False

    def names(self, schema: Any, place: Place) -> frozenset[str]:
        """Names of the members that an object with this schema hides."""
        names, waiting, met = set[str](), [(schema, place)], set[str]()
        while waiting:
            node, at = waiting.pop()
            described = as_object(node)
            names.update(self._own_names(described, at))
            waiting.extend(self._parts(described, at, met))
        return frozenset(names)

    def _own_names(self, described: Mapping[str, Any], place: Place) -> Iterator[str]:
        for name, member in as_object(described.get("properties")).items():
            if self.hides(member, place):
                yield name

    def _parts(
        self, described: Mapping[str, Any], place: Place, met: set[str]
    ) -> Iterator[tuple[Any, Place]]:
        """What a schema is composed of: its branches, and its target if that is not met yet."""
        target = self._target(described, place)
        if target is not None and target.pointer not in met:
            met.add(target.pointer)
            yield target.value, target.pointer
        for branch in as_array(described.get("allOf")):
            yield branch, place

    def _target(self, schema: Mapping[str, Any], place: Place) -> Target | None:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return None
        try:
            return self._references.resolve(reference, place)
        except BrokenReference:
            return None
