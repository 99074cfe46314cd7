"""JSON Schemas as Python types: what a caller may pass and what a result holds."""

from typing import Any

import pytest

from toolmint.generator.model.api import Definitions
from toolmint.generator.model.nodes import Schema
from toolmint.generator.targets.python.expressions import Scope
from toolmint.generator.targets.python.modelnames import definition_names
from toolmint.generator.targets.python.models import PrintedModel, model_names, printed_models
from toolmint.generator.targets.python.types import Context, Side, Types


class Read:
    """A schema with its definitions, read as the argument or result of a tool `Get`."""

    def __init__(
        self,
        schema: Schema,
        definitions: dict[str, Any] | None = None,
        output: dict[str, Any] | None = None,
        side: Side = "input",
    ) -> None:
        known = Definitions(input=definitions or {}, output=output or definitions or {})
        named = definition_names(known)
        types = Types(known, named)
        self.expression = types.type_of(schema, side, Context("Get", "tool get"))
        self.scope = Scope(model_names(types, named))
        self.models = {model.name: model for model in printed_models(types, self.scope)}

    @property
    def type(self) -> str:
        return self.scope.flat(self.expression)

    def fields(self, model: str) -> dict[str, str]:
        return {field.name: field.type for field in self.models[model].fields}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, "Any"),
        (False, "Never"),
        ({}, "Any"),
        ({"type": "string"}, "str"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["null", "integer", "string"]}, "int | str | None"),
        ({"type": ["integer", "number"]}, "float"),
        ({"type": "array"}, "list[Any]"),
        ({"items": {"type": "integer"}}, "list[int]"),
        ({"prefixItems": [{"type": "integer"}, {"type": "string"}]}, "list[int | str]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"additionalProperties": {"type": "boolean"}}, "dict[str, bool]"),
        ({"patternProperties": {"^x": {"type": "string"}}}, "dict[str, str]"),
        ({"enum": ["a", "b", None]}, 'Literal["a", "b"] | None'),
        ({"type": "string", "enum": ["a", 1]}, 'Literal["a"]'),
        ({"enum": [1, True, 1.5]}, "Literal[1, True] | float"),
        ({"const": 'say "hi"'}, "Literal['say \"hi\"']"),
        ({"enum": [{"a": 1}], "type": "object"}, "dict[str, Any]"),
        ({"oneOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}, 'Literal["a", "b"] | None'),
        ({"anyOf": [{"type": "string"}, {}]}, "Any"),
        ({"type": "string", "anyOf": [{"minLength": 2}, {"pattern": "x"}]}, "str"),
        ({"allOf": [{"type": "string"}, {"description": "d"}]}, "str"),
    ],
)
def test_a_schema_is_the_type_of_its_values(schema: Schema, expected: str) -> None:
    assert Read(schema).type == expected


def test_an_object_is_a_typed_dict_whose_required_keys_come_first_as_ranked() -> None:
    read = Read(
        {
            "properties": {
                "b": {"type": "integer"},
                "a": {"type": "string"},
                "z": {"type": "string"},
                "y": True,
                "gone": False,
            },
            "required": ["z", "y", "more"],
        }
    )
    assert read.type == "Get"
    assert list(read.fields("Get").items()) == [
        ("z", "str"),
        ("y", "Any"),
        ("more", "Any"),
        ("a", "NotRequired[str]"),
        ("b", "NotRequired[int]"),
    ]


def test_inline_objects_are_named_by_where_they_stand() -> None:
    inner = {"type": "array", "items": {"properties": {"x": {"properties": {"y": True}}}}}
    read = Read({"properties": {"labels": inner}})
    assert sorted(read.models) == ["Get", "GetLabelsItem", "GetLabelsItemX"]


def test_an_inline_object_makes_way_for_a_definition_of_its_name() -> None:
    read = Read(
        {"properties": {"a": {"properties": {"x": True}}, "b": {"$ref": "#/$defs/GetA"}}},
        {"GetA": {"properties": {"y": True}}},
    )
    assert read.fields("Get") == {
        "a": "NotRequired[GetA_595a05]",
        "b": "NotRequired[GetA]",
    }


def test_definitions_that_differ_only_in_spelling_get_a_hash_and_reserved_names_a_suffix() -> None:
    names = definition_names(
        Definitions(
            input={name: {} for name in ("foo-bar", "fooBar", "Any", "none", "列表", "2fa")},
            output={},
        )
    )
    assert names == {
        "foo-bar": "FooBar_7d89c4",
        "fooBar": "FooBar_5a906c",
        "Any": "AnyModel",
        "none": "NoneModel",
        "列表": "Model",
        "2fa": "Model2fa",
    }


def test_a_definition_is_one_class_unless_its_sides_differ_also_by_what_it_holds() -> None:
    node = {"properties": {"leaf": {"$ref": "#/$defs/Leaf"}}}
    same = {"properties": {"x": {"type": "string"}}}
    given: dict[str, Any] = {"Node": node, "Leaf": {"properties": {"gone": False}}, "Same": same}
    returned: dict[str, Any] = {
        "Node": node,
        "Leaf": {"properties": {"id": {"type": "string"}}},
        "Same": same,
    }
    both = Definitions(input=given, output=returned)
    assert definition_names(both) == {
        "Leaf": "Leaf",
        "Leaf input": "LeafInput",
        "Node": "Node",
        "Node input": "NodeInput",
        "Same": "Same",
    }
    assert Read({"$ref": "#/$defs/Node"}, given, returned, "input").type == "NodeInput"
    assert Read({"$ref": "#/$defs/Node"}, given, returned, "output").type == "Node"


def test_recursion_stays_and_an_alias_of_itself_is_what_else_it_may_be() -> None:
    read = Read(
        {"anyOf": [{"$ref": "#/$defs/Json"}, {"$ref": "#/$defs/Ring"}]},
        {
            "Json": {
                "oneOf": [
                    {"type": "string"},
                    {"type": "array", "items": {"$ref": "#/$defs/Json"}},
                ]
            },
            "Ring": {"oneOf": [{"$ref": "#/$defs/Ring"}, {"type": "string"}]},
        },
    )
    assert {name: model.type for name, model in read.models.items()} == {
        "Json": '"str | list[Json]"',
        "Ring": "str",
    }


def test_a_base_is_the_union_of_its_subtypes_and_each_holds_what_the_base_says() -> None:
    def subtype(name: str) -> dict[str, Any]:
        return {"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {name: {"type": "string"}}}]}

    read = Read(
        {"$ref": "#/$defs/Base"},
        {
            "Base": {
                "properties": {"kind": {"type": "string"}},
                "required": ["kind"],
                "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
            },
            "A": subtype("a"),
            "B": subtype("b"),
        },
    )
    assert read.models["Base"].type == '"A | B"'
    assert read.fields("A") == {"kind": "str", "a": "NotRequired[str]"}
    assert read.fields("B") == {"kind": "str", "b": "NotRequired[str]"}


def test_branches_are_called_by_what_tells_them_apart() -> None:
    def branch(**said: Any) -> dict[str, Any]:
        return {"type": "object", "properties": {"x": {"type": "string"}}, **said}

    cat = {"$ref": "#/$defs/Pet", "properties": {"kind": {"const": "house cat"}}}
    read = Read(
        {
            "oneOf": [
                branch(title="By id"),
                cat,
                {"$ref": "#/$defs/Pet", "required": ["y"]},
                branch(properties={"a": {"const": "A"}, "b": {"const": "B"}}),
                branch(properties={"a": {"enum": ["a", "b"]}, "b": True, "c": {"enum": ["c"]}}),
            ]
        },
        {"Pet": {"properties": {"kind": {"type": "string"}}}},
    )
    assert read.type == "GetById | GetHouseCat | GetPet | GetOption4 | GetC"


def test_compositions_inside_themselves_end() -> None:
    read = Read(
        {"$ref": "#/$defs/Both"},
        {
            "Both": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
            "A": {"properties": {"p": {"$ref": "#/$defs/A"}}},
            "B": {"properties": {"p": {"$ref": "#/$defs/B"}}},
        },
    )
    assert read.fields("Both") == {"p": "NotRequired[Both]"}


def test_bases_that_are_inherited_on_many_ways_are_read_once() -> None:
    last = 200
    definitions: dict[str, Any] = {
        f"S{level}": {
            "allOf": [
                {"$ref": f"#/$defs/S{level + 1}"},
                {"$ref": f"#/$defs/S{level + 1}"},
                {"properties": {f"p{level}": {"type": "string"}}},
            ]
        }
        for level in range(last)
    }
    read = Read({"$ref": "#/$defs/S0"}, {**definitions, f"S{last}": {"type": "object"}})
    assert read.fields("S0") == {
        f"p{level}": "NotRequired[str]" for level in sorted(range(last), key=str)
    }


def test_unions_beside_what_holds_in_each_branch_do_not_multiply_without_end() -> None:
    def level(number: int) -> dict[str, Any]:
        below = {"$ref": f"#/$defs/S{number + 1}"}
        return {"oneOf": [below, {"allOf": [below, {"properties": {"z": {}}}]}]}

    def read(levels: int) -> Read:
        definitions = {f"S{number}": level(number) for number in range(levels)}
        return Read({"$ref": "#/$defs/S0"}, {**definitions, f"S{levels}": {"type": "object"}})

    branches = [name for name in read(7).models if name.startswith("S0") and name != "S0"]
    assert (len(branches), read(8).models["S0"].type) == (64, "Any")
    assert len(read(20).models) == len(branches) * 2 + 19


def test_an_object_among_other_types_of_a_definition_has_a_name_of_its_own() -> None:
    read = Read(
        {"$ref": "#/$defs/Maybe"},
        {"Maybe": {"type": ["object", "null"], "properties": {"x": True}}},
    )
    assert read.models["Maybe"].type == '"MaybeObject | None"'
    assert list(read.models) == ["Maybe", "MaybeObject"]


@pytest.mark.parametrize("key", ["class", "a-b", "__mangled", "str", "NotRequired", "é", "x" * 61])
def test_keys_that_class_syntax_cannot_hold_take_the_functional_form(key: str) -> None:
    read = Read({"properties": {key: {"type": "string"}}})
    assert read.models["Get"] == PrintedModel("call", "Get", "", read.models["Get"].fields)
    assert list(read.fields("Get").values()) == ['"NotRequired[str]"']


def test_a_key_that_hides_no_type_of_its_class_stays_in_class_syntax() -> None:
    assert Read({"properties": {"list": {"type": "string"}}}).models["Get"].kind == "class"


def test_other_definitions_and_another_order_rename_nothing() -> None:
    schema = {"properties": {"a": {"properties": {"x": True}}, "b": {"$ref": "#/$defs/B"}}}
    definitions = {"B": {"properties": {"c": {"properties": {"d": True}}}}}
    alone = Read(schema, definitions)
    beside = Read(schema, {"Z": {"properties": {"a": True}}, **definitions, "A": {}})
    assert beside.models == alone.models
