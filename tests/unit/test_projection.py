"""`_fields` gives the parts that were asked for, and refuses parts that cannot exist."""

from typing import Any

import pytest

from toolmint.runtime.edge.projection import check, has_choice, paths_of, project
from toolmint.runtime.validation import Problem

ISSUE: dict[str, Any] = {
    "id": 1,
    "title": "Bug",
    "user": {"login": "octo", "id": 7},
    "labels": [{"name": "a", "color": "red"}, {"name": "b", "color": "blue"}],
    "meta": {"x.y": {"on": True}, "z": {"on": False}},
    "assignee": None,
}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {"$ref": "#/$defs/Issue"},
    "$defs": {
        "Issue": {
            "allOf": [
                {"type": "object", "properties": {"id": {"type": "integer"}}},
                {
                    "properties": {
                        "title": {"type": "string"},
                        "user": {"$ref": "#/$defs/User"},
                        "assignee": {"anyOf": [{"$ref": "#/$defs/User"}, {"type": "null"}]},
                        "labels": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": {"name": {}, "color": {"type": "string"}},
                            },
                        },
                        "meta": {
                            "type": "object",
                            "additionalProperties": {"properties": {"on": {"type": "boolean"}}},
                        },
                        "parent": {"$ref": "#/$defs/Issue"},
                        "extra": {"type": "object"},
                        "kind": {"type": ["string", "null"], "enum": ["bug", None]},
                    },
                },
            ]
        },
        "User": {"type": "object", "properties": {"login": {"type": "string"}, "id": {}}},
    },
}


def paths(*fields: str) -> list[tuple[str, ...]]:
    found = paths_of(list(fields))
    assert not isinstance(found, Problem)
    return found


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["id"], {"id": 1}),
        (["title", "id"], {"id": 1, "title": "Bug"}),
        (["user.login"], {"user": {"login": "octo"}}),
        (["user.login", "user"], {"user": {"login": "octo", "id": 7}}),
        (["user", "user.login"], {"user": {"login": "octo", "id": 7}}),
        (["labels.name"], {"labels": [{"name": "a"}, {"name": "b"}]}),
        (["labels[].name"], {"labels": [{"name": "a"}, {"name": "b"}]}),
        (["assignee.login"], {"assignee": None}),
        ([r"meta.x\.y"], {"meta": {"x.y": {"on": True}}}),
        (["meta.*.on"], {"meta": {"x.y": {"on": True}, "z": {"on": False}}}),
        (["absent"], {}),
        ([], ISSUE),
    ],
)
def test_parts_stay_where_they_were(fields: list[str], expected: Any) -> None:
    assert project(ISSUE, paths(*fields)) == expected
    assert project([ISSUE, ISSUE], paths(*fields)) == [expected, expected]


@pytest.mark.parametrize(
    "field",
    [
        "id",
        "title",
        "user.login",
        "assignee.login",
        "labels.name",
        "labels.name.anything",
        "meta.any name.on",
        "meta.*.on",
        "parent.parent.parent.user.login",
        "extra.what.ever",
        "*.login",
    ],
)
def test_a_path_that_a_result_can_have_is_accepted(field: str) -> None:
    assert check(paths(field), SCHEMA) == []


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("titel", "titel: there is no 'titel' in the result; did you mean title?"),
        ("user.logn", "user.logn: there is no 'logn' in user; did you mean login?"),
        ("labels.q", "labels.q: there is no 'q' in labels; there are color, name"),
        ("meta.k.off", "meta.k.off: there is no 'off' in meta.k; there are on"),
        ("title.x", "title.x: there is no 'x' in title, which has no parts"),
        ("kind.x", "kind.x: there is no 'x' in kind, which has no parts"),
    ],
)
def test_a_path_that_no_result_can_have_is_refused_with_near_names(field: str, reason: str) -> None:
    assert check(paths(field, "id"), SCHEMA) == [Problem("/_fields", "_fields", reason)]


@pytest.mark.parametrize("schema", [True, {}, {"type": "object"}, {"$ref": "#/$defs/Gone"}])
def test_where_nothing_is_described_any_path_will_do(schema: Any) -> None:
    assert check(paths("a.b.c"), schema) == []


@pytest.mark.parametrize(
    "fields", [7, {"a": 1}, [1], [""], ["a..b"], ["a."], [".a"], ["a\\"], ["x"] * 201, ["x" * 501]]
)
def test_what_is_no_list_of_paths_is_refused(fields: Any) -> None:
    problem = paths_of(fields)
    assert isinstance(problem, Problem)
    assert problem.argument == "_fields"


def test_one_path_may_stand_alone() -> None:
    assert paths_of("user.login") == [("user", "login")]


def test_there_is_a_choice_where_paths_tell_parts_apart() -> None:
    one: Any = {"type": "object", "properties": {"a": {"type": "string"}}}
    two: Any = {"type": "object", "properties": {"a": {}, "b": {}}}
    told: list[Any] = [SCHEMA, two, {"type": "object"}, {"properties": {"only": two}}]
    untold: list[Any] = [True, {}, {"description": "Any."}, one, {"type": "array", "items": one}]
    assert all(has_choice(schema, schema) for schema in told)
    assert not any(has_choice(schema, schema) for schema in untold)


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}}
    ring = {"$ref": "#/$defs/B", "$defs": {"B": {"properties": {"b": {"$ref": "#/$defs/B"}}}}}
    assert not has_choice(schema, schema)
    assert not has_choice(ring, ring)
    assert [problem.argument for problem in check(paths("x"), schema)] == ["_fields"]
