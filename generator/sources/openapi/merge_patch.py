"""Merge patches (RFC 7396): null takes a member away, at every depth of objects."""

from typing import Any

from ...model.nodes import Schema
from ...plain import is_object
from .definitions import PREFIX
from .media_types import essence
from .nullable import nullable
from .schemas import SchemaReader

SUFFIX = "merge-patch"
_COMPOSING = ("allOf", "anyOf", "oneOf")
_OTHERS = ("additionalProperties", "unevaluatedProperties")


def is_merge_patch(media_type: str) -> bool:
    """Whether null means so under this media type."""
    return essence(media_type) == "application/merge-patch+json"


def merge_patch(reader: SchemaReader, schema: Schema) -> Schema:
    """The read schema with null for every member that may be taken away.

    What is required stays as it is; arrays do too, because a patch replaces them whole.
    """
    if not is_object(schema):
        return schema
    out: dict[str, Any] = dict(schema)
    reference = out.get("$ref")
    if isinstance(reference, str):
        name = reader.vary(
            reference.removeprefix(PREFIX), SUFFIX, lambda one: merge_patch(reader, one)
        )
        out["$ref"] = PREFIX + name
    for keyword in _COMPOSING:
        if keyword in out:
            out[keyword] = [merge_patch(reader, branch) for branch in out[keyword]]
    required = out.get("required", ())
    if "properties" in out:
        out["properties"] = {
            name: merge_patch(reader, member) if name in required else _removable(reader, member)
            for name, member in out["properties"].items()
        }
    for keyword in _OTHERS:
        if keyword in out:
            out[keyword] = _removable(reader, out[keyword])
    return out


def _removable(reader: SchemaReader, schema: Schema) -> Schema:
    patched = merge_patch(reader, schema)
    return nullable(dict(patched)) if is_object(patched) and patched else patched
