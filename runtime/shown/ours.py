"""Arguments of ours that a tool offers beside its own: `_fields`, `_page`.

A call may bring them, and they are taken off before it is validated: an input schema never has
them. A package says for each tool which of them are advertised.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from .closure import Node

FIELDS = "_fields"
PAGE = "_page"

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    FIELDS: {
        "type": "array",
        "items": {"type": "string"},
        "description": "Return only these parts, like user.login",
    },
    PAGE: {
        "type": "object",
        "properties": {"after": {"type": "string"}, "pages": {"type": "integer"}},
        "description": "Read on, or several pages",
    },
}
"""What is advertised of each: loose and short, since a model pays for it with every tool."""
OURS = tuple(SCHEMAS)


def offering(schema: Node, offers: Iterable[str]) -> dict[str, Any]:
    """An input schema with those of ours; an argument of its own that is called so stays."""
    members: Mapping[str, Any] = schema.get("properties", {})
    ours = {name: SCHEMAS[name] for name in offers if name in SCHEMAS and name not in members}
    return {**schema, "properties": {**members, **ours}} if ours else dict(schema)


def without(schema: Node) -> Node:
    """An advertised schema without those of ours; one of its own that is called so stays."""
    members: Mapping[str, Any] = schema.get("properties", {})
    own = {name: member for name, member in members.items() if member != SCHEMAS.get(name)}
    return schema if len(own) == len(members) else {**schema, "properties": own}
