"""What can be seen of one schema: its types, whether it takes null, what it says in a few words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..shown.closure import Node, is_node, target

ANNOTATIONS = frozenset(("description", "title"))
_LONGEST_NOTE = 200  # characters


def told(node: Node, keyword: str) -> str:
    """A keyword as a few words in a description; empty when it would be long."""
    text = json.dumps(node[keyword], ensure_ascii=False, separators=(",", ":"))
    return f"{keyword}: {text}" if len(text) <= _LONGEST_NOTE else ""


def kinds(node: Node) -> list[str]:
    """The JSON types of a schema without alternatives, as far as it says; sorted only if guessed."""
    stated = node.get("type")
    if stated is not None:
        return [stated] if isinstance(stated, str) else list(stated)
    values = [node["const"]] if "const" in node else node.get("enum")
    if values:
        return sorted({_kind(value) for value in values} - {""})
    if "properties" in node or "additionalProperties" in node:
        return ["object"]
    return ["array"] if "items" in node else []


def _kind(value: object) -> str:
    return _KIND.get(type(value), "")


_KIND: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    dict: "object",
    list: "array",
}


def is_map(node: Node) -> bool:
    """Whether an object's members all have names of their own and one schema."""
    return not node.get("properties") and is_node(node.get("additionalProperties"))


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """The lowered schema, with null beside what it takes."""
    kind = schema.get("type")
    if kind is None:
        described = {key: schema[key] for key in ANNOTATIONS if key in schema}
        rest = {key: value for key, value in schema.items() if key not in described}
        choices = rest["anyOf"] if set(rest) == {"anyOf"} else [rest]
        return {"anyOf": [*choices, {"type": "null"}], **described}
    widened = {**schema, "type": [*([kind] if isinstance(kind, str) else kind), "null"]}
    if "enum" in schema:
        widened["enum"] = [*schema["enum"], None]
    return widened


def takes_null(node: Any, definitions: Mapping[str, Any], depth: int = 20) -> bool:
    """Whether null may be valid; when it cannot be told, yes."""
    if not is_node(node):
        return node is not False
    name = target(node)
    if name is not None:
        return depth == 0 or takes_null(definitions.get(name, True), definitions, depth - 1)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            return any(takes_null(child, definitions, depth) for child in node[keyword])
    if "allOf" in node:
        return all(takes_null(child, definitions, depth) for child in node["allOf"])
    types = kinds(node)
    return not types or ("null" in types and ("enum" not in node or None in node["enum"]))


def without_demands(node: Node) -> Node:
    """Alternatives that only ask for other members narrow, and say nothing new of a value."""
    choices = node.get("anyOf")
    if not choices or "properties" not in node:
        return node
    if all(is_node(child) and set(child) <= {"required", "not", "title"} for child in choices):
        return {key: value for key, value in node.items() if key != "anyOf"}
    return node


def typed_as(child: Any, parent: Node) -> Any:
    """An alternative with the type that stands beside all of them, where it says none."""
    if "type" in parent and is_node(child) and "type" not in child and "$ref" not in child:
        return {"type": parent["type"], **child}
    return child
