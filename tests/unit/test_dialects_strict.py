"""Strict modes: what all tools lose nothing by, how it is sent, and the way back."""

from typing import Any

import pytest

from tests.unit.offered import ODD, TEXT, spec, takes
from toolmint.runtime.agent.conversation import ToolSpec
from toolmint.runtime.dialects import Export, export
from toolmint.runtime.dialects.names import own_names
from toolmint.runtime.shown.advertise import stub
from toolmint.runtime.shown.ours import OURS, SCHEMAS, offering


def openai(schema: dict[str, Any]) -> Export:
    return export([spec(schema)], "openai", strict=True)


def parameters(exported: Export) -> dict[str, Any]:
    function = exported.payload[0]["function"]
    assert function["strict"] is True
    return dict(function["parameters"])


def said(exported: Export) -> list[str]:
    return [str(change) for change in exported.changes]


def test_an_optional_argument_is_asked_for_and_may_be_null() -> None:
    exported = openai(
        takes(
            ("id",),
            id={"type": "integer"},
            note={"type": "string", "description": "A note."},
            state={"enum": ["open", "closed"]},
            tree={"$ref": "#/$defs/Tree"},
            to={"anyOf": [TEXT, {"type": "integer"}], "description": "Whom."},
        )
        | {"$defs": {"Tree": takes(("name",), name=TEXT)}}
    )
    assert parameters(exported) == {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "note": {"type": ["string", "null"], "description": "A note."},
            "state": {"type": ["string", "null"], "enum": ["open", "closed", None]},
            "tree": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
            "to": {
                "anyOf": [TEXT, {"type": "integer"}, {"type": "null"}],
                "description": "Whom.",
            },
        },
        "required": ["id", "note", "state", "tree", "to"],
        "additionalProperties": False,
        "$defs": {
            "Tree": {
                "type": "object",
                "properties": {"name": TEXT},
                "required": ["name"],
                "additionalProperties": False,
            }
        },
    }
    answer: dict[str, Any] = {"id": 1, "note": None, "state": None, "tree": None, "to": None}
    assert exported.restore("t", answer) == ("t", {"id": 1})
    answer = {"id": 1, "note": "n", "state": "open", "tree": {"name": "x"}, "to": 3}
    assert exported.restore("t", answer) == ("t", answer)
    (change,) = exported.changes
    assert str(change) == (
        "t: optional arguments are asked for, and null leaves them out: /properties/note, "
        "/properties/state, /properties/tree, /properties/to"
    )


def test_a_null_that_an_argument_takes_stays() -> None:
    exported = openai(ODD["nullable_required"])
    assert exported.restore("t", {"title": None}) == ("t", {"title": None})


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "nullable_optional",
            "/properties/title may be left out and may be null: two different things",
        ),
        ("anything", "/properties/value has no type"),
        ("always", "/properties/value takes any value"),
        ("never", "/properties/value takes nothing"),
        ("open", "the input takes other members than those described"),
        ("pattern_properties", "/properties/m says patternProperties"),
        ("beside_choices", "/properties/o has alternatives beside other keywords"),
        ("all_of_clash", "/properties/o combines schemas by allOf"),
        ("conditional", "/properties/o says if"),
        ("bare_array", "/properties/list does not say what its items are"),
        ("deep", "the input has 12 levels of objects, more than 10"),
        ("long_enum", "the input has 1100 enum values, more than 1000"),
        (
            "many",
            "the input has 30 arguments that may be null, each to be spelled out, more than 20",
        ),
    ],
)
def test_what_would_be_lost_is_not_strict_and_said(name: str, reason: str) -> None:
    exported = openai(ODD[name])
    assert exported.payload[0]["function"]["strict"] is False
    assert said(exported)[0] == f"t: not strict: {reason}"


@pytest.mark.parametrize("kind", ["object", "array", "string"])
def test_what_was_cut_to_a_budget_stays_sendable(kind: str) -> None:
    """A cut leaves an object or an array open: strict would close what the helper explains."""
    exported = openai(takes(part=stub({"type": kind}, {})))
    assert exported.payload[0]["function"]["strict"] is (kind == "string")


