"""Bytes as arguments and results: the object that stands for a file, and where one is meant."""

from typing import Any

from ...model.nodes import Schema
from ...plain import is_array, is_object

FILE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "data_base64": {"type": "string", "contentEncoding": "base64"},
        "content_type": {"type": "string"},
        "filename": {"type": "string"},
    },
    "required": ["data_base64"],
    "additionalProperties": False,
}
"""`{filename?, content_type?, data_base64}`: how JSON carries bytes; the wire has the bytes."""

_KEPT = ("title", "description", "deprecated")


def is_binary(schema: Schema) -> bool:
    """Whether a read schema stands for raw bytes: 3.0's `format: binary`, 3.1's media type."""
    if not is_object(schema):
        return False
    types = schema.get("type")
    textual = types == "string" or (is_array(types) and set(types) <= {"string", "null"})
    if schema.get("format") == "binary" and (textual or types is None):
        return True
    media_type = schema.get("contentMediaType")
    return (
        isinstance(media_type, str)
        and (textual or types is None)
        and "contentEncoding" not in schema
        and not media_type.startswith("text/")
        and "json" not in media_type
    )


def as_file(schema: Schema) -> dict[str, Any]:
    """The schema of the file object, with what the replaced schema said about it."""
    said = {key: schema[key] for key in _KEPT if key in schema} if is_object(schema) else {}
    if is_object(schema) and is_array(schema.get("type")):
        return {"anyOf": [FILE, {"type": "null"}], **said}
    return {**FILE, **said}
