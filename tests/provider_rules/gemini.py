"""Gemini: function declarations with `parametersJsonSchema`.

From `FunctionDeclaration` of the API reference, and the keywords that the reference lists as
supported where the API takes a JSON Schema.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .walk import invalid, is_node, recursive, schemas

NAME = re.compile(r"^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$")
PARAMETER = re.compile(r"^[a-zA-Z_][a-zA-Z0-9_]{0,63}$")
_KEYWORDS = """
$anchor $defs $id $ref additionalProperties anyOf description enum format items maxItems
maximum minItems minimum oneOf prefixItems properties propertyOrdering required title type
"""
KEYWORDS = set(_KEYWORDS.split())


def violations(payload: Sequence[Mapping[str, Any]], *, whole_request: bool) -> list[str]:
    """Every rule that the tools break; `whole_request` adds those about all of them."""
    if any(set(tool) != {"functionDeclarations"} for tool in payload):
        return ["is no tool of function declarations"]
    declared = [item for tool in payload for item in tool["functionDeclarations"]]
    found = [line for item in declared for line in _declaration(item)]
    names = [item["name"] for item in declared]
    if whole_request and len(set(names)) < len(names):
        found.append("a name is used twice")
    return found


def _declaration(item: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    if set(item) != {"name", "description", "parametersJsonSchema"}:
        found.append(f"has members {sorted(item)}")
    if not NAME.match(item["name"]):
        found.append("the name is refused")
    schema = item["parametersJsonSchema"]
    if schema.get("type") != "object":
        found.append("the top is no object")
    for name in schema.get("properties", {}):
        if not PARAMETER.match(name):
            found.append(f"the parameter {name!r} is refused")
    found += invalid(schema)
    for name in recursive(schema, through_optional=False):
        found.append(f"{name} is recursive by what is required")
    for place, node in schemas(schema):
        if is_node(node):
            found += [f"{place}: {line}" for line in _node(node)]
    return [f"{item['name']}: {line}" for line in found]


def _node(node: Mapping[str, Any]) -> list[str]:
    found = [f"says {keyword}" for keyword in set(node) - KEYWORDS]
    if "$ref" in node and any(not keyword.startswith("$") for keyword in node):
        found.append("has more beside a $ref")
    if any(type(value) not in (str, int, float) for value in node.get("enum", ())):
        found.append("has an enum of other than strings and numbers")
    return found
