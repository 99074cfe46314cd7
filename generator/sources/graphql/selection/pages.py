"""Connections and other paged fields: what bounds them, and where their items are."""

from dataclasses import dataclass

from .....runtime.graphql_codec.fieldmap import PAGES, is_whole
from ..schema import Composite, Field, Input, Interface, Object, Schema, is_list, named

_ENDS = {"first": "last", "last": "first"}


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection's parts; `nodes` is None where items are only under `edges`."""

    kind: Object | Interface
    nodes: Field | None
    edges: Field | None
    edge: Object | None
    node: Composite  # what its items are


@dataclass(frozen=True, slots=True)
class Habits:
    """How a family of servers spells what the specifications leave open."""

    size: str = ""  # the argument that bounds a plain list at the root
    offset: str = ""  # the one that says where such a list begins
    aside: tuple[str, str] = ("", "")  # of types so ending, a field that has no bound of its own


def connection(schema: Schema, kind: Composite | None) -> Connection | None:
    """A type as a connection: `nodes`, or `edges { node }`, with `pageInfo` or so named.

    (GraphQL Cursor Connections Specification, 2.)
    """
    if not isinstance(kind, Object | Interface):
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
    for name in PAGES:
        found = known.get(name)
        if found is not None and is_whole(named(found.type)) and not is_list(found.type):
            return found
    return None


def other_end(field: Field, page: Input) -> str | None:
    """`last`, where `first` must make way for it, and the other way round."""
    other = _ENDS.get(page.name)
    return next((one.name for one in field.arguments if one.name == other), None)
