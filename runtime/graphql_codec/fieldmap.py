"""The committed field map of a package: which fields each type has, and what they take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

PAGES = ("first", "limit", "pageSize", "perPage", "page_size", "per_page", "take", "top", "count",
         "last")  # fmt: skip
"""Arguments that say how many items a field gives at most, the usual one first."""

_WHOLE = re.compile(r"\w*Int(?:eger)?(?:\d\d?)?|(?:big|small)?int(?:eger)?(?:\d\d?)?|[Ll]ong")


def named(kind: str) -> str:
    """The name inside all lists and non-nulls of a spelled type."""
    return kind.strip("[]!")


def is_whole(name: str) -> bool:
    """Whether a scalar is a whole number by its name: `Int`, `PositiveInt`, `bigint`."""
    return _WHOLE.fullmatch(name) is not None


def is_list(kind: str) -> bool:
    """Whether values of a spelled type are lists."""
    return kind.startswith("[")


@dataclass(frozen=True, slots=True)
class MappedField:
    """A field of the map."""

    name: str
    type: str  # as GraphQL writes it
    arguments: Mapping[str, str]  # name → type; one with a default ends in ` =`

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments that must be given."""
        return tuple(name for name, kind in self.arguments.items() if kind.endswith("!"))

    @property
    def pages(self) -> tuple[str, ...]:
        """The arguments that say how many items it gives at most, the usual one first."""
        kinds = {name: kind.removesuffix(" =") for name, kind in self.arguments.items()}
        return tuple(
            name
            for name in PAGES
            if name in kinds and not is_list(kinds[name]) and is_whole(named(kinds[name]))
        )

    @property
    def page(self) -> str | None:
        """The usual one of them."""
        return next(iter(self.pages), None)


class FieldMap:
    """What may be selected. A type that it does not list is a leaf."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._types: Mapping[str, Mapping[str, Any]] = data["types"]

    @cached_property
    def roots(self) -> Mapping[str, str]:
        """`query`, `mutation` or `subscription` → root type."""
        return dict(self._data["roots"])

    @cached_property
    def scalars(self) -> Mapping[str, Mapping[str, Any]]:
        """The JSON Schemas of custom scalars, by name."""
        return dict(self._data.get("scalars", {}))

    def is_composite(self, kind: str) -> bool:
        """Whether a type has fields, by its name or spelling."""
        return named(kind) in self._types

    def possible(self, kind: str) -> tuple[str, ...]:
        """The object types that values of a type may have."""
        entry = self._types[kind]
        return tuple(entry.get("possible", (kind,)))

    def field(self, kind: str, name: str) -> MappedField | None:
        """A field of a type; None when it has none of that name."""
        found = self._fields(kind).get(name)
        if found is None:
            return None
        if isinstance(found, str):
            return MappedField(name, found, {})
        return MappedField(name, found[0], found[1])

    def fields(self, kind: str) -> Iterator[MappedField]:
        """All fields of a type."""
        for name in self._fields(kind):
            field = self.field(kind, name)
            if field is not None:
                yield field

    def _fields(self, kind: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] | None = self._types[kind].get("fields")
        return found or {}

    def choosable(self, kind: str, place: str) -> str | None:
        """The type that has the parts of a result: at dotted keys below a root, by its kind.

        None where the result has no parts.
        """
        found = self.roots[kind]
        for key in place.split("."):
            field = self.field(found, key)
            if field is None or not self.is_composite(field.type):
                return None
            found = named(field.type)
        return found

    def is_connection(self, kind: str) -> bool:
        """Whether a type is a page of items."""
        names = set(self._fields(named(kind))) if self.is_composite(kind) else set[str]()
        return "pageInfo" in names or ("edges" in names and named(kind).endswith("Connection"))
