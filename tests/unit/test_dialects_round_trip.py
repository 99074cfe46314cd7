"""What a model answers to a strict schema comes back as the value that it means."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.unit.offered import TEXT, spec, takes
from toolmint.runtime.dialects import Export, Provider, export
from toolmint.runtime.validation import Validator


@dataclass
class Said:
    """A schema, a value that it takes, and how a model says that value in strict mode."""

    schema: dict[str, Any]
    value: Any
    answer: Any


LEAVES: tuple[tuple[dict[str, Any], tuple[Any, ...]], ...] = (
    ({"type": "string"}, ("", "a")),
    ({"enum": ["a", "b"]}, ("a", "b")),
    ({"const": "b"}, ("b",)),
    ({"type": "integer"}, (0, 1)),
    ({"type": "boolean"}, (True, False)),
    ({"type": ["string", "null"], "enum": ["a", None]}, ("a", None)),
    ({"type": "null"}, (None,)),
)
KINDS = ("leaf", "object", "map", "array", "anyOf", "oneOf", "allOf", "$ref")


class Drawing:
    """Draws schemas with their values. `optional`: what is left out is left out, not null."""

    def __init__(self, draw: st.DrawFn, *, optional: bool) -> None:
        self.definitions: dict[str, Any] = {}
        self._draw = draw
        self._optional = optional

    def any(self, levels: int) -> Said:
        kind = self._draw(st.sampled_from(KINDS if levels else KINDS[:1]))
        below = levels - 1
        match kind:
            case "object":
                return self.object(below)
            case "map":
                return self.map(below)
            case "array":
                items = self._some(below)
                return Said(
                    {"type": "array", "items": items[0].schema},
                    [one.value for one in items[1:]],
                    [one.answer for one in items[1:]],
                )
            case "anyOf" | "oneOf":
                choices = [self.any(below), self.any(below)]
                taken = self._draw(st.sampled_from(choices))
                schema = {kind: [one.schema for one in choices]}
                return Said(schema, taken.value, taken.answer)
            case "allOf":
                one, other = self.object(below, "ab"), self.object(below, "cd")
                for part in (one, other):
                    part.schema.pop("additionalProperties", None)
                return Said(
                    {"allOf": [one.schema, other.schema]},
                    one.value | other.value,
                    one.answer | other.answer,
                )
            case "$ref":
                name, inside = f"D{len(self.definitions)}", self.any(below)
                self.definitions[name] = inside.schema
                return Said({"$ref": f"#/$defs/{name}"}, inside.value, inside.answer)
            case _:
                schema, values = self._draw(st.sampled_from(LEAVES))
                value = self._draw(st.sampled_from(values))
                return Said(schema, value, value)

    def object(self, levels: int, names: str = "ab") -> Said:
        closed = self._draw(st.booleans())
        said = Said({"type": "object", "properties": {}, "required": []}, {}, {})
        if closed:
            said.schema["additionalProperties"] = False
        for name in self._draw(st.sampled_from(("", names[0], names))):
            inside = self.any(levels)
            said.schema["properties"][name] = inside.schema
            if self._draw(st.booleans()):
                said.schema["required"].append(name)
            if name in said.schema["required"] or self._draw(st.booleans()):
                said.value[name], said.answer[name] = inside.value, inside.answer
            elif not self._optional:
                said.answer[name] = None
        return said

    def map(self, levels: int) -> Said:
        first, *rest = self._some(levels)
        keys = "kl"[: len(rest)]
        return Said(
            {"type": "object", "additionalProperties": first.schema},
            {key: one.value for key, one in zip(keys, rest, strict=True)},
            [{"key": key, "value": one.answer} for key, one in zip(keys, rest, strict=True)],
        )

    def _some(self, levels: int) -> list[Said]:
        """One for its schema, and up to two values of it."""
        one = self.any(levels)
        return [one, *[one] * self._draw(st.integers(0, 2))]


@st.composite
def said(draw: st.DrawFn, *, optional: bool) -> Said:
    drawing = Drawing(draw, optional=optional)
    whole = drawing.object(3)
    whole.schema |= {"additionalProperties": False, "$defs": drawing.definitions}
    return whole


def sent(exported: Export) -> tuple[dict[str, Any], bool]:
    """The schema that a model is shown, and whether it is strict."""
    tool = exported.payload[0].get("function", exported.payload[0])
    return tool.get("parameters", tool.get("input_schema")), tool.get("strict", False)


def check(whole: Said, provider: Provider) -> None:
    exported = export([spec(whole.schema)], provider, strict=True)
    schema, strict = sent(exported)
    assume(strict and not Validator(whole.schema).problems(whole.value))
    assert Validator(schema).problems(whole.answer) == []
    _, value = exported.restore("t", whole.answer)
    assert json.dumps(value, sort_keys=True) == json.dumps(whole.value, sort_keys=True)


@given(said(optional=False))
def test_openais_way_and_back(whole: Said) -> None:
    check(whole, "openai")


@given(said(optional=True))
def test_anthropics_way_and_back(whole: Said) -> None:
    check(whole, "anthropic")


TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": TEXT}
LIST: dict[str, Any] = {"type": "array", "items": TEXT}
OPTIONAL, NULLABLE = takes(a=TEXT), takes(("a",), a={"type": ["string", "null"]})
CIRCLE = {"anyOf": [{"$ref": "#/$defs/C"}, TEXT]}


@pytest.mark.parametrize(
    ("choices", "strict"),
    [
        ([TEXTS, LIST], False),  # [] is both
        ([TEXTS, {"type": "array", "items": takes(("b",), b=TEXT)}], False),
        ([OPTIONAL, NULLABLE], False),  # {"a": null} is both
        ([takes(("m",), m=TEXTS), takes(("m",), m=LIST)], False),
        ([OPTIONAL, takes(("b",), b=TEXT)], True),
        (
            [takes(("a",), a={"const": "x"}, b=TEXT), takes(("a", "b"), a={"const": "y"}, b=TEXT)],
            True,
        ),
        ([takes(("a",), a={"const": 1}, b=TEXT), NULLABLE | {"required": ["a"]}], True),
        ([TEXTS, TEXT], True),
        (
            [{"type": "array", "items": TEXTS}, {"type": "array", "items": {"type": "integer"}}],
            True,
        ),
    ],
)
def test_alternatives_that_would_be_sent_alike_are_not_strict(choices: Any, strict: bool) -> None:
    exported = export([spec(takes(("to",), to={"anyOf": choices}))], "openai", strict=True)
    assert sent(exported)[1] is strict
    if not strict:
        assert str(exported.changes[0]) == (
            "t: not strict: /properties/to has alternatives that would be sent alike"
        )


def test_a_circle_of_references_is_not_strict() -> None:
    schema = takes(("c",), c={"$ref": "#/$defs/C"}) | {"$defs": {"C": CIRCLE}}
    exported = export([spec(schema)], "openai", strict=True)
    assert sent(exported)[1] is False
    assert str(exported.changes[0]) == (
        "t: not strict: /$defs/C/anyOf/0 refers to itself and to nothing inside"
    )
