"""Anthropic: tools of the Messages API.

From "Define tools", "Strict tool use", "JSON Schema limitations" and "Schema complexity limits"
of the documentation, and what the API answers to a schema that it refuses.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .walk import invalid, is_node, recursive, schemas, types

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
ARGUMENT = re.compile(r"^[a-zA-Z0-9_.-]{1,64}$")
_STRICT_KEYWORDS = """
$defs $ref additionalProperties allOf anyOf const default description enum format items
minItems pattern properties required title type
"""
STRICT_KEYWORDS = set(_STRICT_KEYWORDS.split())
_FORMATS = "date-time time date duration email hostname uri ipv4 ipv6 uuid"
FORMATS = set(_FORMATS.split())
REFUSED_IN_PATTERNS = re.compile(r"\(\?|\\[bB1-9]|\{\d{3,}")


def violations(payload: Sequence[Mapping[str, Any]], *, whole_request: bool) -> list[str]:
    """Every rule that the tools break; `whole_request` adds those about all of them."""
    found = [line for tool in payload for line in _tool(tool)]
    if whole_request:
        names = [tool["name"] for tool in payload]
        if len(set(names)) < len(names):
            found.append("a name is used twice")
        found += _budget([tool["input_schema"] for tool in payload if tool.get("strict")])
    return found


def _tool(tool: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    if unknown := set(tool) - {"name", "description", "input_schema", "strict"}:
        found.append(f"has members {sorted(unknown)}")
    if not NAME.match(tool["name"]):
        found.append("the name is refused")
    schema = tool["input_schema"]
    if schema.get("type") != "object":
        found.append("the top is no object")
    if top := {"oneOf", "anyOf", "allOf"} & set(schema):
        found.append(f"the top has {sorted(top)}")
    for name in schema.get("properties", {}):
        if not ARGUMENT.match(name):
            found.append(f"the argument {name!r} is refused")
    found += invalid(schema)
    found += _strict(schema) if tool.get("strict") else []
    return [f"{tool['name']}: {line}" for line in found]


def _strict(schema: Mapping[str, Any]) -> list[str]:
    found = [f"{name} is recursive" for name in recursive(schema, through_optional=True)]
    for place, node in schemas(schema):
        if not is_node(node):
            if not place.endswith("/additionalProperties") or node is not False:
                found.append(f"{place}: is {node}")
            continue
        found += [f"{place}: {line}" for line in _strict_node(node)]
    return found


def _strict_node(node: Mapping[str, Any]) -> list[str]:
    found = [f"says {keyword}" for keyword in set(node) - STRICT_KEYWORDS]
    if "object" in types(node) and node.get("additionalProperties") is not False:
        found.append("is not closed")
    if node.get("minItems", 0) > 1:
        found.append("asks for more than one item")
    if "format" in node and node["format"] not in FORMATS:
        found.append(f"has the format {node['format']}")
    if REFUSED_IN_PATTERNS.search(node.get("pattern", "")):
        found.append(f"has the pattern {node['pattern']}")
    if any(isinstance(value, dict | list) for value in node.get("enum", ())):
        found.append("has an enum of objects or arrays")
    if any("$ref" in child for child in node.get("allOf", ())):
        found.append("has allOf with $ref")
    return found


def _budget(strict: Sequence[Mapping[str, Any]]) -> list[str]:
    nodes = [node for schema in strict for _, node in schemas(schema) if is_node(node)]
    optional = sum(len(set(n.get("properties", ())) - set(n.get("required", ()))) for n in nodes)
    unions = sum("anyOf" in node or len(types(node)) > 1 for node in nodes)
    return [
        f"{amount} {what}, more than {most}"
        for amount, most, what in (
            (len(strict), 20, "strict tools"),
            (optional, 24, "optional parameters of strict tools"),
            (unions, 16, "unions in strict tools"),
        )
        if amount > most
    ]
