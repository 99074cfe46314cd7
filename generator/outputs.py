"""What the entries of a result are made of: the names and schemas of their own members."""

from collections.abc import Iterator, Mapping

from ..runtime.shown.closure import is_node, target
from .model.nodes import Schema

_DEEPEST = 12  # references, branches and lists on the way to the members
_WRAPPERS = frozenset(("data", "entries", "items", "records", "results", "rows", "value", "values"))


def fields(
    schema: Schema | None, definitions: Mapping[str, Schema], depth: int = _DEEPEST
) -> Iterator[tuple[str, Schema]]:
    """Members of the result, or of its entries: of an array, or of the array that it wraps.

    What lies deeper belongs to other things and is not told.
    """
    if schema is None or not is_node(schema) or depth == 0:
        return
    name = target(schema)
    if name is not None:
        yield from fields(definitions.get(name), definitions, depth - 1)
    yield from fields(schema.get("items"), definitions, depth - 1)
    for keyword in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(keyword, ()):
            yield from fields(branch, definitions, depth - 1)
    for member, held in schema.get("properties", {}).items():
        yield member, held
        if member.lower() in _WRAPPERS and is_node(held) and _is_list(held):
            yield from fields(held, definitions, depth - 1)


def _is_list(schema: Schema) -> bool:
    return is_node(schema) and "items" in schema
