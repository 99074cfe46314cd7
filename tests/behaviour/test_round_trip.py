"""What a tool sends is what another's library reads by the same document, for drawn arguments.

`bench/round_trip.py` does so for thousands of real operations. What it leaves out is shown here:
for each kind a small document, the right request, and what `openapi-core` makes of it.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench import exclusions
from bench.compared import differences
from bench.exclusions import excluded
from bench.parsed import BASE, Request, parse
from bench.round_trip import described, package, prepared, trips
from tests.arguments import draw
from tests.golden.projects import FIXTURES
from toolmint.generator.load import load
from toolmint.runtime import Tool, Toolset
from toolmint.runtime.validation import Validator

DOCUMENTS = sorted(FIXTURES.glob("*/description.yaml"))


@pytest.mark.parametrize("source", DOCUMENTS, ids=lambda path: path.parent.name)
def test_requests_are_read_back_as_their_arguments(source: Path, tmp_path: Path) -> None:
    done = [trip for seed in range(5) for trip in trips(source, tmp_path, 100, seed)]
    assert [trip for trip in done if trip.verdict not in ("same", "excluded")] == []
    assert any(trip.verdict == "same" for trip in done) or source.parent.name in ("object-query",)


SCHEMA: dict[str, Any] = {
    "type": "object",
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {"leaf": {"type": "string", "pattern": "^[a-c]{2,4}-\\d+$"}},
            "additionalProperties": {"$ref": "#/$defs/Tree"},
            "required": ["leaf"],
        }
    },
    "properties": {
        "tree": {"$ref": "#/$defs/Tree"},
        "few": {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 3},
        "step": {"type": "number", "multipleOf": 0.5, "exclusiveMinimum": 1, "maximum": 3},
        "either": {"oneOf": [{"type": "boolean"}, {"type": "string", "format": "date"}]},
        "both": {"allOf": [{"minLength": 3}, {"type": "string", "maxLength": 5}]},
        "deep": {"type": ["object", "null"], "minProperties": 2},
    },
    "required": ["tree", "few", "step", "either", "both"],
    "additionalProperties": False,
}


def test_drawn_arguments_fit_and_are_the_same_for_the_same_seed() -> None:
    drawn = [draw(SCHEMA, Random(seed)) for seed in range(200)]
    validator = Validator(SCHEMA)
    assert [arguments for arguments in drawn if validator.problems(arguments)] == []
    assert drawn == [draw(SCHEMA, Random(seed)) for seed in range(200)]
    assert len({json.dumps(arguments) for arguments in drawn}) > 150


# ── what openapi-core cannot read ───────────────────────────────────────────────────


def tool_of(tmp_path: Path, path: str, operation: dict[str, Any]) -> tuple[Any, Toolset, Tool]:
    document: dict[str, Any] = {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1"},
        "servers": [{"url": BASE}],
        "paths": {path: {"post": {"operationId": "send", "responses": {}, **operation}}},
    }
    file = tmp_path / "document.json"
    file.write_text(json.dumps(document))
    tools = package(file, tmp_path)
    assert tools is not None
    return load(str(file)).data, tools, tools["send"]


def parameter(**keywords: Any) -> dict[str, Any]:
    return {"parameters": [{"name": "p", "in": "query", **keywords}]}


TEXTS = {"type": "array", "items": {"type": "string"}}
OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}}
XML = {"requestBody": {"content": {"application/xml": {"schema": OBJECT}}}}

KINDS: list[tuple[str, str, Any, Any, str]] = [
    # The Parameter Object's `name`: such a definition "SHALL be ignored".
    (
        exclusions.IGNORED,
        "/x",
        {"parameters": [{"name": "Content-Type", "in": "header", "required": True, "schema": {}}]},
        {},
        "/x",
    ),
    (exclusions.XML, "/x", XML, {"body": {"a": "v"}}, "/x"),
    # RFC 6570 expands one level; OpenAPI's table "Style Examples" has no more either.
    (
        exclusions.NESTED,
        "/x",
        parameter(schema={"type": "array", "items": OBJECT}),
        {"p": [{"a": "v"}]},
        "/x?p=%7B%22a%22%3A%22v%22%7D",
    ),
    (
        exclusions.UNTYPED,
        "/x",
        parameter(schema={"anyOf": [TEXTS, {"type": "integer"}]}),
        {"p": ["a", "b"]},
        "/x?p=a&p=b",
    ),
    (
        exclusions.EMPTY,
        "/x",
        parameter(schema={"type": "object"}, required=True),
        {"p": {}},
        "/x",
    ),
    # The table's row `form`, exploded: `R=100&G=200&B=150`.
    (exclusions.OBJECT, "/x", parameter(schema=OBJECT), {"p": {"a": "v"}}, "/x?a=v"),
    (
        exclusions.DELIMITED,
        "/x",
        parameter(schema=TEXTS, style="spaceDelimited", explode=False),
        {"p": ["a", "b"]},
        "/x?p=a%20b",
    ),
    (
        exclusions.PLACEHOLDER,
        "/x/{p:}",
        {"parameters": [{"name": "p:", "in": "path", "required": True, "schema": {}}]},
        {"p:": "v"},
        "/x/v",
    ),
    (
        exclusions.ADJACENT,
        "/{a}{b}",
        {
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("a", "b")
            ]
        },
        {"a": "x", "b": ".json"},
        "/x.json",
    ),
    (
        exclusions.NOWHERE,
        "/x?p={p}",
        {"parameters": [{"name": "p", "in": "path", "required": True, "schema": {}}]},
        {"p": "v"},
        "/x?p=v",
    ),
    (exclusions.UNDECLARED, "/x?p={p}", {}, {"p": "v"}, "/x?p=v"),
]


@pytest.mark.parametrize(("kind", "path", "operation", "arguments", "sent"), KINDS)
def test_what_is_left_out_is_right_and_not_read(
    kind: str, path: str, operation: Any, arguments: Any, sent: str, tmp_path: Path
) -> None:
    """When openapi-core learns to read one of these, its kind is no longer left out."""
    document, tools, tool = tool_of(tmp_path, path, operation)
    request = prepared(tools, tool, arguments)
    assert excluded(document, path, tool, arguments, request) == kind
    assert request.url == BASE + sent
    assert not is_read(document, tool, arguments, request)


def is_read(document: Any, tool: Tool, arguments: Any, request: Request) -> bool:
    path = described(document, tool)
    assert path is not None
    try:
        parsed = parse(document, path, request)
    except Exception:  # noqa: BLE001 - whatever it raises, it did not read the request
        return False
    return not list(differences(tool, arguments, parsed))
