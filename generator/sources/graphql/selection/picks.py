"""A selection set as a tree of picked fields, frozen once it is chosen."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..schema import Composite, Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One selected field."""

    field: Field
    alias: str | None = None
    arguments: tuple[tuple[str, str], ...] = ()  # name → what GraphQL reads: `5`, `$id`
    below: "Picks | None" = None  # None: a leaf
    conditional: bool = False  # under @include or @skip: it may be missing

    @property
    def key(self) -> str:
        """What the result calls it."""
        return self.alias or self.field.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """What is selected of one type; `fragments` are its possible types' own."""

    type: Composite
    typename: bool = False
    fields: tuple[Pick, ...] = ()
    fragments: "tuple[Picks, ...]" = ()

    @property
    def empty(self) -> bool:
        """Whether it says nothing but a type's name."""
        return not self.fields and not any(not part.empty for part in self.fragments)


@dataclass(frozen=True, slots=True)
class Omitted:
    """A field that a caller might miss, where it would stand, and why it is not there."""

    path: str  # dotted, from the root field's type
    why: str
    by_budget: bool = False  # it can be asked for with `_fields`


def leaves(picks: Picks) -> Iterator[Pick]:
    """Every leaf in a selection."""
    for pick in picks.fields:
        if pick.below is None:
            yield pick
        else:
            yield from leaves(pick.below)
    for fragment in picks.fragments:
        yield from leaves(fragment)
