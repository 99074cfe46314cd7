"""OpenAPI 3.0's `nullable: true` in the words of JSON Schema 2020-12."""

from typing import Any

from ...plain import is_object
from .keywords import ANNOTATIONS

NULL = {"type": "null"}

_COMPOSING = ("$ref", "allOf", "anyOf", "oneOf", "not", "if")


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """The read schema with null allowed, also where an enumeration forgot to name it.

    By the letter of 3.0.3 null would be refused beside such an `enum` or `allOf`; every
    real service that writes `nullable` there means that null is allowed.
    """
    if any(keyword in schema for keyword in _COMPOSING):
        return _beside_null(schema)
    out = dict(schema)
    types = out.get("type")
    if isinstance(types, str):
        out["type"] = types if types == "null" else [types, "null"]
    elif types is not None and "null" not in types:
        out["type"] = [*types, "null"]
    if "enum" in out and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]
    if out.get("const") is not None:
        out["enum"] = [out.pop("const"), None]
    return out


def _beside_null(schema: dict[str, Any]) -> dict[str, Any]:
    outer = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    inner = {key: value for key, value in schema.items() if key not in ANNOTATIONS}
    if list(inner) == ["allOf"] and len(inner["allOf"]) == 1 and is_object(inner["allOf"][0]):
        inner = dict(inner["allOf"][0])
    if set(inner) <= {"anyOf", "discriminator"} and "anyOf" in inner:
        branches = list(inner["anyOf"])
        if NULL in branches:
            return schema
        return {**inner, "anyOf": [*branches, NULL], **outer}
    return {"anyOf": [inner, NULL], **outer}
