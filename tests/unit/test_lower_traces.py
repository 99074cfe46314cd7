"""A value of the wrong kind leaves a trace, wherever in a description it stands."""

import json
from typing import Any

import pytest

from toolmint.generator.load import parse
from toolmint.generator.sources.openapi import lower

# ── every part of a description ─────────────────────────────────────────────────────

WHOLE: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1", "description": "d"},
    "tags": [{"name": "a", "description": "x"}],
    "servers": [
        {
            "url": "https://{h}.example",
            "description": "s",
            "variables": {"h": {"default": "a", "enum": ["a", "b"], "description": "v"}},
        }
    ],
    "security": [{"k": []}],
    "paths": {
        "/a/{id}": {
            "summary": "s",
            "servers": [{"url": "https://b.example"}],
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}],
            "get": {},
            "post": {
                "operationId": "x",
                "tags": ["a"],
                "summary": "s",
                "description": "d",
                "deprecated": False,
                "security": [{"o": ["r"]}],
                "parameters": [
                    {
                        "name": "q",
                        "in": "query",
                        "description": "d",
                        "required": True,
                        "deprecated": False,
                        "explode": True,
                        "style": "form",
                        "allowReserved": False,
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                    {
                        "name": "c",
                        "in": "query",
                        "content": {"application/json": {"schema": {"type": "object"}}},
                    },
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "multipart/form-data": {
                            "schema": {
                                "type": "object",
                                "properties": {"f": {"type": "string"}},
                                "required": ["f"],
                            },
                            "encoding": {"f": {"contentType": "text/plain", "headers": {}}},
                        }
                    },
                },
                "responses": {
                    "200": {
                        "description": "ok",
                        "headers": {},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/S"}}
                        },
                    }
                },
            },
        },
        "/b": {"get": {}},
    },
    "components": {
        "schemas": {
            "S": {
                "type": "object",
                "properties": {"n": {"type": "integer", "minimum": 1}},
                "required": ["n"],
            }
        },
        "securitySchemes": {
            "k": {"type": "apiKey", "in": "header", "name": "X-K"},
            "o": {
                "type": "oauth2",
                "flows": {"clientCredentials": {"tokenUrl": "https://t", "scopes": {"r": "R"}}},
            },
        },
    },
}
BESIDE_THE_POINT = {
    ("tags", "zzz"): "a single tag or scope may stand for a list of it",
    ("r", "zzz"): "so may a scope",
    ("k", "zzz"): "so may a scope",
    ("o", "zzz"): "so may a scope",
    ("enum", "zzz"): "so may a value",
    ("items", "[]"): "draft 7's tuple of nothing in particular",
}


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value in a document."""
    inside: list[Any] = []
    if isinstance(value, dict):
        inside = list(value.items())  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list):
        inside = list(enumerate(value))  # pyright: ignore[reportUnknownArgumentType]
    return [path, *(one for key, child in inside for one in nodes(child, (*path, key)))]


@pytest.mark.parametrize("wrong", ["zzz", [], {}, [[]], {"a": {}}], ids=json.dumps)
def test_a_value_of_the_wrong_kind_leaves_a_trace_wherever_it_stands(wrong: Any) -> None:
    assert trace(WHOLE) == 0
    silent: list[tuple[str | int, ...]] = []
    for path in nodes(WHOLE):
        document: Any = json.loads(json.dumps(WHOLE))
        holder = document
        for key in path[:-1]:
            holder = holder[key]
        if not path or path[0] == "openapi" or type(holder[path[-1]]) is type(wrong):
            continue
        holder[path[-1]] = wrong
        if not trace(document) and (str(path[-1]), json.dumps(wrong).strip('"')) not in (
            BESIDE_THE_POINT
        ):
            silent.append(path)
    assert silent == []


def trace(document: dict[str, Any]) -> int:
    """How much is told of a document."""
    api = lower(parse(json.dumps(document).encode(), file="whole.json"))
    return len(api.losses) + len(api.warnings) + len(api.left_out)
