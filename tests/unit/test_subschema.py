"""`describe_type` shows one place of a schema, whatever its size, in a bounded answer."""

from typing import Any

import pytest

from toolmint.runtime.shown.subschema import subschema
from toolmint.runtime.shown.tokens import tokens

FULL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"$ref": "#/$defs/Node"},
        "labels": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Label"}},
        "shape": {
            "oneOf": [
                {"properties": {"size": {"type": "integer"}}},
                {"properties": {"size": {"type": "string"}}},
            ]
        },
        "a.b": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "array", "items": {"$ref": "#/$defs/Label"}}},
        "anything": True,
    },
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                "name": {"type": "string", "description": "Its name."},
            },
        },
        "Label": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}


@pytest.mark.parametrize(
    ("place", "schema"),
    [
        ("query.name", {"type": "string", "description": "Its name."}),
        ("/query/name", {"type": "string", "description": "Its name."}),
        ("query.children.children.name", {"type": "string", "description": "Its name."}),
        ("query.children[].name", {"type": "string", "description": "Its name."}),
        ("/query/children/0/name", {"type": "string", "description": "Its name."}),
        ("labels.bug.text", {"type": "string"}),
        ("shape.size", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        ("a.b", {"type": "boolean"}),
        ("list.text", {"type": "string"}),
        ("anything", True),
    ],
)
def test_a_place_is_found_through_references_items_maps_and_forms(
    place: str, schema: object
) -> None:
    assert subschema(FULL, place, 1500) == schema


def test_what_fits_is_closed_over_its_definitions() -> None:
    assert subschema(FULL, "query", 1500) == {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": FULL["$defs"]["Node"]},
    }


def test_a_place_that_is_not_there_names_what_is() -> None:
    with pytest.raises(LookupError, match="leads nowhere at 'nam': there are children, name"):
        subschema(FULL, "query.nam", 1500)
    with pytest.raises(LookupError, match="nothing is below"):
        subschema(FULL, "a.b.c", 1500)


def test_what_does_not_fit_is_shown_to_the_depth_that_does() -> None:
    deep: dict[str, Any] = {"type": "object", "properties": {"text": {"description": "so " * 99}}}
    full: dict[str, Any] = {
        "properties": {"top": {"$ref": "#/$defs/Top"}},
        "$defs": {"Top": {"properties": {"deep": deep, "flag": {"type": "boolean"}}}},
    }
    assert subschema(full, "top", 60) == {
        "properties": {
            "deep": {
                "type": "object",
                "description": "Cut short: call describe_type for the rest.",
            },
            "flag": {"type": "boolean"},
        },
    }
    assert subschema(full, "top", 25) == {
        "type": "object",
        "description": "Cut short: call describe_type for the rest.",
        "properties": {"deep": {}, "flag": {}},
    }


@pytest.mark.parametrize("most", [100, 400, 1500])
def test_the_answer_is_bounded_however_wide_the_schema(most: int) -> None:
    member: dict[str, Any] = {
        "type": "object",
        "description": "word " * 50,
        "properties": {"x": {}},
    }
    wide: dict[str, Any] = {
        "properties": {"big": {"properties": {f"m{n}": member for n in range(3000)}}}
    }
    shown = subschema(wide, "big", most)
    assert isinstance(shown, dict)
    assert tokens(shown) <= most
    assert "m0" in shown["properties"]
