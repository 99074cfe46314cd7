"""The JSON Schema of variables, from the types that a document declares for them."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..shown.closure import close
from ..wire.values import is_array, is_object
from .fieldmap import FieldMap, named
from .nodes import EnumName, VariableNode
from .validate import InvalidDocument

_BUILT_IN: Mapping[str, Mapping[str, Any]] = {
    "ID": {"type": "string"},
    "String": {"type": "string"},
    "Int": {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
    "Float": {"type": "number"},
    "Boolean": {"type": "boolean"},
}


def input_schema(
    variables: Sequence[VariableNode], fields: FieldMap, definitions: Mapping[str, Any]
) -> dict[str, Any]:
    """The closed object that variables make. Raises InvalidDocument for an unknown type."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for one in variables:
        properties[one.name] = _with_default(one, _type(one.type, fields, definitions))
        if one.type.endswith("!") and not one.has_default:
            required.append(one.name)
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = required
    return close({**made, "additionalProperties": False}, definitions)


def _with_default(variable: VariableNode, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if not variable.has_default:
        return schema
    return {**schema, "default": _plain(variable.default)}


def _plain(value: Any) -> Any:
    if isinstance(value, EnumName):
        return value.name
    if is_array(value):
        return [_plain(item) for item in value]
    if is_object(value):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _type(kind: str, fields: FieldMap, definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    if kind.endswith("!"):
        return _value(kind[:-1], fields, definitions)
    schema = _value(kind, fields, definitions)
    kinds = schema.get("type")
    if kinds is None:
        return {"anyOf": [schema, {"type": "null"}]} if schema else schema
    return {**schema, "type": [*([kinds] if isinstance(kinds, str) else kinds), "null"]}


def _value(kind: str, fields: FieldMap, definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    if kind.startswith("["):
        return {"type": "array", "items": _type(kind[1:-1], fields, definitions)}
    if kind in _BUILT_IN:
        return _BUILT_IN[kind]
    if kind in fields.scalars:
        return fields.scalars[kind]
    if kind in definitions:
        return {"$ref": f"#/$defs/{kind}"}
    raise InvalidDocument(f"there is no input type {named(kind)!r}")
