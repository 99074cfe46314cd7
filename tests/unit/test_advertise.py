"""What a model is shown: the full schema minus the cuts, and never something narrower."""

import copy
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.shown.advertise import TRIMMED, advertise, join, split
from toolmint.runtime.shown.closure import Definitions, close, references

FULL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "description": {
            "type": "string",
            "description": "What it is. And much more.",
            "examples": ["x"],
            "enum": ["a", "b"],
        },
        "$ref": {"$ref": "#/$defs/Filter"},
        "default": {"type": "array", "items": {"$ref": "#/$defs/Filter"}, "default": []},
        "a/b~c": {"type": ["object", "null"], "properties": {"x": True}, "x-note": 1},
    },
    "required": ["description"],
    "additionalProperties": False,
    "$defs": {
        "Filter": {
            "type": "object",
            "description": "Filters things.",
            "properties": {"not": {"$ref": "#/$defs/Filter"}, "by": {"$ref": "#/$defs/Field"}},
        },
        "Field": {"oneOf": [{"const": "name"}, {"type": "integer"}]},
    },
}


def shown(*cuts: str) -> dict[str, Any]:
    before = copy.deepcopy(FULL)
    found = advertise(FULL, cuts)
    assert before == FULL
    return found


def changed(pointer: str, value: Any, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """FULL with one value replaced, and without some definitions."""
    expected = copy.deepcopy(FULL)
    *way, last = split(pointer)
    holder: Any = expected
    for token in way:
        holder = holder[token]
    holder[last] = value
    expected["$defs"] = {k: v for k, v in expected["$defs"].items() if k not in without}
    return expected


def test_without_cuts_everything_is_shown() -> None:
    assert shown() == FULL


def test_a_description_first_keeps_its_first_sentence_and_then_goes() -> None:
    pointer = "/properties/description/description"
    without = {key: value for key, value in FULL["properties"]["description"].items()}
    del without["description"]

    assert shown(pointer) == changed(pointer, "What it is.")
    assert shown(f"{pointer}/*") == changed("/properties/description", without)
    assert shown("/properties/description/*") == FULL  # a member called so has no such part


@pytest.mark.parametrize(
    ("pointer", "node", "keyword"),
    [
        ("/properties/description/examples", "description", "examples"),
        ("/properties/default/default", "default", "default"),
        ("/properties/a~1b~0c/x-note", "a/b~c", "x-note"),
    ],
)
def test_an_annotation_goes(pointer: str, node: str, keyword: str) -> None:
    rest = {key: value for key, value in FULL["properties"][node].items() if key != keyword}

    assert shown(pointer) == changed(join(["properties", node]), rest)


def test_a_schema_becomes_open_and_keeps_its_type() -> None:
    assert shown("/properties/a~1b~0c")["properties"]["a/b~c"] == {
        "type": ["object", "null"],
        "description": TRIMMED,
    }
    assert shown("/properties/$ref")["properties"]["$ref"] == {
        "type": "object",
        "description": f"Filters things. ({TRIMMED})",
    }
    assert shown("/properties/default")["properties"]["default"] == {
        "type": "array",
        "items": {},
        "description": TRIMMED,
    }


def test_a_schema_that_is_opened_is_asked_for_its_type_once_and_not_from_afar() -> None:
    def stub_of(first: dict[str, Any], definitions: dict[str, Any]) -> Any:
        full = {"properties": {"a": first}, "$defs": definitions}
        return advertise(full, ["/properties/a"])["properties"]["a"]

    many = {f"S{n}": {"anyOf": [{"$ref": f"#/$defs/S{n + 1}"}] * 2} for n in range(9)}
    long = {f"S{n}": {"$ref": f"#/$defs/S{n + 1}"} for n in range(5000)}
    end: dict[str, Any] = {"type": "string"}
    first = {"$ref": "#/$defs/S0"}
    assert stub_of(first, {**many, "S9": end}) == {"type": "string", "description": TRIMMED}
    assert stub_of(first, {**long, "S5000": end}) == {"description": TRIMMED}


def test_definitions_that_nothing_needs_any_more_go() -> None:
    assert "$defs" not in shown("/properties/$ref", "/properties/default")
    assert shown("/$defs/Filter")["$defs"] == {
        "Filter": {"type": "object", "description": f"Filters things. ({TRIMMED})"}
    }


def test_beside_an_open_schema_alternatives_may_overlap_and_nothing_is_ruled_out() -> None:
    deep: dict[str, Any] = {"type": "object", "properties": {"x": True}}
    full: dict[str, Any] = {
        "properties": {
            "one": {"oneOf": [{"properties": {"a": deep}}, {"type": "null"}]},
            "both": {"oneOf": [deep], "anyOf": [True]},
            "not": {"not": {"required": ["z"]}, "type": "object"},
            "enum": {"enum": ["oneOf"]},
        }
    }

    assert advertise(full, ["/properties/one/oneOf/0/properties/a"]) == {
        "properties": {
            "one": {
                "anyOf": [
                    {"properties": {"a": {"type": "object", "description": TRIMMED}}},
                    {"type": "null"},
                ]
            },
            "both": {"anyOf": [True]},
            "not": {"type": "object"},
            "enum": {"enum": ["oneOf"]},
        }
    }


@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "/",
        "/nowhere",
        "/type",
        "/required",
        "/properties",
        "/properties/description/enum/0",
        "/properties/description/examples/0",
        "/$defs/Field/oneOf/7",
        "/$defs/Field/oneOf/x",
        "no pointer",
    ],
)
def test_a_pointer_that_means_no_cut_changes_nothing(pointer: str) -> None:
    assert shown(pointer) == FULL


