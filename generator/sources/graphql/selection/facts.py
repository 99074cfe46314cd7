"""What choosing asks of each type again and again; each answer depends on that type alone."""

from collections.abc import Callable
from typing import TypeVar

from ..schema import Composite, Field, Input, Schema, Union, is_list
from .pages import Connection, Habits, connection, page_argument
from .ranking import leaf_fields, reference_fields

T = TypeVar("T")
NO_HABITS = Habits()


class Facts:
    """A schema with its answers. No answer knows of a tool, so their order changes nothing."""

    def __init__(self, schema: Schema, habits: Habits = NO_HABITS) -> None:
        self.schema = schema
        self.habits = habits
        self._leaves: dict[str, tuple[Field, ...]] = {}
        self._names: dict[str, tuple[Field, ...]] = {}
        self._objects: dict[str, tuple[Field, ...]] = {}
        self._needy: dict[str, tuple[Field, ...]] = {}
        self._connections: dict[str, Connection | None] = {}

    def leaves(self, kind: Composite) -> tuple[Field, ...]:
        """The leaves that may be chosen, the most telling first."""
        return _once(self._leaves, kind, lambda: tuple(leaf_fields(self.schema, kind)))

    def names(self, kind: Composite) -> tuple[Field, ...]:
        """The leaves that name one of them to a reader."""
        return _once(self._names, kind, lambda: tuple(reference_fields(self.schema, kind)))

    def objects(self, kind: Composite) -> tuple[Field, ...]:
        """The fields that are objects and may be chosen."""
        aside = self.aside(kind)
        found = (one for one in _fields(kind) if one is not aside and self._is_object(one))
        return _once(self._objects, kind, lambda: tuple(found))

    def aside(self, kind: Composite) -> Field | None:
        """The field that has no bound and is left to those who ask for it."""
        ending, name = self.habits.aside
        return self.schema.fields(kind).get(name) if kind.name.endswith(ending) else None

    def needy(self, kind: Composite) -> tuple[Field, ...]:
        """The fields that need an argument which nobody gives."""
        return _once(self._needy, kind, lambda: tuple(filter(self._needs, _fields(kind))))

    def connection(self, kind: Composite) -> Connection | None:
        """The type as a connection."""
        return _once(self._connections, kind, lambda: connection(self.schema, kind))

    def items(self, kind: Composite) -> list[str]:
        """The path from a connection to its items; empty of another type."""
        found = self.connection(kind)
        if found is None:
            return []
        return ["nodes"] if found.nodes is not None else ["edges", "node"]

    def is_many(self, field: Field) -> bool:
        """Whether a field gives several objects."""
        return is_list(field.type) or self._paged(field)

    def is_bounded(self, field: Field) -> bool:
        """Whether what a field gives has an end: of a connection, by an argument."""
        return not self._paged(field) or page_argument(field) is not None

    def root_page(self, field: Field) -> Input | None:
        """The argument by which we bound a root field: of a connection, or a list by habit."""
        if self._paged(field):
            return page_argument(field)
        if not self.is_counted(field):
            return None
        return next(one for one in field.arguments if one.name == self.habits.size)

    def is_counted(self, field: Field) -> bool:
        """Whether a root field is a plain list whose pages are counted, by habit."""
        names = {one.name for one in field.arguments}
        habits = {self.habits.size, self.habits.offset}
        return bool(self.habits.size) and is_list(field.type) and habits <= names

    def page(self, field: Field) -> Input | None:
        """The argument by which we bound a field that gives several objects."""
        if not field.arguments or self.schema.composite(field.type) is None:
            return None
        return page_argument(field) if self.is_many(field) else None

    def missing(self, field: Field) -> tuple[Input, ...]:
        """The arguments a field needs that nobody gives; a page's size we give."""
        page = self.page(field)
        return tuple(one for one in field.required if one is not page)

    def _paged(self, field: Field) -> bool:
        kind = self.schema.composite(field.type)
        return kind is not None and self.connection(kind) is not None

    def _is_object(self, field: Field) -> bool:
        kind = self.schema.composite(field.type)
        return (
            kind is not None
            and field.deprecated is None
            and kind.name not in self.schema.roots
            and not self.missing(field)
        )

    def _needs(self, field: Field) -> bool:
        return field.deprecated is None and bool(self.missing(field))


def _fields(kind: Composite) -> tuple[Field, ...]:
    return () if isinstance(kind, Union) else tuple(kind.fields.values())


def _once(known: dict[str, T], kind: Composite, answer: Callable[[], T]) -> T:
    if kind.name not in known:
        known[kind.name] = answer()
    return known[kind.name]
