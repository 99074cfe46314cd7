"""What one JSON Schema says of its values: their JSON types, a closed set of scalars, its text."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...model.nodes import Schema
from .expressions import ANY, BOOL, FLOAT, INT, NEVER, NONE, STR, Expression, union
from .merging import STRUCTURE

SCALARS = {"string": STR, "integer": INT, "number": FLOAT, "boolean": BOOL, "null": NONE}
_JSON_TYPES = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_OBJECT = ("properties", "required", "additionalProperties", "patternProperties")


def plain_type(schema: Schema) -> Expression | None:
    """The type of a definition too simple to be a model of its own."""
    if isinstance(schema, bool):
        return ANY if schema else NEVER
    structure = {key for key in schema if key in STRUCTURE}
    if not structure:
        return ANY
    if structure != {"type"}:
        return None
    names = type_names(schema)
    if any(name in ("object", "array") for name in names):
        return None
    return union(SCALARS.get(name, ANY) for name in names)


def type_names(schema: Mapping[str, Any]) -> list[str]:
    """The JSON types of a schema; keywords that only make sense for one type imply it."""
    names = schema.get("type")
    if names is not None:
        return [names] if isinstance(names, str) else list(names)
    if any(keyword in schema for keyword in _OBJECT):
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["array"]
    return [""]


def closed_set(schema: Mapping[str, Any]) -> Sequence[object] | None:
    """The scalars of `const` or `enum` that the type allows; None where they say nothing."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not values or any(isinstance(value, dict | list) for value in values):
        return None
    names = type_names(schema)
    if names == [""]:
        return list(values)
    allowed = tuple(kind for name in names for kind in _JSON_TYPES.get(name, ()))
    fitting = [
        value
        for value in values
        if isinstance(value, allowed) and (bool in allowed or not isinstance(value, bool))
    ]
    return fitting or None


def identity(part: Schema) -> object:
    """What tells a part of a composition from others: a reference, or the very object."""
    if isinstance(part, bool):
        return part
    return part["$ref"] if set(part) == {"$ref"} else id(part)


def only_requires(branch: Schema) -> bool:
    """A branch of a union that adds no type, only which members must be there."""
    return not isinstance(branch, bool) and STRUCTURE.isdisjoint(branch.keys() - {"required"})


def is_inline_object(branch: Schema) -> bool:
    """A schema that may become a model named by where it stands."""
    return not isinstance(branch, bool) and ("properties" in branch or "items" in branch)


def said(schema: Mapping[str, Any]) -> str:
    """What a schema says of itself."""
    return str(schema.get("description") or schema.get("title") or "")
