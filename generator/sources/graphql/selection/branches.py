"""A selection while it is chosen: branches that grow, and the ledger they are paid from."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..schema import Composite, Field
from .picks import Pick, Picks

_FRAGMENT = len("... on ")
Arguments = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Twig:
    """A picked field of a branch."""

    field: Field
    arguments: Arguments = ()
    below: Branch | None = None

    def frozen(self) -> Pick | None:
        """The finished field; None for an object of which nothing is picked."""
        below = None if self.below is None else self.below.frozen()
        if below is not None and not (below.fields or below.fragments or below.typename):
            return None
        return Pick(field=self.field, arguments=self.arguments, below=below)


@dataclass(slots=True)
class Branch:
    """What is picked of one type so far, printed with this indentation."""

    kind: Composite
    indent: int
    place: str  # dotted path from the root field's type
    path: frozenset[str]  # the types above it and its own
    level: int
    typename: bool = False
    twigs: list[Twig] = field(default_factory=list[Twig])
    fragments: list[Branch] = field(default_factory=list["Branch"])

    def has(self, name: str) -> bool:
        """Whether a field is picked already."""
        return any(twig.field.name == name for twig in self.twigs)

    def at(self, name: str) -> str:
        """The place of a field in it."""
        return f"{self.place}.{name}" if self.place else name

    @property
    def says_something(self) -> bool:
        """Whether it holds more than type names."""
        return any(
            twig.below is None or twig.below.typename or twig.below.says_something
            for twig in self.twigs
        ) or any(fragment.says_something for fragment in self.fragments)

    @property
    def leaves(self) -> int:
        """How many leaves it holds."""
        own = sum(1 if twig.below is None else twig.below.leaves for twig in self.twigs)
        return own + sum(fragment.leaves for fragment in self.fragments)

    @property
    def bytes(self) -> int:
        """About how long it prints, with its closing line."""
        lines = 2 * self.indent + 1
        lines += line(self.indent + 1, "__typename") * self.typename
        for twig in self.twigs:
            lines += line(self.indent + 1, twig.field.name, twig.arguments)
            lines += twig.below.bytes + 2 if twig.below else 0
        for fragment in self.fragments:
            lines += 2 * self.indent + 5 + _FRAGMENT + len(fragment.kind.name) + fragment.bytes
        return lines

    def frozen(self) -> Picks:
        """The finished selection, without objects of which nothing is picked."""
        fragments = [one.frozen() for one in self.fragments]
        return Picks(
            type=self.kind,
            typename=self.typename,
            fields=tuple(pick for twig in self.twigs if (pick := twig.frozen()) is not None),
            fragments=tuple(one for one in fragments if one.fields or one.fragments),
        )


def line(indent: int, name: str, arguments: Arguments = ()) -> int:
    """The bytes of a printed line with one field."""
    given = sum(len(key) + len(value) + 4 for key, value in arguments)
    return 2 * indent + len(name) + given + 1


@dataclass(slots=True)
class Ledger:
    """What is left of a budget."""

    leaves: int
    bytes: int

    def pays(self, leaves: int, size: int) -> bool:
        """Take it when there is enough."""
        if leaves > self.leaves or size > self.bytes:
            return False
        self.leaves -= leaves
        self.bytes -= size
        return True
