"""Python types of JSON Schemas: expressions for signatures, and the models they refer to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ...model import Definitions, Schema
from .expressions import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    STR,
    Container,
    Expression,
    Reference,
    Union,
    literals,
    union,
)
from .merging import STRUCTURE, has_structure, merged
from .modelnames import camel

Side: TypeAlias = Literal["input", "output"]

_PREFIX = "#/$defs/"
_SCALARS = {"string": STR, "integer": INT, "number": FLOAT, "boolean": BOOL, "null": NONE}
_JSON_TYPES = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_OBJECT = ("properties", "required", "additionalProperties", "patternProperties")


@dataclass(frozen=True, slots=True)
class Context:
    """Where an inline schema stands: the class name that says so, and a key that is unique."""

    name: str
    key: str

    def child(self, word: str) -> "Context":
        """The place one step further in."""
        return Context(self.name + camel(word), f"{self.key}/{word}")


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a TypedDict."""

    name: str
    required: bool
    type: Expression
    text: str


@dataclass(frozen=True, slots=True)
class Model:
    """A class of `fields`, or without them an alias of `type`."""

    context: Context
    text: str
    fields: tuple[Field, ...]
    type: Expression | None = None


class Types:
    """Reads schemas of a catalogue; whatever model an expression mentions is in `models`.

    A definition is one model for both sides where it means the same on both.
    """

    def __init__(self, definitions: Definitions, names: Mapping[str, str]) -> None:
        """`names` are the class names of definitions, by `variant` keys."""
        self.models: dict[str, Model] = {}
        self._sides: dict[Side, Mapping[str, Schema]] = {
            "input": definitions.input,
            "output": definitions.output,
        }
        self._names = names
        self._waiting: list[tuple[str, str, Side]] = []

    def type_of(self, schema: Schema, side: Side, context: Context) -> Expression:
        """The type of a schema's values; models it needs are planned with it."""
        expression = self._type(schema, side, context)
        while self._waiting:
            key, name, reached = self._waiting.pop()
            self._define(key, name, reached)
        return expression

    # ── definitions ─────────────────────────────────────────────────────────────────

    def _resolve(self, side: Side, reference: str) -> Schema | None:
        return self._sides[side].get(reference.removeprefix(_PREFIX))

    def _reference(self, reference: str, side: Side) -> Expression:
        name = reference.removeprefix(_PREFIX)
        schema = self._sides[side].get(name)
        if schema is None:
            return ANY
        plain = _plain(schema)
        if plain is not None:
            return plain
        key = variant(name, side, self._names)
        if key not in self.models:
            self.models[key] = Model(Context(self._names[key], key), "", (), ANY)
            self._waiting.append((key, name, side))
        return Reference(key)

    def _define(self, key: str, name: str, side: Side) -> None:
        schema = self._sides[side][name]
        context = Context(self._names[key], key)
        expression = self._type(schema, side, context)
        if expression != Reference(key):
            text = "" if isinstance(schema, bool) else _text(schema)
            self.models[key] = Model(context, text, (), expression)

    # ── schemas ─────────────────────────────────────────────────────────────────────

    def _type(self, schema: Schema, side: Side, context: Context) -> Expression:
        if isinstance(schema, bool):
            return ANY if schema else NEVER
        structure = {key for key in schema if key in STRUCTURE}
        if structure == {"$ref"}:
            return self._reference(schema["$ref"], side)
        if structure == {"allOf"}:
            parts = [part for part in schema["allOf"] if has_structure(part)]
            if len(parts) == 1:
                return self._type(parts[0], side, context)
        if "$ref" in structure or "allOf" in structure:
            schema = merged(schema, lambda reference: self._resolve(side, reference))
        values = _values(schema)
        if values is not None:
            return literals(values)
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                return self._union(schema, keyword, side, context)
        return union(self._types(schema, side, context))

    def _union(
        self, schema: Mapping[str, Any], keyword: str, side: Side, context: Context
    ) -> Expression:
        """A union; structure beside it holds in every branch, and branches may only add bounds."""
        own = {key: value for key, value in schema.items() if key != keyword}
        branches: list[Schema] = [branch for branch in schema[keyword] if branch is not False]
        if not has_structure(own):
            own = {}
        elif all(_only_requires(branch) for branch in branches):
            return self._type(own, side, context)
        many = sum(1 for branch in branches if _is_inline_object(branch)) > 1 or bool(own)
        return union(
            self._type(
                {**own, "allOf": [branch]} if own else branch,
                side,
                context.child(f"option {number}") if many and len(branches) > 1 else context,
            )
            for number, branch in enumerate(branches, 1)
        )

    def _types(
        self, schema: Mapping[str, Any], side: Side, context: Context
    ) -> Iterator[Expression]:
        for name in _type_names(schema):
            if name == "object":
                yield self._object(schema, side, context)
            elif name == "array":
                yield Container("list", self._item(schema, side, context.child("item")))
            else:
                yield _SCALARS.get(name, ANY)

    def _item(self, schema: Mapping[str, Any], side: Side, context: Context) -> Expression:
        rest = schema.get("items", True)
        first = schema.get("prefixItems", ())
        items = [*first, *([rest] if rest is not False and not (first and rest is True) else [])]
        if len(items) == 1:
            return self._type(items[0], side, context)
        return union(
            self._type(item, side, context.child(str(number)))
            for number, item in enumerate(items, 1)
        )

    def _object(self, schema: Mapping[str, Any], side: Side, context: Context) -> Expression:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        if not any(entry is not False for entry in properties.values()):
            return Container("dict", self._value(schema, side, context.child("value")))
        # Planned before its fields are read, so that a schema that holds itself finds it.
        self.models[context.key] = Model(context, _text(schema), ())
        required = list(dict.fromkeys(schema.get("required", ())))
        names = [*required, *sorted(properties.keys() - set(required))]
        self.models[context.key] = Model(
            context,
            _text(schema),
            tuple(
                self._field(name, properties.get(name, True), name in required, side, context)
                for name in names
                if properties.get(name) is not False
            ),
        )
        return Reference(context.key)

    def _field(
        self, name: str, schema: Schema, required: bool, side: Side, context: Context
    ) -> Field:
        expression = self._type(schema, side, context.child(name))
        text = "" if isinstance(schema, bool) else str(schema.get("description", ""))
        return Field(name, required, expression, text)

    def _value(self, schema: Mapping[str, Any], side: Side, context: Context) -> Expression:
        values = [
            schema.get("additionalProperties", False),
            *dict(sorted(schema.get("patternProperties", {}).items())).values(),
        ]
        schemas = [value for value in values if value is not False]
        if not schemas:
            return ANY
        return union(self._type(value, side, context) for value in schemas)


