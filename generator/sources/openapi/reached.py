"""Which operations reach which of the parts that they share: parameters, schemas, schemes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Part: TypeAlias = tuple[str, str]
"""Something that operations share: its kind and its name among those."""


class Reached:
    """What uses which part, directly."""

    def __init__(self) -> None:
        self._parts: dict[str | Part, set[Part]] = {}

    def add(self, reader: str | Part, part: Part) -> None:
        """`reader`, an operation's key or another part, uses a part."""
        self._parts.setdefault(reader, set()).add(part)

    def owners(
        self, operations: Sequence[str], parts: Iterable[Part]
    ) -> Mapping[Part, tuple[str, ...]]:
        """The operations that reach each part, directly or through others, in their order."""
        wanted = list(parts)
        if not wanted:
            return {}
        masks = self._masks(operations)
        return {
            part: tuple(
                operation
                for number, operation in enumerate(operations)
                if masks.get(part, 0) >> number & 1
            )
            for part in wanted
        }

    def _masks(self, operations: Sequence[str]) -> dict[Part, int]:
        """Part → the operations that reach it, each one bit: parts refer to each other in rings."""
        masks: dict[Part, int] = {}
        waiting: dict[str | Part, int] = {
            operation: 1 << number for number, operation in enumerate(operations)
        }
        while waiting:
            reader, mask = waiting.popitem()
            for part in self._parts.get(reader, ()):
                known = masks.get(part, 0)
                if mask & ~known:
                    masks[part] = waiting[part] = known | mask
        return masks
