"""Measures what a model is sent: a token is four bytes of compact JSON."""

import json
from collections.abc import Mapping
from typing import Any

BYTES_PER_TOKEN = 4
_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def size(value: Any) -> int:
    """The bytes of a value as compact JSON in UTF-8."""
    text = _compact(value)
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def tokens(value: Any) -> int:
    """The tokens of a value, rounded up."""
    return -(-size(value) // BYTES_PER_TOKEN)


def definition(name: str, description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """A tool as a provider is sent it; what `Tool.tokens` and `schema_tokens` measure."""
    return {"name": name, "description": description, "input_schema": schema}