def variant(name: str, side: Side, names: Mapping[str, str]) -> str:
    """The key of a definition's model: its own, or the input's where the sides differ."""
    key = f"{name} input"
    return key if side == "input" and key in names else name


def _plain(schema: Schema) -> Expression | None:
    """The type of a definition too simple to be a model of its own."""
    if isinstance(schema, bool):
        return ANY if schema else NEVER
    structure = {key for key in schema if key in STRUCTURE}
    if not structure:
        return ANY
    if structure != {"type"}:
        return None
    names = _type_names(schema)
    if any(name in ("object", "array") for name in names):
        return None
    return union(_SCALARS.get(name, ANY) for name in names)


def _type_names(schema: Mapping[str, Any]) -> list[str]:
    """The JSON types of a schema; keywords that only make sense for one type imply it."""
    names = schema.get("type")
    if names is not None:
        return [names] if isinstance(names, str) else list(names)
    if any(keyword in schema for keyword in _OBJECT):
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["array"]
    return [""]


def _values(schema: Mapping[str, Any]) -> Sequence[object] | None:
    """The scalars of `const` or `enum` that the type allows; None where they say nothing."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not values or any(isinstance(value, dict | list) for value in values):
        return None
    names = _type_names(schema)
    if names == [""]:
        return list(values)
    allowed = tuple(kind for name in names for kind in _JSON_TYPES.get(name, ()))
    fitting = [
        value
        for value in values
        if isinstance(value, allowed) and (bool in allowed or not isinstance(value, bool))
    ]
    return fitting or None


def _only_requires(branch: Schema) -> bool:
    return not isinstance(branch, bool) and STRUCTURE.isdisjoint(branch.keys() - {"required"})


def _is_inline_object(branch: Schema) -> bool:
    return not isinstance(branch, bool) and ("properties" in branch or "items" in branch)


def _text(schema: Mapping[str, Any]) -> str:
    return str(schema.get("description") or schema.get("title") or "")


def is_none(expression: Expression) -> bool:
    """The expression admits None."""
    return expression == NONE or (isinstance(expression, Union) and NONE in expression.members)
