"""Bad arguments never leave, and what is said of them is enough to mend the call."""

import asyncio
from collections.abc import Mapping

import pytest

from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.runtime import ToolResult
from toolmint.runtime.validation import Problem, Validator, message

PETSTORE = Petstore(credentials={"bearerAuth": "tok-123456"}, base_url="http://127.0.0.1:9")


def call(name: str, arguments: Mapping[str, object] | str | None) -> ToolResult:
    return asyncio.run(PETSTORE.call(name, arguments))


def problems(schema: dict[str, object], value: object) -> list[tuple[str, str]]:
    return [(found.pointer, found.reason) for found in Validator(schema).problems(value)]


def test_all_problems_are_told_at_once() -> None:
    result = call(
        "list_pets",
        {"limit": 1000, "page": 2, "filter": {"deep": {"children": [{"nam": "x"}]}, "kind": "cow"}},
    )
    assert result.outcome == "invalid_arguments"
    assert result.error is not None
    assert {
        detail["pointer"]: (detail["argument"], detail["reason"])
        for detail in result.error.details
        if isinstance(detail, dict)
    } == {
        "/limit": ("limit", "is greater than the maximum of 100, got 1000"),
        "/page": ("page", "is unknown; known are limit, tags, q, marks, filter"),
        "/filter/deep/children/0/nam": ("filter", "is unknown; did you mean name?"),
        "/filter/kind": ("filter", 'is not one of "cat" or "dog", got "cow"'),
    }


def test_the_message_names_place_reason_and_expectation() -> None:
    assert call("get_pet", {"id": "one"}).to_message() == (
        '{"outcome":"invalid_arguments","error":"get_pet: 1 problem with the arguments\\n'
        '- /id: must be integer, got \\"one\\"; '
        'expected {\\"type\\":\\"integer\\",\\"description\\":\\"Which pet.\\"}"}'
    )


def test_a_missing_argument_shows_its_schema() -> None:
    result = call("create_pet", {})
    assert result.error is not None
    assert result.error.details == (
        {
            "pointer": "/name",
            "argument": "name",
            "reason": "is required",
            "expected": {
                "type": "string",
                "minLength": 1,
                "description": "What the pet is called.",
            },
        },
    )


def test_a_member_of_a_map_is_held_against_what_all_of_them_must_be() -> None:
    schema: dict[str, object] = {"unevaluatedProperties": {"type": "integer"}}
    (found,) = Validator(schema).problems({"a": "1"})
    assert found == Problem("/a", "a", "is not as it must be", {"type": "integer"})
    assert problems({"unevaluatedProperties": False}, {"a": 1}) == [
        ("/a", "is unknown; none is allowed")
    ]


@pytest.mark.parametrize("empty", [None, "", "{}", {}])
def test_no_arguments_are_an_empty_object(empty: Mapping[str, object] | str | None) -> None:
    assert PETSTORE.prepare("health", empty).url == "http://127.0.0.1:9/health"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "must be an object, got list"),
        ('{"id": NaN}', "NaN is no JSON value"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_text_that_is_no_object_is_refused(arguments: str, reason: str) -> None:
    result = call("get_pet", arguments)
    assert result.outcome == "invalid_arguments"
    assert reason in str(result.error)


def test_json_text_of_an_object_is_taken() -> None:
    assert PETSTORE.prepare("get_pet", '{"id": 3}').url == "http://127.0.0.1:9/pets/3"


@pytest.mark.parametrize("value", [object(), b"bytes", {1, 2}, {3: 4}])
def test_values_that_json_cannot_hold_are_refused(value: object) -> None:
    result = call("create_pet", {"name": value})
    assert result.outcome == "invalid_arguments"


@pytest.mark.parametrize("name", ["", "x" * 10_000, None, 7, ["get_pet"]])
def test_whatever_a_model_calls_is_answered(name: str) -> None:
    result = call(name, {})
    assert result.outcome == "unknown_tool"
    assert len(result.to_message()) < 300


def test_long_values_are_echoed_short() -> None:
    result = call("list_pets", {"limit": "x" * 10_000})
    assert len(result.to_message()) < 600


def test_a_message_stays_short_however_many_problems() -> None:
    many = [Problem(f"/{number}", str(number), "is unknown") for number in range(1000)]
    told = message("tool", many)
    assert told.splitlines()[-1] == "- and 992 more"
    assert len(told.splitlines()) == 10


@pytest.mark.parametrize(
    ("format", "good", "bad"),
    [
        ("email", "ann@example.com", "ann"),
        ("uri", "https://example.com/x", "no uri"),
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-01-01T00:00:00Z", "2024-01-01"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123"),
        ("ipv4", "127.0.0.1", "256.0.0.1"),
        ("ipv6", "::1", "::g"),
        ("hostname", "example.com", "-"),
        ("duration", "P1D", "1 day"),
    ],
)
def test_formats_are_asserted(format: str, good: str, bad: str) -> None:
    schema: dict[str, object] = {"type": "string", "format": format}
    assert problems(schema, good) == []
    assert problems(schema, bad) == [("", f'must be a valid {format}, got "{bad}"')]


def test_the_nearest_form_of_a_union_is_shown() -> None:
    schema: dict[str, object] = {
        "anyOf": [
            {"type": "integer"},
            {
                "type": "object",
                "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
                "required": ["kind"],
            },
        ]
    }
    assert problems(schema, {"kind": "cat", "lives": "nine"}) == [
        (
            "",
            (
                "fits none of the allowed forms (nearest: /lives: is not of type "
                '"integer"), got {"kind":"cat","lives":"nine"}'
            ),
        )
    ]


def test_exactly_one_form_may_fit() -> None:
    schema: dict[str, object] = {"oneOf": [{"type": "integer"}, {"type": "number"}]}
    assert problems(schema, 3) == [
        ("", "fits more than one of the allowed forms, where exactly one is wanted, got 3")
    ]


def test_pointers_are_escaped() -> None:
    schema: dict[str, object] = {"properties": {"a/b~c": {"type": "string"}}}
    assert problems(schema, {"a/b~c": 1}) == [("/a~1b~0c", "must be string, got 1")]


def test_ecma_patterns_work() -> None:
    schema: dict[str, object] = {"type": "string", "pattern": r"^\p{L}+$"}
    assert problems(schema, "Ünï") == []
    assert problems(schema, "7") == [("", r'does not match "^\p{L}+$", got "7"')]


def test_a_remote_reference_is_never_fetched() -> None:
    with pytest.raises(ValueError, match="never fetched"):
        Validator({"$ref": "http://127.0.0.1:9/schema.json"})
