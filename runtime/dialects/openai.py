"""Tools for OpenAI, and for servers that speak its API: functions of Chat Completions.

Sources: the function calling guide and "Supported schemas" of the structured outputs guide. A
function's schema is an object at the top without alternatives beside it. With `strict` every
object is closed and asks for all its members; what was optional may be null instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..shown.closure import Node, children, is_node, target
from ..shown.sentences import cut
from .export import Change, Changes, Described, Export, Undo, then
from .names import taken
from .root import as_object
from .strict import CannotBeStrict, Rules, lower

MOST_TOOLS = 128
LONGEST_DESCRIPTION = 1024  # characters, of a function

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NARROWING = """
exclusiveMaximum exclusiveMinimum maxItems maximum minItems minimum multipleOf pattern
"""
_RULES = Rules(
    narrowing=frozenset(_NARROWING.split()),
    formats=frozenset(
        ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
    ),
    optional=False,
    recursion=True,
)
_MOST_PROPERTIES = 5000
_DEEPEST = 10
_MOST_CHARACTERS = 120_000  # of names, enum and const values
_MOST_VALUES = 1000  # of all enums
_LONG_ENUM, _LONG_ENUM_CHARACTERS = 250, 15_000
_MOST_NULLS = 20  # a call that spells out more than these is worse than one that may be wrong


def export(tools: Sequence[Described], *, strict: bool) -> Export:
    """The tools as functions; with `strict`, those that can be without a loss are so."""
    changes = Changes()
    sent = taken((tool.name for tool in tools), _NAME, 64)
    payload: list[dict[str, Any]] = []
    undo: dict[str, Undo] = {}
    for tool in tools:
        if sent[tool.name] != tool.name:
            changes.add(tool.name, f"is called {sent[tool.name]}")
        function, back = _function(tool, changes, strict=strict)
        payload.append({"type": "function", "function": {"name": sent[tool.name], **function}})
        if back is not None:
            undo[tool.name] = back
    found = changes.all()
    if len(tools) > MOST_TOOLS:
        found = (Change("", f"{len(tools)} tools: a request takes {MOST_TOOLS}"), *found)
    return Export(payload, found, sent, undo)


def flat(payload: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same functions as the Responses API has them."""
    return [{"type": "function", **tool["function"]} for tool in payload]


def _function(
    tool: Described, changes: Changes, *, strict: bool
) -> tuple[dict[str, Any], Undo | None]:
    description = cut(tool.description, LONGEST_DESCRIPTION)
    if description != tool.description:
        changes.add(tool.name, f"the description is cut to {LONGEST_DESCRIPTION} characters")
    schema, unwrap = as_object(tool.advertised_schema)
    if unwrap is not None:
        changes.add(tool.name, "the whole input is one argument, since it is no plain object")
    lowered = _strict(tool.name, schema, changes) if strict else None
    if lowered is None:
        parameters = _with_items(schema, tool.name, changes, "")
        return {"description": description, "parameters": parameters, "strict": False}, unwrap
    parameters, undo = lowered
    function = {"description": description, "parameters": parameters, "strict": True}
    return function, then(undo, unwrap)


def _strict(
    name: str, schema: dict[str, Any], changes: Changes
) -> tuple[dict[str, Any], Undo | None] | None:
    """The strict schema, or None, and why, where there is none."""
    tried = Changes()
    try:
        lowered, undo = lower(schema, _RULES, name, tried)
        _require_within_limits(lowered)
    except CannotBeStrict as error:
        changes.add(name, f"not strict: {error.pointer or 'the input'} {error.reason}")
        return None
    changes.extend(tried)
    return lowered, undo


def _require_within_limits(schema: dict[str, Any]) -> None:
    nodes = list(_nodes(schema))
    enums = [node["enum"] for node in nodes if "enum" in node]
    names = [name for node in nodes for name in node.get("properties", ())]
    texts = [*names, *schema.get("$defs", ()), *(str(v) for enum in enums for v in enum)]
    nulls = sum(_may_be_left_out(child) for node in nodes for child in _members(node))
    for amount, most, what in (
        (len(names), _MOST_PROPERTIES, "members"),
        (sum(map(len, enums)), _MOST_VALUES, "enum values"),
        (sum(map(len, texts)), _MOST_CHARACTERS, "characters of names and values"),
        (_depth(schema, schema.get("$defs", {}), ()), _DEEPEST, "levels of objects"),
        (nulls, _MOST_NULLS, "arguments that may be null, each to be spelled out"),
    ):
        if amount > most:
            raise CannotBeStrict("", f"has {amount} {what}, more than {most}")
    for enum in enums:
        characters = sum(len(str(value)) for value in enum)
        if len(enum) > _LONG_ENUM and characters > _LONG_ENUM_CHARACTERS:
            raise CannotBeStrict("", f"has an enum of {characters} characters")


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for _, child in children(node):
        yield from _nodes(child)


def _members(node: Node) -> Iterator[Any]:
    yield from node.get("properties", {}).values()


def _may_be_left_out(child: Node) -> bool:
    return "null" in child.get("type", ()) or {"type": "null"} in child.get("anyOf", ())


def _depth(node: Node, definitions: Mapping[str, Any], above: tuple[str, ...]) -> int:
    """Levels of objects, each definition once on a way."""
    name = target(node)
    if name is not None:
        known = name not in above and name in definitions
        return _depth(definitions[name], definitions, (*above, name)) if known else 0
    below = [
        _depth(child, definitions, above) for path, child in children(node) if path[0] != "$defs"
    ]
    return max(below, default=0) + ("properties" in node)


def _with_items(node: Any, tool: str, changes: Changes, pointer: str) -> Any:
    """An array must say what its items are, strict or not: anything."""
    if not is_node(node):
        return node
    shown: dict[str, Any] = dict(node)
    for path, child in children(node):
        place = "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path)
        lowered = _with_items(child, tool, changes, pointer + place)
        if lowered is not child:
            _put(shown, path, lowered, node)
    kinds = node.get("type", ())
    if "array" in ([kinds] if isinstance(kinds, str) else kinds) and "items" not in node:
        changes.add(tool, "items may be anything, which must be said", pointer)
        shown["items"] = {}
    return shown if shown != node else node


def _put(shown: dict[str, Any], path: tuple[str, ...], value: Any, before: Node) -> None:
    keyword, *rest = path
    if not rest:
        shown[keyword] = value
        return
    if shown[keyword] is before[keyword]:
        shown[keyword] = before[keyword].copy()
    shown[keyword][rest[0] if is_node(shown[keyword]) else int(rest[0])] = value
