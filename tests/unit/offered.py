"""Tools as they are offered to models, small ones and odd ones, for tests of exports."""

from typing import Any

from toolmint.runtime.agent.conversation import ToolSpec
from toolmint.runtime.operation import Effects

READS = Effects(read_only=True, idempotent=True)


def spec(schema: dict[str, Any], name: str = "t", *, reads: bool = False) -> ToolSpec:
    """A tool that takes what the schema says."""
    return ToolSpec(name, "Do it.", schema, READS if reads else Effects())


def takes(required: tuple[str, ...] = (), /, **members: Any) -> dict[str, Any]:
    """A closed object."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": members,
        "additionalProperties": False,
    }
    return {**schema, "required": list(required)} if required else schema


TEXT = {"type": "string"}
TREE = {
    "type": "object",
    "properties": {"name": TEXT, "below": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
    "required": ["name"],
    "additionalProperties": False,
}
RING = {
    "type": "object",
    "properties": {"next": {"$ref": "#/$defs/Ring"}},
    "required": ["next"],
}

ODD: dict[str, dict[str, Any]] = {
    "nothing": {"type": "object"},
    "plain": takes(("id",), id={"type": "integer"}, note=TEXT),
    "no_type": {"properties": {"a": TEXT}},
    "nullable_optional": takes(title={"type": ["string", "null"]}),
    "nullable_required": takes(("title",), title={"type": ["string", "null"]}),
    "anything": takes(("value",), value={}),
    "never": takes(value=False),
    "always": takes(value=True),
    "open": {"type": "object", "properties": {"a": TEXT}, "additionalProperties": True},
    "map": takes(("labels",), labels={"type": "object", "additionalProperties": TEXT}),
    "map_of_maps": takes(
        labels={
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "integer"}},
        }
    ),
    "pattern_properties": takes(
        m={"type": "object", "patternProperties": {"^x": TEXT}, "additionalProperties": False}
    ),
    "root_choice": {"type": "object", "oneOf": [takes(("a",), a=TEXT), takes(("b",), b=TEXT)]},
    "root_reference": {"$ref": "#/$defs/Tree", "$defs": {"Tree": TREE}},
    "recursive": {**takes(("tree",), tree={"$ref": "#/$defs/Tree"}), "$defs": {"Tree": TREE}},
    "ring": {**takes(("ring",), ring={"$ref": "#/$defs/Ring"}), "$defs": {"Ring": RING}},
    "described_reference": {
        **takes(tree={"$ref": "#/$defs/Tree", "description": "The top."}),
        "$defs": {"Tree": TREE},
    },
    "choice": takes(
        ("to",), to={"oneOf": [TEXT, {"type": "array", "items": TEXT}], "description": "Whom."}
    ),
    "demands": takes(
        ("o",), o={**takes(a=TEXT, b=TEXT), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    ),
    "beside_choices": takes(("o",), o={**takes(a=TEXT), "anyOf": [takes(b=TEXT), takes(c=TEXT)]}),
    "all_of": {
        **takes(
            ("o",),
            o={"allOf": [{"$ref": "#/$defs/Named"}, {"properties": {"age": {"type": "integer"}}}]},
        ),
        "$defs": {"Named": {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}},
    },
    "all_of_clash": takes(o={"allOf": [takes(a=TEXT), takes(a={"type": "integer"})]}),
    "conditional": takes(o={**takes(a=TEXT), "if": {"required": ["a"]}, "then": {}}),
    "tuple": takes(pair={"type": "array", "prefixItems": [TEXT, {"type": "integer"}]}),
    "bare_array": takes(("list",), list={"type": "array"}),
    "narrow": takes(
        ("n",),
        n={"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "default": 3},
        s={"type": "string", "minLength": 2, "pattern": "^(?!x)", "format": "hostname"},
        w={"type": "string", "format": "binary", "pattern": "^[a-z]{2,3}$"},
        a={"type": "array", "items": TEXT, "minItems": 3, "uniqueItems": True},
    ),
    "values": takes(
        e={"enum": ["a", "b", None]},
        c={"const": 3},
        b={"type": "boolean", "enum": [True]},
        o={"enum": [{"a": 1}]},
    ),
    "odd_names": takes(
        ("filter[state]",),
        **{"filter[state]": TEXT, "$top": {"type": "integer"}, "per-page": TEXT, "7": TEXT},
    ),
    "long_name": takes(**{"a" * 70: TEXT, "a" * 71: TEXT}),
    "many": takes(**{f"a{n}": TEXT for n in range(30)}),
    "deep": takes(),
    "long_enum": takes(("e",), e={"type": "string", "enum": [f"v{n}" for n in range(1100)]}),
}

_deep = takes(("leaf",), leaf=TEXT)
for _ in range(11):
    _deep = takes(("below",), below=_deep)
ODD["deep"] = _deep
