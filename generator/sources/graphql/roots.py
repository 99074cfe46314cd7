"""Which root fields become tools: each one, or the children of one that only groups them."""

from collections.abc import Iterator
from dataclasses import dataclass

from .schema import Field, Object, RootKind, Schema, is_list, named

_DEEPEST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A root field, or a field below namespaces, that a tool is made of."""

    kind: RootKind
    key: str  # `Query.repository`, `Mutation.account.create`
    path: tuple[Field, ...]  # from the root type; the last is the tool's own

    @property
    def field(self) -> Field:
        """The field that the tool calls."""
        return self.path[-1]

    @property
    def place(self) -> str:
        """Its response path from the root."""
        return ".".join(field.name for field in self.path)

    @property
    def deprecated(self) -> str | None:
        """Why not to use it, its own reason or a namespace's."""
        return next((one.deprecated for one in self.path if one.deprecated is not None), None)


def roots(schema: Schema) -> Iterator[Root]:
    """Everything that may become a tool, sorted by kind and name."""
    kinds: tuple[tuple[RootKind, str | None, str], ...] = (
        ("query", schema.query, "Query"),
        ("mutation", schema.mutation, "Mutation"),
        ("subscription", schema.subscription, "Subscription"),
    )
    for kind, name, label in kinds:
        root = schema.types.get(name) if name else None
        if isinstance(root, Object):
            for field in sorted(root.fields.values(), key=lambda one: one.name):
                yield from _below(schema, kind, label, (field,))


def _below(schema: Schema, kind: RootKind, label: str, path: tuple[Field, ...]) -> Iterator[Root]:
    key = ".".join((label, *(field.name for field in path)))
    children = _children(schema, path) if kind != "subscription" else ()
    if not children:
        yield Root(kind=kind, key=key, path=path)
    for child in children:
        yield from _below(schema, kind, label, (*path, child))


def _children(schema: Schema, path: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields of a namespace: no arguments, no leaves, children with arguments."""
    field = path[-1]
    kind = schema.composite(field.type)
    if field.arguments or is_list(field.type) or not isinstance(kind, Object):
        return ()
    above = {*schema.roots, *(named(one.type) for one in path[:-1])}
    if len(path) >= _DEEPEST or kind.name in above:
        return ()
    fields = tuple(sorted(kind.fields.values(), key=lambda one: one.name))
    if any(schema.composite(one.type) is None and not one.arguments for one in fields):
        return ()
    if "pageInfo" in kind.fields or not any(one.arguments for one in fields):
        return ()
    return fields