def test_what_an_optional_body_needs_together_is_asked_for() -> None:
    full: dict[str, Any] = {
        "type": "object",
        "properties": {"id": {}, "a": {}, "b": {}},
        "required": ["id"],
        "dependentRequired": {"a": ["b"], "b": ["a", "id"]},
    }

    assert advertise(full) == {
        "type": "object",
        "properties": {"id": {}, "a": {}, "b": {}},
        "required": ["id", "b", "a"],
    }


# ── closing ─────────────────────────────────────────────────────────────────────────


def test_a_schema_is_closed_over_what_it_reaches_and_nothing_else() -> None:
    definitions = {**FULL["$defs"], "Other": {"type": "null"}}
    schema = {"properties": {"$ref": {"type": "string"}, "f": {"$ref": "#/$defs/Filter"}}}

    assert close(schema, definitions) == {
        **schema,
        "$defs": {"Field": definitions["Field"], "Filter": definitions["Filter"]},
    }
    assert close({"type": "string"}, definitions) == {"type": "string"}


def test_what_is_data_refers_to_nothing() -> None:
    data = {"$ref": "#/$defs/Filter"}
    schema = {
        "properties": {"$ref": True, "properties": {"enum": [data], "default": data}},
        "const": data,
        "examples": [data],
    }

    assert references(schema) == []
    assert references(True) == []


def test_definitions_may_be_missing_or_boolean() -> None:
    shared = Definitions({"Any": True, "Gone": {"$ref": "#/$defs/Nowhere"}})

    assert shared.needed({"anyOf": [{"$ref": "#/$defs/Any"}, {"$ref": "#/$defs/Gone"}]}) == [
        "Any",
        "Gone",
    ]


# ── nothing becomes unsendable ──────────────────────────────────────────────────────

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {
            "oneOf": [
                {"type": "object", "properties": {"k": {"const": 1}}, "required": ["k"]},
                {"type": "object", "properties": {"k": {"enum": [2, 3]}}, "required": ["k"]},
            ]
        },
        "b": {
            "type": "object",
            "allOf": [{"properties": {"k": {"type": "integer"}}}],
            "unevaluatedProperties": False,
        },
        "c": {"not": {"type": "object", "properties": {"k": {"enum": [1]}}, "required": ["k"]}},
        "d": {"$ref": "#/$defs/Tree"},
    },
    "additionalProperties": False,
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {"k": {"type": "integer"}, "d": {"$ref": "#/$defs/Tree"}},
            "required": ["k"],
        }
    },
}
POINTERS = [
    "/properties/a/oneOf/0",
    "/properties/a/oneOf/0/properties/k",
    "/properties/a/oneOf/1/properties/k/enum",
    "/properties/b/allOf/0",
    "/properties/b",
    "/properties/c/not/properties/k/enum",
    "/properties/d",
    "/$defs/Tree",
    "/$defs/Tree/properties/d",
]
VALUES = st.recursive(
    st.integers(min_value=0, max_value=4) | st.just("x"),
    lambda inner: st.dictionaries(st.sampled_from(["k", "d"]), inner, max_size=2),
    max_leaves=4,
)
CHECK = jsonschema_rs.validator_for(SCHEMA)


@given(
    st.lists(st.sampled_from(POINTERS), max_size=4),
    st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=3),
)
def test_what_the_full_schema_takes_the_advertised_one_takes(
    cuts: list[str], arguments: dict[str, Any]
) -> None:
    if CHECK.is_valid(arguments):
        assert jsonschema_rs.validator_for(advertise(SCHEMA, cuts)).is_valid(arguments)
