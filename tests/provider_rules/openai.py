"""OpenAI: functions of Chat Completions.

From the function calling guide, "Supported schemas" of the structured outputs guide, the API
reference (`FunctionObject`), and what the API answers to a schema that it refuses.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .walk import invalid, is_node, schemas, types

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
_STRICT_KEYWORDS = """
$defs $ref additionalProperties anyOf const description enum exclusiveMaximum exclusiveMinimum
format items maxItems maximum minItems minimum multipleOf pattern properties required title
type
"""
STRICT_KEYWORDS = set(_STRICT_KEYWORDS.split())
_FORMATS = "date-time time date duration email hostname ipv4 ipv6 uuid"
FORMATS = set(_FORMATS.split())


def violations(payload: Sequence[Mapping[str, Any]], *, whole_request: bool) -> list[str]:
    """Every rule that the tools break; `whole_request` adds those about all of them."""
    found = [line for tool in payload for line in _tool(tool)]
    if whole_request:
        names = [tool["function"]["name"] for tool in payload]
        if len(payload) > 128:
            found.append(f"{len(payload)} tools, more than 128")
        if len(set(names)) < len(names):
            found.append("a name is used twice")
    return found


def _tool(tool: Mapping[str, Any]) -> list[str]:
    if set(tool) != {"type", "function"} or tool["type"] != "function":
        return [f"has members {sorted(tool)}"]
    function = tool["function"]
    found: list[str] = []
    if unknown := set(function) - {"name", "description", "parameters", "strict"}:
        found.append(f"has members {sorted(unknown)}")
    if not NAME.match(function["name"]):
        found.append("the name is refused")
    if len(function["description"]) > 1024:
        found.append("the description is too long")
    schema = function["parameters"]
    if schema.get("type") != "object":
        found.append("the top is no object")
    if top := {"oneOf", "anyOf", "allOf", "enum", "not"} & set(schema):
        found.append(f"the top has {sorted(top)}")
    for place, node in schemas(schema):
        if is_node(node) and "array" in types(node) and "items" not in node:
            found.append(f"{place}: an array without items")
    found += invalid(schema)
    found += _strict(schema) if function.get("strict") else []
    return [f"{function['name']}: {line}" for line in found]


def _strict(schema: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    properties = values = characters = 0
    for place, node in schemas(schema):
        if not is_node(node):
            if not place.endswith("/additionalProperties") or node is not False:
                found.append(f"{place}: is {node}")
            continue
        found += [f"{place}: {line}" for line in _strict_node(node)]
        properties += len(node.get("properties", ()))
        values += len(node.get("enum", ()))
        named = [*node.get("properties", ()), *node.get("$defs", ())]
        characters += sum(map(len, named)) + sum(len(str(v)) for v in node.get("enum", ()))
        enum = [str(value) for value in node.get("enum", ())]
        if len(enum) > 250 and sum(map(len, enum)) > 15_000:
            found.append(f"{place}: an enum that is too long")
    for amount, most, what in (
        (properties, 5000, "properties"),
        (values, 1000, "enum values"),
        (characters, 120_000, "characters"),
        (_levels(schema, schema), 10, "levels"),
    ):
        if amount > most:
            found.append(f"{amount} {what}, more than {most}")
    return found


def _strict_node(node: Mapping[str, Any]) -> list[str]:
    found = [f"says {keyword}" for keyword in set(node) - STRICT_KEYWORDS]
    if "$ref" in node:
        return [*found, *([] if set(node) == {"$ref"} else ["has more beside a $ref"])]
    if "type" not in node and "anyOf" not in node:
        found.append("has neither type nor anyOf")
    if "object" in types(node):
        if node.get("additionalProperties") is not False:
            found.append("is not closed")
        if set(node.get("required", ())) != set(node.get("properties", ())):
            found.append("does not require all its properties")
    if "format" in node and node["format"] not in FORMATS:
        found.append(f"has the format {node['format']}")
    if any(isinstance(value, dict | list) for value in node.get("enum", ())):
        found.append(f"has an enum of {json.dumps(node['enum'])[:40]}")
    return found


def _levels(node: Any, root: Mapping[str, Any], above: tuple[str, ...] = ()) -> int:
    if not is_node(node):
        return 0
    name = node.get("$ref", "").removeprefix("#/$defs/")
    if name:
        return 0 if name in above else _levels(root["$defs"][name], root, (*above, name))
    below = [*node.get("properties", {}).values(), *node.get("anyOf", ()), node.get("items")]
    return ("properties" in node) + max(_levels(child, root, above) for child in below)
