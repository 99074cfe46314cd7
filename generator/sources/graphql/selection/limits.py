"""How much a selection may take, and what the user wishes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The budget of one tool's document."""

    leaves: int = 60
    root_leaves: int = 28  # of them at the root, where there are objects below it
    bytes: int = 2400
    depth: int = 3  # levels of objects; a connection and its edges are none
    page: int = 10
    nested_page: int = 5
    types: int = 6  # fragments on possible types


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the user says of one tool's document; empty leaves it to the budget."""

    limits: Limits = field(default_factory=Limits)
    fields: tuple[str, ...] = ()  # dotted paths: exactly these
    types: tuple[str, ...] = ()  # possible types to open
    lift: tuple[str, ...] = ()  # dotted paths of fields whose arguments become the tool's
    args: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    # ^ dotted path → fixed arguments

    @property
    def forced(self) -> frozenset[str]:
        """The paths of fields that are given arguments, and every path that leads to one."""
        found: set[str] = set()
        for path in (*self.lift, *self.args):
            parts = path.split(".")
            found.update(".".join(parts[: count + 1]) for count in range(len(parts)))
        return frozenset(found)