def test_maps_are_lists_of_entries_on_their_way() -> None:
    exported = openai(ODD["map_of_maps"])
    answer: dict[str, Any] = {
        "labels": [
            {"key": "a", "value": [{"key": "x", "value": 1}, {"key": "y", "value": 2}]},
            {"key": "b", "value": []},
        ]
    }
    assert exported.restore("t", answer) == ("t", {"labels": {"a": {"x": 1, "y": 2}, "b": {}}})
    assert exported.restore("t", {"labels": None}) == ("t", {})
    twice: dict[str, Any] = {"labels": [{"key": "a", "value": []}, {"key": "a", "value": []}]}
    assert exported.restore("t", twice) == ("t", twice)  # left for the full schema to refuse


def test_the_way_back_follows_the_alternative_that_was_taken() -> None:
    exported = openai(
        takes(
            ("to",),
            to={
                "oneOf": [
                    takes(("kind",), kind={"const": "person"}, mail=TEXT),
                    takes(
                        ("kind", "tags"),
                        kind={"const": "team"},
                        tags={"additionalProperties": TEXT},
                    ),
                ]
            },
        )
    )
    person = {"to": {"kind": "person", "mail": None}}
    assert exported.restore("t", person) == ("t", {"to": {"kind": "person"}})
    team = {"to": {"kind": "team", "tags": [{"key": "a", "value": "b"}]}}
    assert exported.restore("t", team) == ("t", {"to": {"kind": "team", "tags": {"a": "b"}}})


def test_the_way_back_goes_down_a_recursion() -> None:
    exported = openai(ODD["recursive"])
    answer: dict[str, Any] = {
        "tree": {"name": "a", "below": [{"name": "b", "below": None}, {"name": "c", "below": []}]}
    }
    assert exported.restore("t", answer) == (
        "t",
        {"tree": {"name": "a", "below": [{"name": "b"}, {"name": "c", "below": []}]}},
    )


def test_what_only_narrows_is_told_in_words() -> None:
    assert parameters(openai(ODD["narrow"]))["properties"] == {
        "n": {
            "type": "integer",
            "minimum": 1,
            "exclusiveMaximum": 9,
            "description": "(default: 3)",
        },
        "s": {
            "type": ["string", "null"],
            "format": "hostname",
            "description": '(minLength: 2; pattern: "^(?!x)")',
        },
        "w": {
            "type": ["string", "null"],
            "pattern": "^[a-z]{2,3}$",
            "description": '(format: "binary")',
        },
        "a": {
            "type": ["array", "null"],
            "items": TEXT,
            "minItems": 3,
            "description": "(uniqueItems: true)",
        },
    }


