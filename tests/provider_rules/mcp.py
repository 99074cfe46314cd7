"""The Model Context Protocol: `Tool` of its schema, and the names it recommends."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .walk import invalid

NAME = re.compile(r"^[A-Za-z0-9_.-]{1,128}$")
HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


def violations(payload: Sequence[Mapping[str, Any]], *, whole_request: bool) -> list[str]:
    """Every rule that the tools break; `whole_request` adds those about all of them."""
    found = [line for tool in payload for line in _tool(tool)]
    names = [tool["name"] for tool in payload]
    if whole_request and len(set(names)) < len(names):
        found.append("a name is used twice")
    return found


def _tool(tool: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    if set(tool) != {"name", "description", "inputSchema", "annotations"}:
        found.append(f"has members {sorted(tool)}")
    if not NAME.match(tool["name"]):
        found.append("the name is refused")
    if tool["inputSchema"].get("type") != "object":
        found.append("the top is no object")
    if set(tool["annotations"]) - HINTS or not all(
        isinstance(value, bool) for value in tool["annotations"].values()
    ):
        found.append("has unknown hints")
    return [f"{tool['name']}: {line}" for line in [*found, *invalid(tool["inputSchema"])]]
