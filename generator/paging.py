"""Recognises how results are paged from what a description says, and only where it is plain.

Kinds, the surest first: the extension `x-ms-pageable`; a described `Link` header (RFC 8288); a
cursor or address in the result, with the argument that takes it; a page number or an offset
beside a page's size. What is not recognised here may still be found in the answers themselves.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..runtime.edge.paging import (
    CURSORS,
    HOLDERS,
    ITEMS,
    MORE,
    OFFSET,
    PAGE,
    SIZE,
    TAKES_CURSOR,
    URLS,
)
from ..runtime.shown.closure import is_node
from .model.api import Operation
from .model.arguments import Argument, Parameter
from .model.calls import HttpCall, Paging
from .model.nodes import Schema
from .plain import is_array

EXTENSIONS = ("x-ms-pageable", "x-pageable")
Members: TypeAlias = Mapping[str, Mapping[str, Any]]

DEEPEST = 8  # references and compositions that are followed to one schema


def paging(
    operation: Operation, given: Mapping[str, Schema], results: Mapping[str, Schema]
) -> Paging | None:
    """How the pages of an operation that reads follow each other; None where nothing says so.

    `given` and `results` are the definitions that arguments and results refer to.
    """
    if not isinstance(operation.call, HttpCall):
        return None
    takes = _Takes(operation, given)
    result = _Result(operation.output_schema, results)
    by_get = operation.call.method == "GET"
    for extension in EXTENSIONS:
        if extension in operation.extensions:
            return _stated(operation.extensions[extension], result) if by_get else None
    items = result.items()
    if items is None:
        return None
    if by_get and _describes_link(operation) and takes.any_of(*PAGE, *SIZE, *TAKES_CURSOR):
        return Paging(kind="link", items=items)
    return _by_result(takes, result, items, by_get=by_get) or _by_counting(takes, items)


def _stated(stated: Any, result: "_Result") -> Paging | None:
    """AutoRest's `{nextLinkName, itemName}`; without a name for the link there is one page."""
    if not is_node(stated):
        return None
    link, items = stated.get("nextLinkName"), stated.get("itemName", "value")
    if not isinstance(link, str) or not isinstance(items, str) or not result.has(link):
        return None
    return Paging(kind="url", next=link, items=items if result.has(items) else "")


def _describes_link(operation: Operation) -> bool:
    return any(
        name.lower() == "link"
        for result in operation.results
        if result.status.startswith("2")
        for name in result.headers
    )


def _by_result(takes: "_Takes", result: "_Result", items: str, *, by_get: bool) -> Paging | None:
    """A cursor that an argument takes, or the address of the next page."""
    size = takes.any_of(*SIZE, number=True)
    cursor = takes.any_of(*TAKES_CURSOR)
    place = result.first(CURSORS, "string", "integer")
    if cursor and place:
        more = result.first(MORE, "boolean")
        return Paging(
            kind="cursor", argument=cursor, size_argument=size, next=place, more=more, items=items
        )
    address = result.first(URLS, "string") if by_get else ""
    return Paging(kind="url", size_argument=size, next=address, items=items) if address else None


def _by_counting(takes: "_Takes", items: str) -> Paging | None:
    """A page number from 1, or an offset, beside the size of a page."""
    size = takes.any_of(*SIZE, number=True)
    if not size:
        return None
    page = takes.any_of(*PAGE, number=True)
    if page and not takes.may_be_zero(page):
        return Paging(kind="page", argument=page, size_argument=size, items=items)
    offset = takes.any_of(*OFFSET, number=True)
    return (
        Paging(kind="offset", argument=offset, size_argument=size, items=items) if offset else None
    )


class _Takes:
    """The optional query parameters of an operation, by argument name."""

    def __init__(self, operation: Operation, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._found: dict[str, Argument] = {
            argument.name: argument
            for argument in operation.arguments
            if isinstance(argument.carrier, Parameter) and argument.carrier.place == "query"
        }

    def any_of(self, *names: str, number: bool = False) -> str:
        """The first of these names that is an argument (a whole number); "" for none."""
        return next((name for name in names if self._fits(name, number)), "")

    def may_be_zero(self, name: str) -> bool:
        """It counts from 0, or may: where pages begin cannot be told."""
        schema = _resolved(self._found[name].schema, self._definitions)
        return 0 in (schema.get("default"), schema.get("minimum"))

    def _fits(self, name: str, number: bool) -> bool:
        if name not in self._found:
            return False
        schema = _resolved(self._found[name].schema, self._definitions)
        return not number or "integer" in _types(schema)


class _Result:
    """What a result holds, and where."""

    def __init__(self, schema: Schema | None, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._root = _resolved(schema, definitions)
        self._inside: dict[int, Members] = {}  # by id: what was resolved stays here

    def items(self) -> str | None:
        """The dotted path of its items, "" when it is an array, None when that cannot be told."""
        if "array" in _types(self._root):
            return ""
        members = self._members(self._root)
        arrays = [name for name, member in members.items() if "array" in _types(member)]
        usual = [name for name in ITEMS if name in arrays]
        chosen = usual[:1] or (arrays if len(arrays) == 1 else [])
        return chosen[0] if chosen else None

    def has(self, path: str) -> bool:
        """Whether something is described at a dotted path."""
        return self._at(path) is not None

    def first(self, names: tuple[str, ...], *types: str) -> str:
        """The path of the first of these names, at a usual place, that has one of the types."""
        for holder in HOLDERS:
            if holder and not self.has(holder):
                continue
            for name in names:
                path = f"{holder}.{name}" if holder else name
                found = self._at(path)
                if found is not None and _types(found) & set(types):
                    return path
        return ""

    def _at(self, path: str) -> Mapping[str, Any] | None:
        members = self._members(self._root)
        if path in members:
            return members[path]
        node = self._root
        for part in path.split("."):
            inside = self._members(node)
            if part not in inside:
                return None
            node = inside[part]
        return node

    def _members(self, node: Mapping[str, Any]) -> Members:
        known = self._inside.get(id(node))
        if known is None:
            described = node.get("properties")
            properties = described.items() if is_node(described) else ()
            known = {name: _resolved(one, self._definitions) for name, one in properties}
            self._inside[id(node)] = known
        return known


def _resolved(schema: Any, definitions: Mapping[str, Schema], depth: int = 0) -> Mapping[str, Any]:
    """A schema without its references, its `allOf` and "or null" as one; {} for what is open."""
    if not is_node(schema) or depth > DEEPEST:
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _resolved(
            definitions.get(reference.removeprefix("#/$defs/")), definitions, depth + 1
        )
    parts = [_resolved(one, definitions, depth + 1) for one in schema.get("allOf", ())]
    parts += _only_form(schema, definitions, depth)
    if not parts:
        return schema
    merged: dict[str, Any] = {}
    for part in (*parts, schema):
        properties = {**merged.get("properties", {}), **part.get("properties", {})}
        merged = {**merged, **part, **({"properties": properties} if properties else {})}
    return merged


def _only_form(
    schema: Mapping[str, Any], definitions: Mapping[str, Schema], depth: int
) -> list[Mapping[str, Any]]:
    for union in ("anyOf", "oneOf"):
        forms = [form for form in schema.get(union, ()) if form != {"type": "null"}]
        if len(forms) == 1:
            return [_resolved(forms[0], definitions, depth + 1)]
    return []


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema names."""
    types = schema.get("type")
    if isinstance(types, str):
        return {types}
    return {str(one) for one in types} if is_array(types) else set()