def test_all_of_that_only_puts_members_together_is_merged() -> None:
    assert parameters(openai(ODD["all_of"]))["properties"]["o"] == {
        "type": "object",
        "properties": {"name": TEXT, "age": {"type": ["integer", "null"]}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }


def test_a_whole_that_is_no_plain_object_is_one_argument() -> None:
    for provider in ("openai", "anthropic", "gemini", "mcp"):
        exported = export([spec(ODD["root_choice"])], provider, strict=False)
        assert exported.restore("t", {"arguments": {"a": "x"}}) == ("t", {"a": "x"})
        assert said(exported)[0] == (
            "t: the whole input is one argument, since it is no plain object"
        )


def test_a_text_that_is_no_object_comes_back_as_it_is() -> None:
    exported = openai(ODD["plain"])
    assert exported.restore("t", '{"id": ') == ("t", '{"id": ')
    assert exported.restore("t", "[1]") == ("t", "[1]")
    assert exported.restore("t", '{"id":1,"note":null}') == ("t", {"id": 1})
    assert exported.restore("other", {"note": None}) == ("other", {"note": None})


def test_without_strict_nothing_needs_a_way_back() -> None:
    schema = takes(note=TEXT, labels={"type": "object", "additionalProperties": TEXT})
    exported = export([spec(schema)], "openai", strict=False)
    assert exported.payload == [
        {
            "type": "function",
            "function": {
                "name": "t",
                "description": "Do it.",
                "parameters": schema,
                "strict": False,
            },
        }
    ]
    assert exported.changes == ()


def test_openai_takes_128_tools_and_short_descriptions() -> None:
    tools = [ToolSpec(f"t{n}", "Word. " * 300, takes()) for n in range(129)]
    exported = export(tools, "openai", strict=False)
    assert len(exported.payload) == 129
    assert said(exported)[:2] == [
        "129 tools: a request takes 128",
        "t0: the description is cut to 1024 characters",
    ]
    assert len(exported.payload[0]["function"]["description"]) <= 1024


def test_arguments_of_ours_are_optional_ones_as_others_are() -> None:
    exported = openai(offering(takes(("id",), id={"type": "integer"}), OURS))
    assert parameters(exported)["properties"] == {
        "id": {"type": "integer"},
        "_fields": {**SCHEMAS["_fields"], "type": ["array", "null"]},
        "_page": {
            "type": ["object", "null"],
            "properties": {
                "after": {"type": ["string", "null"]},
                "pages": {"type": ["integer", "null"]},
            },
            "required": ["after", "pages"],
            "additionalProperties": False,
            "description": SCHEMAS["_page"]["description"],
        },
    }
    answer: dict[str, Any] = {"id": 1, "_fields": None, "_page": None}
    assert exported.restore("t", answer) == ("t", {"id": 1})
    answer = {"id": 1, "_fields": ["a.b"], "_page": {"after": None, "pages": 2}}
    own = {"id": 1, "_fields": ["a.b"], "_page": {"pages": 2}}
    assert exported.restore("t", answer) == ("t", own)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mcp", "json-schema"])
def test_arguments_of_ours_come_back_from_every_provider(provider: Any) -> None:
    for schema in (takes(("id",), id={"type": "integer"}), ODD["odd_names"], ODD["root_choice"]):
        exported = export([spec(offering(schema, OURS), reads=True)], provider, strict=False)
        own = {"_fields": ["a"], "_page": {"pages": 2}}
        sent = {"arguments": own} if schema is ODD["root_choice"] else own
        sent = own if provider == "json-schema" else sent
        assert exported.restore("t", sent) == ("t", own)


# Anthropic: optional arguments stay optional, and a request has a budget.


def test_anthropic_keeps_what_is_optional() -> None:
    exported = export([spec(ODD["plain"])], "anthropic", strict=True)
    assert exported.payload == [
        {
            "name": "t",
            "description": "Do it.",
            "strict": True,
            "input_schema": {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "note": TEXT},
                "required": ["id"],
                "additionalProperties": False,
            },
        }
    ]
    assert exported.changes == ()


def test_the_budget_goes_to_writes_first() -> None:
    reads = [spec(takes(("a",), a=TEXT), f"read_{n}", reads=True) for n in range(15)]
    writes = [spec(takes(("a",), a=TEXT), f"write_{n}") for n in range(15)]
    exported = export([*reads, *writes], "anthropic", strict=True)
    strict = [tool["name"] for tool in exported.payload if tool.get("strict")]
    assert strict == [f"read_{n}" for n in range(5)] + [f"write_{n}" for n in range(15)]
    assert [tool["name"] for tool in exported.payload] == [tool.name for tool in [*reads, *writes]]
    assert said(exported)[0] == "read_5: not strict: the budget of a request is spent"


def test_the_budget_counts_optional_parameters_and_unions() -> None:
    optional = takes(**{f"a{n}": TEXT for n in range(20)})
    unions = takes(
        tuple(f"u{n}" for n in range(10)),
        **{f"u{n}": {"type": ["string", "null"]} for n in range(10)},
    )
    tools = [spec(optional, "o1"), spec(optional, "o2"), spec(unions, "u1"), spec(unions, "u2")]
    exported = export(tools, "anthropic", strict=True)
    assert [tool["name"] for tool in exported.payload if tool.get("strict")] == ["o1", "u1"]


def test_strict_writes_keep_the_budget_for_their_own_arguments() -> None:
    schema = offering(takes(("a",), a=TEXT), ["_fields"])
    write, read = export(
        [spec(schema, "write"), spec(schema, "read", reads=True)], "anthropic", strict=True
    ).payload
    assert (write["strict"], write["input_schema"]) == (True, takes(("a",), a=TEXT))
    assert (read["strict"], read["input_schema"]) == (True, schema)
    (change,) = export([spec(schema)], "anthropic", strict=True).changes
    assert str(change) == "t: _fields is left out: strict writes keep to their own arguments"
    (plain,) = export([spec(schema)], "anthropic", strict=False).payload
    assert plain["input_schema"] == schema


