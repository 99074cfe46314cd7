"""Schemas that `allOf` combines, as one, where that is only putting members together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..shown.closure import Node, is_node, target

_MEMBERS = frozenset(("properties", "required", "type"))
_ANNOTATIONS = frozenset(("description", "title", "deprecated", "examples", "example"))
_DEEPEST = 20


def merged(node: Node, definitions: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema without its `allOf`; None where that would change what it takes.

    One branch beside annotations is that branch. Several are merged when each is an object that
    only describes members, and no member is described in two ways.
    """
    beside = {key: value for key, value in node.items() if key != "allOf"}
    if len(node["allOf"]) == 1 and not set(beside) - _ANNOTATIONS:
        only = node["allOf"][0]
        return (
            {**only, **beside}
            if is_node(only) and "$ref" not in only
            else _resolved(only, beside, definitions)
        )
    parts = _parts(node, definitions, _DEEPEST)
    if parts is None:
        return None
    whole: dict[str, Any] = {"type": "object", "properties": {}}
    required: dict[str, None] = {}
    for part in parts:
        for name, child in part.get("properties", {}).items():
            if whole["properties"].setdefault(name, child) != child:
                return None
        required |= dict.fromkeys(part.get("required", ()))
        whole |= {key: part[key] for key in ("title", "description") if key in part}
    whole |= {key: beside[key] for key in ("title", "description") if key in beside}
    return {**whole, "required": list(required)} if required else whole


def _resolved(
    only: Any, beside: Mapping[str, Any], definitions: Mapping[str, Any]
) -> dict[str, Any] | None:
    if not beside:
        return dict(only) if is_node(only) else None
    found = definitions.get(target(only) or "") if is_node(only) else None
    return {**found, **beside} if is_node(found) else None


def _parts(node: Any, definitions: Mapping[str, Any], depth: int) -> list[Node] | None:
    """The plain objects that a schema puts together, in order."""
    if not is_node(node) or depth == 0:
        return None
    name = target(node)
    if name is not None:
        if set(node) - {"$ref"} - _ANNOTATIONS:
            return None
        return _parts(definitions.get(name), definitions, depth - 1)
    own = {key: value for key, value in node.items() if key != "allOf"}
    if set(own) - _MEMBERS - _ANNOTATIONS or own.get("type", "object") != "object":
        return None
    found: list[Node] = [own]
    for child in node.get("allOf", ()):
        parts = _parts(child, definitions, depth - 1)
        if parts is None:
            return None
        found += parts
    return found
