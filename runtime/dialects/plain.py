"""Tools for what takes JSON Schema as it is: MCP, and whoever asks for the schema itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..shown.tokens import definition
from .export import Changes, Described, Export, Undo
from .names import taken
from .root import as_object

_MCP_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,128}")


def json_schema(tools: Sequence[Described]) -> Export:
    """Name, description and input schema; nothing is changed."""
    return Export([definition(t.name, t.description, t.advertised_schema) for t in tools])


def mcp(tools: Sequence[Described]) -> Export:
    """Tools of the Model Context Protocol; `inputSchema` is an object at the top."""
    changes = Changes()
    sent = taken((tool.name for tool in tools), _MCP_NAME, 128)
    undo: dict[str, Undo] = {}
    payload: list[dict[str, Any]] = []
    for tool in tools:
        schema, back = as_object(tool.advertised_schema)
        if back is not None:
            changes.add(tool.name, "the whole input is one argument, since it is no plain object")
            undo[tool.name] = back
        if sent[tool.name] != tool.name:
            changes.add(tool.name, f"is called {sent[tool.name]}")
        payload.append(_tool(tool, sent[tool.name], schema))
    return Export(payload, changes.all(), sent, undo)


def _tool(tool: Described, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    effects = tool.effects
    return {
        "name": name,
        "description": tool.description,
        "inputSchema": schema,
        "annotations": {
            "readOnlyHint": effects.read_only,
            "destructiveHint": effects.destructive,
            "idempotentHint": effects.idempotent,
            "openWorldHint": effects.open_world,
        },
    }
