"""Schemas that are a part of a whole, or told carelessly: what is odd costs only itself."""

import json
from pathlib import Path
from typing import Any

import graphql as core
import pytest

from toolmint.generator.config import Config
from toolmint.generator.description import Description, read
from toolmint.generator.errors import InputError
from toolmint.generator.progress import silent

NOWHERE = "a schema does not say where its server is; set endpoint, or pass base_url=."


def read_sdl(sdl: str, folder: Path, strict: bool = False) -> Description:
    source = folder / "schema.graphql"
    source.write_text(sdl, "utf-8")
    return read(Config(source=str(source), output="x_tools", strict=strict), silent)


def read_introspection(told: Any, folder: Path) -> Description:
    source = folder / "schema.json"
    source.write_text(json.dumps(told), "utf-8")
    return read(Config(source=str(source), output="x_tools"), silent)


def tools(found: Description) -> dict[str, Any]:
    return {one.key: one.input_schema["properties"] for one in found.api.operations}


def warned(found: Description) -> list[str]:
    return [one.text for one in found.api.warnings if one.text != NOWHERE]


# ── texts ───────────────────────────────────────────────────────────────────────────


def test_an_extension_without_a_base_declares_its_type(tmp_path: Path) -> None:
    found = read_sdl(
        """
        extend schema @link(url: "https://specs.example/federation")
        type Product @key(fields: "id") { id: ID! }
        extend type Query { top(first: Int): Product }
        extend type Query { last: Product }
        """,
        tmp_path,
    )
    assert list(tools(found)) == ["Query.last", "Query.top"]
    assert warned(found) == [
        "Unknown directive '@link' (line 2).",
        "Unknown directive '@key' (line 3).",
        "Cannot extend type 'Query' because it is not defined (line 4).",
        "Cannot extend type 'Query' because it is not defined (line 5).",
    ]


def test_a_type_that_is_nowhere_is_a_scalar_where_that_is_sure(tmp_path: Path) -> None:
    found = read_sdl("type Query { at(amount: Money): DateTime  paid: Money }", tmp_path)
    assert tools(found) == {
        "Query.at": {
            "amount": {"type": ["string", "number", "boolean", "object", "array", "null"]}
        },
        "Query.paid": {},
    }
    assert found.api.operations[0].output_schema == {
        "type": ["string", "null"],
        "format": "date-time",
    }
    assert warned(found) == [
        "Unknown type 'Money' (line 1).",
        "Unknown type 'DateTime' (line 1).",
        "Unknown type 'Money' (line 1).",
    ]


def test_what_gives_a_type_that_is_nowhere_is_left_out_and_told(tmp_path: Path) -> None:
    sdl = "type Query { a: Int  b: Elsewhere }\nunion Both = Elsewhere | Query"
    found = read_sdl(sdl, tmp_path)
    assert list(tools(found)) == ["Query.a"]
    assert warned(found) == [
        "Unknown type 'Elsewhere' (line 1).",
        "Unknown type 'Elsewhere' (line 2).",
        "Query.b is left out of the schema: Elsewhere is nowhere declared (line 1).",
        "Elsewhere is left out of the schema: Elsewhere is nowhere declared (line 2).",
    ]
    with pytest.raises(InputError, match="Unknown type 'Elsewhere'; --strict forbids that"):
        read_sdl(sdl, tmp_path, strict=True)


def test_a_type_of_the_wrong_kind_refers_to_nothing(tmp_path: Path) -> None:
    found = read_sdl("type Query { a: In  b(i: In): Int }  input In { x: Int  q: Query }", tmp_path)
    assert found.api.operations[0].output_schema == {}
    definitions: Any = found.api.definitions.input
    assert definitions["In"]["properties"]["q"] == {}


# ── introspection ───────────────────────────────────────────────────────────────────


def told(sdl: str) -> Any:
    return core.introspection_from_schema(core.build_schema(sdl))


def kind(data: Any, name: str) -> Any:
    return next(one for one in data["__schema"]["types"] if one["name"] == name)


def test_lists_that_are_null_are_empty(tmp_path: Path) -> None:
    data = told(
        "type Query { a: Int  e(i: In): E  u: U } enum E { A } input In { x: Int } union U = Query"
    )
    data["__schema"]["directives"] = None
    kind(data, "Query")["fields"][0]["args"] = None
    kind(data, "E")["enumValues"] = None
    kind(data, "In")["inputFields"] = None
    kind(data, "U")["possibleTypes"] = None
    assert "Query.a" in tools(read_introspection(data, tmp_path))


@pytest.mark.parametrize("odd", [None, 1, "x", [], [[]], {"a": {"b": 1}}])
def test_what_is_no_object_and_no_text_is_passed_over(tmp_path: Path, odd: Any) -> None:
    data = told("type Query { a(x: In): Int } input In { x: Int }")
    schema = data["__schema"]
    schema["description"] = odd
    for holder in (
        schema["types"],
        kind(data, "Query")["fields"][0]["args"],
        kind(data, "In")["inputFields"],
    ):
        if not isinstance(odd, dict):
            holder.append(odd)
    kind(data, "Query")["fields"][0]["description"] = odd
    kind(data, "In")["inputFields"][0]["description"] = odd
    kind(data, "In")["inputFields"][0]["deprecationReason"] = odd
    assert "Query.a" in tools(read_introspection(data, tmp_path))


@pytest.mark.parametrize("default", ['{"x": 1}', "{", "", 5, {"x": 1}, "[" * 2000])
def test_a_default_that_is_no_value_is_dropped(tmp_path: Path, default: Any) -> None:
    data = told("type Query { a(x: Int = 1): Int }")
    kind(data, "Query")["fields"][0]["args"][0]["defaultValue"] = default
    found = read_introspection(data, tmp_path)
    assert tools(found) == {
        "Query.a": {
            "x": {"type": ["integer", "null"], "minimum": -(2**31), "maximum": 2**31 - 1},
        }
    }
    assert warned(found) == ["the default of 'x' of Query.a is no value; it is dropped."]


def test_what_lacks_a_member_is_told_in_one_line(tmp_path: Path) -> None:
    data = told("type Query { a(x: Int): Int }")
    del kind(data, "Query")["fields"][0]["args"][0]["name"]
    with pytest.raises(InputError) as caught:
        read_introspection(data, tmp_path)
    assert str(caught.value).partition("schema.json: ")[2] == (
        "Query fields cannot be resolved. 'name'. Correct it there."
    )
