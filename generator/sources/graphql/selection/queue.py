"""Objects that wait to be picked, the cheapest first."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from ..schema import Field, Interface, NonNull, Object, Union, named
from .branches import Branch
from .facts import Facts


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """A field that may be picked of a branch, at a cost without unit."""

    cost: int
    number: int
    branch: Branch = field(compare=False)
    field: Field = field(compare=False)


class Queue:
    """The candidates of one selection."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._waiting: list[Candidate] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, branch: Branch, declared: Field) -> None:
        """Let a field of a branch wait."""
        cost = self._cost(branch, declared)
        heapq.heappush(self._waiting, Candidate(cost, len(self._waiting), branch, declared))

    def take(self) -> Candidate:
        """The cheapest one."""
        return heapq.heappop(self._waiting)

    def _cost(self, branch: Branch, declared: Field) -> int:
        """What is deep, comes in numbers or repeats costs more; what is sure to come costs less."""
        kind = self._facts.schema.composite(declared.type)
        assert kind is not None
        connected = self._facts.connection(kind) is not None
        return (
            8 * branch.level
            + 6 * connected
            + 4 * (not connected and self._facts.is_many(declared))
            + 5 * (named(declared.type) in branch.path)
            + 3 * (not isinstance(kind, Object))
            + 2 * isinstance(branch.kind, Interface | Union)
            + (not isinstance(declared.type, NonNull))
        )
