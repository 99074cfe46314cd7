"""A tool's advertised schema fits its budget, and loses what matters least first."""

from typing import Any

import jsonschema_rs
from hypothesis import given
from hypothesis import strategies as st

from toolmint.generator.budget import Budget, Trim
from toolmint.runtime.shown.advertise import advertise
from toolmint.runtime.shown.closure import close
from toolmint.runtime.shown.ours import OURS, offering
from toolmint.runtime.shown.tokens import definition, tokens

LONG = "First sentence. " + "And more of it that nobody needs. " * 20


def thing(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def trim(schema: dict[str, Any], limit: int, definitions: Any = None) -> Trim:
    return Budget(definitions or {}, limit).trim("tool", "", schema)


def shown(schema: dict[str, Any], found: Trim, definitions: Any = None) -> dict[str, Any]:
    return advertise(close(schema, definitions or {}), found.cuts)


def cost(schema: dict[str, Any]) -> int:
    return tokens(definition("tool", "", schema))


def test_what_fits_is_left_alone() -> None:
    schema = thing(name={"type": "string", "description": LONG, "examples": ["a"]})

    assert trim(schema, cost(schema)) == Trim(tokens=cost(schema))
    assert trim(schema, cost(schema) - 1).cuts != ()


def test_examples_go_before_descriptions_and_the_biggest_first() -> None:
    schema = thing(
        a={"type": "string", "description": LONG, "examples": ["x" * 40]},
        b={"type": "string", "description": "Short.", "examples": ["y" * 80, "z"]},
    )
    whole = cost(schema)

    assert trim(schema, whole - 10).cuts == ("/properties/b/examples",)
    assert trim(schema, whole - 30).cuts == (
        "/properties/a/examples",
        "/properties/b/examples",
    )
    assert trim(schema, whole - 60).cuts == (
        "/properties/a/description",
        "/properties/a/examples",
        "/properties/b/examples",
    )


DEEP: dict[str, Any] = {
    "type": "object",
    "properties": {f"p{n}": {"type": "string"} for n in range(60)},
}


def test_optional_deep_parts_go_before_required_ones() -> None:
    schema = {**thing(a=DEEP, b=DEEP), "required": ["b"]}
    found = trim(schema, 500)

    assert found == Trim(cuts=("/properties/a",), tokens=found.tokens)
    assert cost(shown(schema, found)) <= 500


def test_what_a_required_part_needs_opens_before_what_is_one_optional_step_away() -> None:
    inner = {"type": "object", "properties": {"core": DEEP}, "required": ["core"]}
    schema = {**thing(a=DEEP, b=inner), "required": ["b"]}

    assert trim(schema, 500).cuts == ("/properties/a",)


def test_a_definition_is_paid_for_once_and_recursion_stays() -> None:
    tree: dict[str, Any] = {
        "type": "object",
        "properties": {**DEEP["properties"], "next": {"$ref": "#/$defs/Tree"}},
    }
    other: dict[str, Any] = {
        "type": "object",
        "properties": {"t": {"$ref": "#/$defs/Tree"}, "deep": DEEP},
    }
    definitions: dict[str, Any] = {"Tree": tree, "Other": other}
    schema = thing(a={"$ref": "#/$defs/Tree"}, b={"$ref": "#/$defs/Other"})
    found = trim(schema, 550, definitions)

    assert found.cuts == ("/$defs/Other/properties/deep",)
    assert shown(schema, found, definitions)["$defs"]["Tree"] == tree


def test_a_definition_that_does_not_fit_stands_as_a_stub() -> None:
    definitions: dict[str, Any] = {"Big": DEEP, "Small": {"type": "string"}}
    schema = thing(a={"$ref": "#/$defs/Big"}, b={"$ref": "#/$defs/Small"})
    found = trim(schema, 120, definitions)

    assert found.cuts == ("/$defs/Big",)
    assert shown(schema, found, definitions)["$defs"]["Small"] == {"type": "string"}
    assert cost(shown(schema, found, definitions)) <= 120


def test_at_last_optional_arguments_lose_their_labels_and_enums() -> None:
    many = {"type": "string", "enum": [f"value{n}" for n in range(30)]}
    schema = {
        **thing(
            a={**many, "description": "Kept."},
            b={**many, "description": "Lost. With more.", "default": "value1"},
        ),
        "required": ["a"],
    }
    found = trim(schema, 150)

    assert found.cuts == (
        "/properties/b/default",
        "/properties/b/description/*",
        "/properties/b/enum",
    )
    assert shown(schema, found)["properties"] == {
        "a": {**many, "description": "Kept."},
        "b": {"type": "string"},
    }
    assert found.fits


def test_a_required_core_that_does_not_fit_is_kept_and_reported() -> None:
    schema = {**thing(a={"enum": [f"value{n}" for n in range(99)]}), "required": ["a"]}
    found = trim(schema, 50)

    assert found == Trim(cuts=(), tokens=cost(schema), fits=False)


def test_a_property_that_is_called_like_a_keyword_is_no_keyword() -> None:
    schema = thing(
        examples={"type": "string", "description": "Short."},
        description={"type": "string", "enum": ["examples"], "examples": ["x" * 99]},
    )

    assert trim(schema, cost(schema) - 1).cuts == ("/properties/description/examples",)


def test_the_order_of_keys_does_not_count() -> None:
    properties = {f"p{n}": {**DEEP, "description": LONG} for n in range(6)}
    turned = {name: properties[name] for name in reversed(properties)}

    assert trim(thing(**properties), 600) == trim(thing(**turned), 600)


def test_there_is_room_for_what_the_tool_offers() -> None:
    schema = thing(name={"type": "string", "description": LONG, "examples": ["a"]})
    whole = cost(offering(schema, OURS))

    assert Budget({}, whole).trim("tool", "", schema, OURS) == Trim(tokens=whole)
    assert Budget({}, whole - 1).trim("tool", "", schema, OURS).cuts != ()


# ── for any schema ──────────────────────────────────────────────────────────────────

NAMES = st.sampled_from(["a", "b", "description", "enum", "not", "x-y", "é"])
TEXTS = st.sampled_from(["", "Short.", "Two. Sentences.", LONG, "一。二。", "a\nb"])
LEAVES = st.one_of(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer"]), "description": TEXTS}),
    st.fixed_dictionaries({"enum": st.lists(st.text(max_size=9), min_size=1, unique=True)}),
    st.sampled_from(["A", "B", "C"]).map(lambda name: {"$ref": f"#/$defs/{name}"}),
    st.just(True),
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"properties": st.dictionaries(NAMES, inner, max_size=4)},
            optional={
                "type": st.just("object"),
                "required": st.lists(NAMES, unique=True, max_size=2),
                "description": TEXTS,
                "examples": st.just([{"description": "data"}]),
            },
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.lists(inner, min_size=1, max_size=3).map(lambda all_: {"oneOf": all_}),
        st.lists(inner, min_size=1, max_size=3).map(lambda all_: {"anyOf": all_, "oneOf": all_}),
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(NAMES, SCHEMAS, max_size=4),
    st.fixed_dictionaries({"A": SCHEMAS, "B": SCHEMAS, "C": SCHEMAS}),
    st.integers(min_value=10, max_value=400),
    st.sampled_from([(), OURS[:1], OURS[1:], OURS]),
)
def test_what_is_said_to_fit_does_and_stays_a_schema(
    properties: dict[str, Any], definitions: dict[str, Any], limit: int, offers: tuple[str, ...]
) -> None:
    schema = thing(**properties)
    found = Budget(definitions, limit).trim("tool", "", schema, offers)
    advertised = offering(shown(schema, found, definitions), offers)

    assert cost(advertised) <= found.tokens
    assert found.fits == (cost(advertised) <= limit)
    jsonschema_rs.validator_for(advertised)
