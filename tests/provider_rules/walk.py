"""A walk over the places where a schema stands, independent of the runtime's own."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from jsonschema_rs import Draft202012Validator, ValidationError, meta

MAPS = ("$defs", "dependentSchemas", "patternProperties", "properties")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
ONES = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)


def is_node(schema: object) -> TypeGuard[dict[str, Any]]:
    """Whether it is a schema with keywords."""
    return isinstance(schema, dict)


def schemas(schema: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema in a schema, boolean ones too, with its place."""
    yield place, schema
    if not is_node(schema):
        return
    for keyword in MAPS:
        for name, child in schema.get(keyword, {}).items():
            yield from schemas(child, f"{place}/{keyword}/{name}")
    for keyword in LISTS:
        for index, child in enumerate(schema.get(keyword, ())):
            yield from schemas(child, f"{place}/{keyword}/{index}")
    for keyword in ONES:
        if keyword in schema:
            yield from schemas(schema[keyword], f"{place}/{keyword}")


def invalid(schema: Mapping[str, Any]) -> list[str]:
    """Why it is no JSON Schema 2020-12, or does not compile: a reference may lead nowhere."""
    try:
        meta.validate({**schema, "$schema": "https://json-schema.org/draft/2020-12/schema"})
        Draft202012Validator(dict(schema))
    except (ValueError, ValidationError) as error:
        return [f"is no valid schema: {str(error)[:200]}"]
    return []


def types(node: Mapping[str, Any]) -> list[str]:
    """The types that a schema states."""
    stated = node.get("type", [])
    return [stated] if isinstance(stated, str) else list(stated)


def recursive(schema: Mapping[str, Any], *, through_optional: bool) -> list[str]:
    """Definitions that reach themselves; on request only where no optional member lies between."""
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    edges = {
        name: set(_references(child, through_optional=through_optional))
        for name, child in definitions.items()
    }
    found: list[str] = []
    for name, direct in edges.items():
        seen: set[str] = set()
        waiting = list(direct)
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += edges.get(other, ())
        if name in seen:
            found.append(name)
    return found


def _references(node: Any, *, through_optional: bool) -> Iterator[str]:
    if not is_node(node):
        return
    if "$ref" in node:
        yield node["$ref"].removeprefix("#/$defs/")
    required = node.get("required", ())
    for name, child in node.get("properties", {}).items():
        if through_optional or name in required:
            yield from _references(child, through_optional=through_optional)
    for keyword in LISTS:
        for child in node.get(keyword, ()):
            yield from _references(child, through_optional=through_optional)
    for keyword in ("items", "additionalProperties"):
        yield from _references(node.get(keyword), through_optional=through_optional)
