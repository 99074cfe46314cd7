"""Members that one direction hides: `readOnly` from requests, `writeOnly` from results."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from ...plain import as_array, as_object, is_object
from ...pointers import Place
from .references import BrokenReference, References

Direction: TypeAlias = Literal["input", "output"]

_KEYWORDS: dict[Direction, str] = {"input": "readOnly", "output": "writeOnly"}
_DEEPEST = 20


class Hiding:
    """Answers for one direction, through `$ref` and `allOf`."""

    def __init__(self, references: References, direction: Direction) -> None:
        self._references = references
        self._keyword = _KEYWORDS[direction]

    def hides(self, schema: Any, place: Place, depth: int = 0) -> bool:
        """Whether a member with this schema does not travel in this direction."""
        if not is_object(schema) or depth > _DEEPEST:
            return False
        own = schema.get(self._keyword)
        if own is not None:
            return own is True
        return any(self.hides(part, at, depth + 1) for part, at in self._parts(schema, place))

    def names(self, schema: Any, place: Place, depth: int = 0) -> Iterator[str]:
        """Names of the members that an object with this schema hides."""
        if not is_object(schema) or depth > _DEEPEST:
            return
        for name, member in as_object(schema.get("properties")).items():
            if self.hides(member, place):
                yield name
        for part, at in self._parts(schema, place):
            yield from self.names(part, at, depth + 1)

    def _parts(self, schema: Mapping[str, Any], place: Place) -> Iterator[tuple[Any, Place]]:
        """What a schema is made of: the target of its `$ref`, the branches of its `allOf`."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            try:
                target = self._references.resolve(reference, place)
            except BrokenReference:
                return
            yield target.value, target.pointer
        for branch in as_array(schema.get("allOf")):
            yield branch, place
