"""Connections and other paged fields: what bounds them, and where their items are."""

from dataclasses import dataclass

from ..schema import Composite, Field, Input, Object, Schema, is_list, named

_FIRST = ("first", "limit", "pageSize", "perPage", "page_size", "per_page", "take", "top", "count")
_LAST = "last"


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection's parts; `nodes` is None where items are only under `edges`."""

    kind: Object
    nodes: Field | None
    edges: Field | None
    edge: Object | None
    node: Composite  # what its items are


def connection(schema: Schema, kind: Composite | None) -> Connection | None:
    """A type as a connection: `nodes`, or `edges { node }`, with `pageInfo` or so named.

    (GraphQL Cursor Connections Specification, 2.)
    """
    if not isinstance(kind, Object):
        return None
    if "pageInfo" not in kind.fields and not kind.name.endswith("Connection"):
        return None
    nodes, edges = kind.fields.get("nodes"), kind.fields.get("edges")
    edge = _edge(schema, edges)
    edges = edges if edge else None
    if nodes is not None and (not is_list(nodes.type) or nodes.required or nodes.deprecated):
        nodes = None
    items = schema.composite(nodes.type) if nodes else None
    if items is not None:
        return Connection(kind, nodes, edges, edge, items)
    if edge is None:
        return None
    node = schema.composite(edge.fields["node"].type)
    return None if node is None else Connection(kind, None, edges, edge, node)


def _edge(schema: Schema, edges: Field | None) -> Object | None:
    if edges is None or not is_list(edges.type) or edges.required:
        return None
    edge = schema.composite(edges.type)
    if not isinstance(edge, Object) or "node" not in edge.fields or edge.fields["node"].required:
        return None
    return edge


def page_argument(field: Field) -> Input | None:
    """The argument that says how many items a field gives at most."""
    known = {argument.name: argument for argument in field.arguments}
    for name in (*_FIRST, _LAST):
        found = known.get(name)
        if found is not None and named(found.type) == "Int" and not is_list(found.type):
            return found
    return None


def other_end(field: Field, page: Input) -> str | None:
    """`last`, where `first` must make way for it."""
    if page.name != "first":
        return None
    return next((one.name for one in field.arguments if one.name == _LAST), None)
