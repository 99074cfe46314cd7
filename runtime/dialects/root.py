"""What every provider asks of a whole input schema: an object, and nothing beside that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..wire.values import is_object
from .export import Undo

WRAPPER = "arguments"
_COMPOSED = ("allOf", "anyOf", "enum", "not", "oneOf")


def as_object(schema: Mapping[str, Any]) -> tuple[dict[str, Any], Undo | None]:
    """A schema of `type: object` without alternatives at the top; else one argument holds it."""
    if "$ref" not in schema and not any(keyword in schema for keyword in _COMPOSED):
        members = schema.get("properties", {})
        return {"type": "object", "properties": members, **_but(schema, "type")}, None
    wrapped: dict[str, Any] = {
        "type": "object",
        "properties": {WRAPPER: _but(schema, "$defs")},
        "required": [WRAPPER],
        "additionalProperties": False,
    }
    if "$defs" in schema:
        wrapped["$defs"] = schema["$defs"]
    return wrapped, _unwrapped


def _but(schema: Mapping[str, Any], keyword: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != keyword}


def _unwrapped(value: Any) -> Any:
    return value[WRAPPER] if is_object(value) and set(value) == {WRAPPER} else value
