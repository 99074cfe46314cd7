"""Tools for Anthropic's Messages API.

Sources: "Define tools", "Strict tool use" and "JSON Schema limitations" of the documentation.
Arguments have names of `[a-zA-Z0-9_.-]`, and there are no alternatives at the top. Strict tools
are compiled to a grammar, and one request holds 20 of them with 24 optional parameters and 16
of several types together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..shown.closure import Node, children
from ..shown.ours import without
from .export import Changes, Described, Export, Undo, consequential_first, then
from .names import ANTHROPIC_ARGUMENT, back, renamed, taken
from .root import as_object
from .strict import CannotBeStrict, Rules, lower

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FORMATS = "date-time time date duration email hostname uri ipv4 ipv6 uuid"
_RULES = Rules(
    narrowing=frozenset(("pattern", "minItems")),
    formats=frozenset(_FORMATS.split()),
    optional=True,
    recursion=False,
    least_items=1,
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What strict tools take of a request's budget."""

    tools: int
    optional: int
    unions: int

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.tools + other.tools,
            self.optional + other.optional,
            self.unions + other.unions,
        )

    def within(self, most: Cost) -> bool:
        """Whether it fits."""
        return (
            self.tools <= most.tools
            and self.optional <= most.optional
            and self.unions <= most.unions
        )


BUDGET = Cost(tools=20, optional=24, unions=16)


def export(tools: Sequence[Described], *, strict: bool) -> Export:
    """The tools; with `strict`, those that fit the budget, writes first."""
    changes = Changes()
    sent = taken((tool.name for tool in tools), _NAME, 64)
    plain = {tool.name: _plain(tool, changes) for tool in tools}
    chosen = _strict(tools, plain, changes) if strict else {}
    payload: list[dict[str, Any]] = []
    undo: dict[str, Undo] = {}
    for tool in tools:
        if sent[tool.name] != tool.name:
            changes.add(tool.name, f"is called {sent[tool.name]}")
        schema, way_back = plain[tool.name]
        told: dict[str, Any] = {"name": sent[tool.name], "description": tool.description}
        if tool.name in chosen:
            schema, first = chosen[tool.name]
            way_back = then(first, way_back)
            told["strict"] = True
        payload.append({**told, "input_schema": schema})
        if way_back is not None:
            undo[tool.name] = way_back
    return Export(payload, changes.all(), sent, undo)


def _plain(tool: Described, changes: Changes) -> tuple[dict[str, Any], Undo | None]:
    schema, unwrap = as_object(tool.advertised_schema)
    if unwrap is not None:
        changes.add(tool.name, "the whole input is one argument, since it is no plain object")
    schema, moved = renamed(schema, ANTHROPIC_ARGUMENT)
    for name, other in moved.items():
        changes.add(tool.name, f"the argument {name} is called {other}")
    return schema, then(back(moved), unwrap)


def _strict(
    tools: Sequence[Described],
    plain: dict[str, tuple[dict[str, Any], Undo | None]],
    changes: Changes,
) -> dict[str, tuple[dict[str, Any], Undo | None]]:
    """The strict schemas of the tools that the budget reaches for.

    What a write is asked to do goes before what may be asked of its result.
    """
    chosen: dict[str, tuple[dict[str, Any], Undo | None]] = {}
    spent = Cost(0, 0, 0)
    for tool in consequential_first(tools):
        tried = Changes()
        try:
            schema = _of_its_own(tool, plain[tool.name][0], tried)
            lowered, undo = lower(schema, _RULES, tool.name, tried)
        except CannotBeStrict as error:
            changes.add(tool.name, f"not strict: {error.pointer or 'the input'} {error.reason}")
            continue
        after = spent + cost(lowered)
        if not after.within(BUDGET):
            changes.add(tool.name, "not strict: the budget of a request is spent")
            continue
        spent = after
        chosen[tool.name] = lowered, undo
        changes.extend(tried)
    return chosen


def _of_its_own(tool: Described, schema: Node, changes: Changes) -> Node:
    """A write's schema without arguments of ours, each of which is an optional one."""
    if tool.effects.pure:
        return schema
    own = without(schema)
    for name in schema.get("properties", {}):
        if name not in own["properties"]:
            changes.add(tool.name, f"{name} is left out: strict writes keep to their own arguments")
    return own


def cost(schema: Node) -> Cost:
    """What one strict schema takes of the budget."""
    nodes = list(_nodes(schema))
    optional = sum(
        len(node.get("properties", ())) - len(node.get("required", ())) for node in nodes
    )
    unions = sum("anyOf" in node or not isinstance(node.get("type", ""), str) for node in nodes)
    return Cost(1, optional, unions)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for _, child in children(node):
        yield from _nodes(child)