def test_recursion_is_not_strict_for_anthropic() -> None:
    exported = export([spec(ODD["recursive"])], "anthropic", strict=True)
    assert said(exported) == ["t: not strict: /$defs/Tree/properties/below/items is recursive"]
    assert exported.payload[0]["input_schema"] == ODD["recursive"]


def test_arguments_get_names_that_the_provider_takes() -> None:
    exported = export([spec(ODD["odd_names"])], "anthropic", strict=False)
    assert sorted(exported.payload[0]["input_schema"]["properties"]) == [
        "7",
        "filter_state",
        "per-page",
        "top",
    ]
    assert exported.payload[0]["input_schema"]["required"] == ["filter_state"]
    assert exported.restore("t", {"filter_state": "x", "top": 3, "per-page": "1"}) == (
        "t",
        {"filter[state]": "x", "$top": 3, "per-page": "1"},
    )
    gemini = export([spec(ODD["odd_names"])], "gemini", strict=False)
    assert gemini.restore("t", {"per_page": "1", "_7": "x"}) == ("t", {"per-page": "1", "7": "x"})


def test_a_call_takes_an_argument_by_the_name_that_a_provider_was_sent() -> None:
    names = {"filter[state]", "$top", "per-page"}
    given: dict[str, object] = {"filter_state": "open", "top": 1, "per_page": 2, "else": 3}
    assert own_names(names, given) == {
        "filter[state]": "open",
        "$top": 1,
        "per-page": 2,
        "else": 3,
    }
    twice: dict[str, object] = {"per-page": 1, "per_page": 2}
    assert own_names(names, twice) == twice  # which one was meant cannot be told


# Gemini: a subset of JSON Schema, and what it leaves out only widens.


def test_gemini_is_sent_the_keywords_it_takes() -> None:
    exported = export([spec(ODD["narrow"])], "gemini", strict=False)
    declared = exported.payload[0]["functionDeclarations"][0]
    assert declared["parametersJsonSchema"]["properties"] == {
        "n": {"type": "integer", "minimum": 1, "description": "(default: 3; exclusiveMaximum: 9)"},
        "s": {
            "type": "string",
            "description": '(format: "hostname"; minLength: 2; pattern: "^(?!x)")',
        },
        "w": {"type": "string", "description": '(format: "binary"; pattern: "^[a-z]{2,3}$")'},
        "a": {
            "type": "array",
            "items": TEXT,
            "minItems": 3,
            "description": "(uniqueItems: true)",
        },
    }
    assert [change.pointers for change in exported.changes] == [
        ("/properties/n", "/properties/s", "/properties/w", "/properties/a")
    ]


def test_gemini_values_are_texts_and_numbers() -> None:
    exported = export([spec(ODD["values"])], "gemini", strict=False)
    schema = exported.payload[0]["functionDeclarations"][0]["parametersJsonSchema"]
    assert schema["properties"] == {
        "e": {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]},
        "c": {"type": "integer", "enum": [3]},
        "b": {"type": "boolean", "description": "(enum: [true])"},
        "o": {"type": "object", "description": '(enum: [{"a":1}])'},
    }


def test_a_recursion_without_an_end_is_opened_for_gemini() -> None:
    exported = export([spec(ODD["ring"])], "gemini", strict=False)
    schema = exported.payload[0]["functionDeclarations"][0]["parametersJsonSchema"]
    assert schema["$defs"]["Ring"]["properties"] == {"next": {"type": "object"}}
    assert said(exported) == [
        "t: a recursion that never ends is shown as any object: /$defs/Ring/properties/next"
    ]


def test_no_tools_are_nothing_to_send() -> None:
    for provider in ("openai", "anthropic", "gemini", "mcp", "json-schema"):
        assert export([], provider, strict=True).payload == []


def test_exports_leave_the_schemas_alone() -> None:
    from copy import deepcopy

    before = deepcopy(ODD)
    for provider in ("openai", "anthropic", "gemini", "mcp"):
        export([spec(schema, name) for name, schema in ODD.items()], provider, strict=True)
    assert before == ODD
