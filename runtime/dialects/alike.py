"""Whether two alternatives could be sent alike and mean different things.

Maps travel as lists, and null may stand for what is left out. A value that answers both
alternatives has one way back only where that is the same for both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from ..shown.closure import Node, is_node, target
from .composed import merged
from .facts import is_map, kinds, takes_null, typed_as

_Form: TypeAlias = Literal["array", "map", "object"]
_Values: TypeAlias = set[tuple[str, str]]
"""JSON types, each with a value; with an empty text, any value of the type."""

_DEEPEST = 12  # levels below which two schemas count as alike


class Alike:
    """Compares schemas of one tool. `optional`: members may be left out as they are sent."""

    def __init__(self, definitions: Mapping[str, Any], *, optional: bool) -> None:
        self._definitions = definitions
        self._optional = optional
        self._open: list[tuple[Any, Any]] = []  # what is being compared

    def alike(self, one: Any, other: Any) -> bool:
        """Whether some value answers both, and its ways back differ."""
        if one == other or any(one is a and other is b for a, b in self._open):
            return False
        if len(self._open) == _DEEPEST:
            return True
        self._open.append((one, other))
        found = any(
            self._forms_alike(a, b)
            for a in self._alternatives(one)
            for b in self._alternatives(other)
        )
        self._open.pop()
        return found

    def _forms_alike(self, one: Node, other: Node) -> bool:
        for a in _forms(one):
            for b in _forms(other):
                match a, b:
                    case "object", "object":
                        found = self._objects_alike(one, other)
                    case "array", "array":
                        found = self.alike(one.get("items"), other.get("items"))
                    case "map", "map":
                        below = "additionalProperties"
                        found = self.alike(one[below], other[below])
                    case _:
                        found = "object" not in (a, b)  # an empty list may be an empty map
                if found:
                    return True
        return False

    def _objects_alike(self, one: Node, other: Node) -> bool:
        ours, its = _members(one), _members(other)
        if self._asked(one) - set(its) or self._asked(other) - set(ours):
            return False
        common = set(ours) & set(its)
        if any(self._differs(name, one, other) for name in common & self._asked(one)):
            return False
        return any(
            self._is_null_in_one(name, one, other) or self.alike(ours[name], its[name])
            for name in common
        )

    def _asked(self, node: Node) -> set[str]:
        """The members that every answer has."""
        return set(_required(node)) if self._optional else set(_members(node))

    def _differs(self, name: str, one: Node, other: Node) -> bool:
        """Whether a member that answers of both have has no value that both take."""
        if name not in self._asked(other):
            return False
        ours, its = self._values(name, one), self._values(name, other)
        return not any(a == b or (a[0] == b[0] and "" in (a[1], b[1])) for a in ours for b in its)

    def _values(self, name: str, node: Node) -> _Values:
        """What a member may be as it is sent."""
        found: _Values = set() if name in _required(node) else {("null", "null")}
        return found.union(*map(_sent, self._alternatives(_members(node)[name])))

    def _is_null_in_one(self, name: str, one: Node, other: Node) -> bool:
        """Whether null leaves a member out of one of two objects, and is its value in the other."""
        return not self._optional and any(
            name not in _required(left)
            and name in _required(there)
            and takes_null(_members(there)[name], self._definitions)
            for left, there in ((one, other), (other, one))
        )

    def _alternatives(self, node: Any, depth: int = _DEEPEST) -> Iterator[Node]:
        """The schemas without references and combinations that a schema stands for."""
        if not is_node(node) or depth == 0:
            return
        name = target(node)
        if name is not None:
            yield from self._alternatives(self._definitions.get(name), depth - 1)
            return
        whole = merged(node, self._definitions) or {} if "allOf" in node else node
        choices = whole.get("anyOf") or whole.get("oneOf")
        if choices is None or "properties" in whole:
            yield whole
            return
        for child in choices:
            yield from self._alternatives(typed_as(child, whole), depth - 1)


def _members(node: Node) -> Mapping[str, Any]:
    found: Mapping[str, Any] = node.get("properties", {})
    return found


def _required(node: Node) -> list[str]:
    return list(node.get("required", ()))


def _forms(node: Node) -> Iterator[_Form]:
    """The forms that a value may have, but for those that are sent as they are."""
    types = kinds(node)
    if "array" in types:
        yield "array"
    if "object" in types:
        yield "map" if is_map(node) else "object"


def _sent(node: Node) -> _Values:
    values = [node["const"]] if "const" in node else node.get("enum")
    if values is not None:
        return {(_kind(kinds({"const": value})[0]), json.dumps(value)) for value in values}
    types = ["array" if is_map(node) and kind == "object" else kind for kind in kinds(node)]
    return {(_kind(kind), "") for kind in types}


def _kind(kind: str) -> str:
    """An integer is a number."""
    return "number" if kind == "integer" else kind
