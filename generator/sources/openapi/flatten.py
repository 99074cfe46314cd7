"""Flattening: when an object body becomes one argument per member, and which members."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...model.nodes import Schema
from ...plain import is_object
from .definitions import PREFIX
from .keywords import ANNOTATIONS
from .schemas import SchemaReader

_DEEPEST = 30
_OBJECT = ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a flat object: the required first, in that order, then sorted."""

    schemas: Mapping[str, Schema]
    required: tuple[str, ...]


def members(reader: SchemaReader, schema: Schema) -> Members | None:
    """The members of a read object schema, or None when it is more than a flat object.

    Flat is: at least one property, and no keyword beyond type, properties, required,
    `additionalProperties: false` and annotations, after merging a top-level `allOf`.
    """
    merged = _merged(reader, schema, 0)
    if merged is None or not merged.schemas:
        return None
    names = dict.fromkeys((*merged.required, *sorted(merged.schemas)))
    return Members({name: merged.schemas.get(name, {}) for name in names}, merged.required)


def _merged(reader: SchemaReader, schema: Schema, depth: int, part: bool = False) -> Members | None:
    """The members of a schema that is whole, or a part of an `allOf`."""
    if not is_object(schema) or depth > _DEEPEST:
        return None
    parts: list[Members] = []
    rest = dict(schema)
    reference = rest.pop("$ref", None)
    if isinstance(reference, str):
        branches = [reader.definition(reference.removeprefix(PREFIX))]
    else:
        branches = []
    branches += rest.pop("allOf", [])
    for branch in branches:
        merged = _merged(reader, branch, depth + 1, part=True)
        if merged is None:
            return None
        parts.append(merged)
    own = _own(rest, part or bool(branches))
    return None if own is None else _union([*parts, own])


def _own(schema: Mapping[str, Any], composed: bool) -> Members | None:
    """The members beside `$ref` and `allOf`, where a schema may do without any of its own."""
    if not schema.keys() <= _OBJECT or schema.get("additionalProperties", False) is not False:
        return None
    named = "properties" in schema or composed
    types = schema.get("type")
    if types not in ("object", ["object"]) and (types is not None or not named):
        return None
    return Members(schema.get("properties", {}), tuple(schema.get("required", ())))


def _union(parts: list[Members]) -> Members:
    schemas: dict[str, Schema] = {}
    required: dict[str, None] = {}
    for part in parts:
        for name, schema in part.schemas.items():
            schemas[name] = _both(schemas[name], schema) if name in schemas else schema
        required.update(dict.fromkeys(part.required))
    return Members(schemas, tuple(required))


def _both(one: Schema, other: Schema) -> Schema:
    """What a value must meet that two branches describe."""
    if one == other or other in ({}, True):
        return one
    if one in ({}, True):
        return other
    return {"allOf": [one, other]}
