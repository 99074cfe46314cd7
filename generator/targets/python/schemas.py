"""The JSON Schemas that a package carries: one file a group, and shared definitions.

An object's keys are ranked by a rule of ours and a line holds whatever fits in it, so that
equal schemas are equal bytes and a diff shows the member that changed.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from ...mentions import reachable
from ...model.catalogue import Catalogue, Tool
from ...model.nodes import Schema
from ...visible import visible
from .graphql_types import variable_types

_WIDTH = 100
_ORDER = """$schema $id $anchor $ref $dynamicRef type title description format const enum default
    nullable deprecated readOnly writeOnly minimum maximum exclusiveMinimum exclusiveMaximum
    multipleOf minLength maxLength pattern contentEncoding contentMediaType contentSchema
    items prefixItems contains minContains maxContains minItems maxItems uniqueItems
    properties required dependentRequired additionalProperties patternProperties propertyNames
    dependentSchemas minProperties maxProperties allOf anyOf oneOf not if then else
    discriminator xml example examples"""
_RANKED = _ORDER.split()
_SCHEMA_LISTS = frozenset({"prefixItems", "allOf", "anyOf", "oneOf"})
_SCHEMA_MAPS = frozenset({"patternProperties", "dependentSchemas", "$defs", "definitions"})
_HOLDERS = """items contains additionalProperties propertyNames contentSchema not if then else
    unevaluatedItems unevaluatedProperties"""
_SCHEMAS = frozenset(_HOLDERS.split())


class _Rank(dict[str, tuple[int, str]]):
    def __missing__(self, key: str) -> tuple[int, str]:
        return self.setdefault(key, (len(_RANKED), key))


_RANK = _Rank({key: (number, "") for number, key in enumerate(_RANKED)})
_LEAF = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode
_SORTED = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "), sort_keys=True).encode


def schema_files(catalogue: Catalogue, groups: Mapping[str, Iterable[Tool]]) -> dict[str, str]:
    """Path → text of all files below `schemas/`."""
    files = {
        f"schemas/{module}.json": _file({tool.name: _tool(tool) for tool in tools})
        for module, tools in groups.items()
    }
    definitions = catalogue.api.definitions
    inputs: list[Schema] = [tool.operation.input_schema for tool in catalogue.tools]
    inputs += variable_types(catalogue)
    outputs: list[Schema | None] = [tool.operation.output_schema for tool in catalogue.tools]
    for side, known, roots in (
        ("input", definitions.input, inputs),
        ("output", definitions.output, outputs),
    ):
        reached = reachable(roots, known)
        if reached:
            entries = {name: _schema(known[name], 2) for name in sorted(reached)}
            files[f"schemas/definitions.{side}.json"] = _file(entries)
    return files


def _file(entries: Mapping[str, str]) -> str:
    if not entries:
        return "{}\n"
    body = ",\n".join(f"  {_text(name)}: {text}" for name, text in entries.items())
    return visible(f"{{\n{body}\n}}\n")


def _text(value: str) -> str:
    return _LEAF(value)


def _tool(tool: Tool) -> str:
    operation = tool.operation
    order = [argument.name for argument in operation.arguments]
    parts = [
        ("description", _text(tool.description)),
        ("input", _schema(operation.input_schema, 4, order)),
    ]
    if tool.offers:
        parts.append(("offers", _data(list(tool.offers), 4)))
    if tool.trimmed:
        parts.append(("trimmed", _data(list(tool.trimmed), 4)))
    if operation.output_schema is not None:
        parts.append(("output", _schema(operation.output_schema, 4)))
    body = ",\n".join(f'    "{name}": {text}' for name, text in parts)
    return f"{{\n{body}\n  }}"


# ── schemas, whose keys are ranked ──────────────────────────────────────────────────


def _schema(schema: Schema, indent: int, order: Collection[str] = ()) -> str:
    """A schema whose line starts at `indent`; `order` ranks its properties."""
    if isinstance(schema, bool):
        return "true" if schema else "false"
    parts: list[str] = []
    inner = indent + 2
    for key in sorted(schema, key=_RANK.__getitem__):
        value = schema[key]
        if value.__class__ is str:
            text = _LEAF(value)
        elif key == "properties":
            text = _properties(value, inner, order or schema.get("required", ()))
        elif key in _SCHEMAS:
            text = _schema(value, inner)
        elif key in _SCHEMA_LISTS:
            text = _lines([_schema(one, inner + 2) for one in value], inner, "[]")
        elif key in _SCHEMA_MAPS:
            text = _members({name: value[name] for name in sorted(value)}, inner)
        else:
            text = _data(value, inner)
        parts.append(f'"{key}": {text}' if key in _RANK_KEYS else f"{_LEAF(key)}: {text}")
    return _lines(parts, indent, "{}")


_RANK_KEYS = frozenset(_RANKED)


def _properties(properties: Mapping[str, Schema], indent: int, first: Iterable[str]) -> str:
    """Properties: those named first in that order, then the others by name."""
    names = list(dict.fromkeys(name for name in first if name in properties))
    names += sorted(properties.keys() - set(names))
    return _members({name: properties[name] for name in names}, indent)


def _members(members: Mapping[str, Schema], indent: int) -> str:
    parts = [f"{_LEAF(name)}: {_schema(schema, indent + 2)}" for name, schema in members.items()]
    return _lines(parts, indent, "{}")


def _lines(parts: list[str], indent: int, brackets: str) -> str:
    """Printed parts on one line where they fit in it, else one a line."""
    room = _WIDTH - indent - 2 * len(parts)
    if sum(map(len, parts)) <= room and not any("\n" in part for part in parts):
        return f"{brackets[0]}{', '.join(parts)}{brackets[1]}"
    margin = "\n" + " " * (indent + 2)
    return f"{brackets[0]}{margin}{f',{margin}'.join(parts)}\n{' ' * indent}{brackets[1]}"


# ── data, whose keys are sorted ─────────────────────────────────────────────────────


def _data(value: Any, indent: int) -> str:
    """Plain data such as an enum, a default or an example."""
    flat = _SORTED(value)
    if len(flat) + indent <= _WIDTH or not isinstance(value, dict | list | tuple):
        return flat
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        parts = [f"{_LEAF(key)}: {_data(members[key], indent + 2)}" for key in sorted(members)]
        return _lines(parts, indent, "{}")
    items = cast("list[Any]", value)
    return _lines([_data(one, indent + 2) for one in items], indent, "[]")
