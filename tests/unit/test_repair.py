"""Faults that have one meaning are mended; nothing is guessed, nothing is lost."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.edge.coercion import coerce
from toolmint.runtime.edge.repair import Repaired, repair_json


@pytest.mark.parametrize(
    ("text", "value", "changes"),
    [
        ('{"a": 1}', {"a": 1}, []),
        (' [1, 2.5, -3e2, "x", true, null] ', [1, 2.5, -300.0, "x", True, None], []),
        ('{"a": [1, 2,], }', {"a": [1, 2]}, ["removed a trailing comma"]),
        ('```json\n{"a": 1}\n```', {"a": 1}, ["removed a code fence"]),
        ("```\n[]\n```\n", [], ["removed a code fence"]),
        ('{"a": "```\\n"}', {"a": "```\n"}, []),
        ('{"a": 1 /* one */} // end', {"a": 1}, ["removed a comment"]),
        ('{"url": "http://x"}', {"url": "http://x"}, []),
        ("{'a': 'b'}", {"a": "b"}, ["turned single quotes into double quotes"]),
        (
            """{'a': 'say "hi"', 'b': 'it\\'s'}""",
            {"a": 'say "hi"', "b": "it's"},
            ["turned single quotes into double quotes"],
        ),
        ("{a: 1, $b_2: 2}", {"a": 1, "$b_2": 2}, ["quoted a name"]),
        (
            '{"a": True, "b": None, "c": False}',
            {"a": True, "b": None, "c": False},
            ["turned a Python word into a JSON one"],
        ),
        ('{"a": "x\ny"}', {"a": "x\ny"}, ["escaped a line break in a text"]),
        ('\ufeff{"a": "\\u00e4"}', {"a": "ä"}, []),
    ],
)
def test_a_fault_with_one_meaning_is_mended(text: str, value: Any, changes: list[str]) -> None:
    assert repair_json(text) == Repaired(value, tuple(changes))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a": ',
        '{"a": 1',
        '{"a": [1, 2}',
        '{"a": "cut off',
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        "{,}",
        "[1,,2]",
        "{'a': 'it's'}",
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": 1e999}',
        '{"a": undefined}',
        '{"a": yes}',
        '{"a": 1, "a": 2}',
        '{"a": 01}',
        '{"a": 1.}',
        '{"a": 0x10}',
        '{"a": 1} {"b": 2}',
        'Here you are: {"a": 1}',
        "[" * 5000,
        "\u201ca\u201d",
        "/* never ends",
    ],
)
def test_a_doubtful_text_stays_broken(text: str) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        repair_json(text)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_what_is_json_is_read_as_json(value: Any) -> None:
    finite = json.loads(json.dumps(value), parse_constant=lambda _: 0)
    assert repair_json(json.dumps(finite)) == Repaired(finite, ())


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "name": {"type": "string"},
        "maybe": {"type": ["integer", "null"]},
        "either": {"type": ["integer", "string"]},
        "size": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "level": {"enum": [1, 2, 3]},
        "tags": {"type": "array", "items": {"type": "integer"}},
        "filter": {"$ref": "#/$defs/Filter"},
        "union": {"anyOf": [{"type": "object"}, {"type": "string"}]},
        "optional": {"anyOf": [{"$ref": "#/$defs/Filter"}, {"type": "null"}]},
        "free": {},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "$defs": {
        "Filter": {
            "allOf": [
                {"type": "object", "properties": {"limit": {"type": "integer"}}},
                {"properties": {"inner": {"$ref": "#/$defs/Filter"}}},
            ]
        }
    },
}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"count": "3"}, {"count": 3}),
        ({"count": "-12"}, {"count": -12}),
        ({"ratio": "0.5"}, {"ratio": 0.5}),
        ({"ratio": "7"}, {"ratio": 7}),
        ({"on": "true"}, {"on": True}),
        ({"name": 7}, {"name": "7"}),
        ({"maybe": "4"}, {"maybe": 4}),
        ({"size": "4"}, {"size": 4}),
        ({"level": "2"}, {"level": 2}),
        ({"tags": ["1", 2]}, {"tags": [1, 2]}),
        ({"tags": "[1, 2]"}, {"tags": [1, 2]}),
        ({"tags": '["1"]'}, {"tags": [1]}),
        ({"filter": '{"limit": 3}'}, {"filter": {"limit": 3}}),
        (
            {"filter": {"inner": {"inner": {"limit": "3"}}}},
            {"filter": {"inner": {"inner": {"limit": 3}}}},
        ),
        ({"optional": {"limit": "3"}}, {"optional": {"limit": 3}}),
        ({"map": {"any": "3"}}, {"map": {"any": 3}}),
    ],
)
def test_a_type_is_changed_where_the_schema_asks(
    given: dict[str, Any], expected: dict[str, Any]
) -> None:
    repaired = coerce(given, SCHEMA)
    assert repaired.value == expected
    assert len(repaired.changes) >= 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": "3.0"},
        {"count": "3px"},
        {"count": "007"},
        {"count": "+3"},
        {"count": "1e3"},
        {"count": " 3"},
        {"count": ""},
        {"count": "9" * 30},
        {"count": 3.5},
        {"count": None},
        {"count": True},
        {"count": ["3"]},
        {"ratio": "0.12345678901234567"},
        {"ratio": "NaN"},
        {"on": "yes"},
        {"on": 1},
        {"on": "True"},
        {"name": 1.10},
        {"name": True},
        {"name": None},
        {"name": "3"},
        {"maybe": "null"},
        {"either": "3"},
        {"tags": "1,2"},
        {"tags": "1"},
        {"filter": "[1]"},
        {"filter": '{"limit": '},
        {"union": '{"a": 1}'},
        {"free": "3"},
        {"unknown": "3"},
    ],
)
def test_nothing_else_is_touched(arguments: dict[str, Any]) -> None:
    assert coerce(arguments, SCHEMA) == Repaired(arguments, ())


def test_changes_say_where_and_what() -> None:
    repaired = coerce({"count": "3", "filter": {"limit": "4"}, "tags": "[]"}, SCHEMA)
    assert repaired.changes == (
        "/count: a text became an integer",
        "/filter/limit: a text became an integer",
        "/tags: a text became an array",
    )


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_a_schema_made_of_itself_ends(keyword: str) -> None:
    itself = {"$ref": "#/$defs/Self"}
    schema: dict[str, Any] = {
        "properties": {"a": itself},
        "$defs": {"Self": {keyword: [itself, itself, {"type": "integer"}]}},
    }
    assert coerce({"a": "3"}, schema).value == {"a": 3}
