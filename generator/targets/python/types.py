"""Python types of JSON Schemas: expressions for signatures, and the models they refer to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ...model.api import Definitions
from ...model.nodes import Schema
from .expressions import ANY, NEVER, Container, Expression, Reference, literals, union
from .merging import STRUCTURE, conjuncts, has_structure, merged
from .modelnames import camel
from .shapes import (
    SCALARS,
    closed_set,
    identity,
    is_inline_object,
    only_requires,
    plain_type,
    said,
    type_names,
)

Side: TypeAlias = Literal["input", "output"]

_PREFIX = "#/$defs/"
_WIDEST = 64
"""How many branches unions inside unions may come to before they are any value: each union
doubles them that stands both alone and beside something."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where an inline schema stands: the class name that says so, and a key that is unique."""

    name: str
    key: str

    def child(self, word: str) -> "Context":
        """The place one step further in."""
        return Context(self.name + camel(word), f"{self.key}/{word}")

    def branch(self, number: int, schema: Schema) -> "Context":
        """The place of one branch of a union, called by what tells it from the others."""
        called = "" if isinstance(schema, bool) else _called(schema)
        return Context(self.name + (called or f"Option{number}"), f"{self.key}/option {number}")


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
        self._composing: dict[tuple[object, ...], str] = {}  # parts of an allOf → model key
        self._branching: list[int] = []  # the lists of branches being read, by identity
        self._spread = 1  # how often what stands beside unions is repeated where we are

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
        plain = plain_type(schema)
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
            if self.models[key].fields:  # an object among others, which needs a name of its own
                for stale in [other for other in self.models if other.startswith(f"{key}/")]:
                    del self.models[stale]
                expression = self._type(schema, side, context.child("object"))
            text = "" if isinstance(schema, bool) else said(schema)
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
            return self._composed(schema, side, context)
        return self._flat(schema, side, context)

    def _composed(self, schema: Mapping[str, Any], side: Side, context: Context) -> Expression:
        """The type of everything a schema is composed of; one inside itself is found again."""
        parts = tuple(map(identity, conjuncts(schema)))
        outer = self._composing.get(parts)
        if outer in self.models and context.key.startswith(f"{outer}/"):
            return Reference(outer)
        self._composing[parts] = context.key
        own = _PREFIX + context.key.partition(" ")[0]
        whole = merged(schema, lambda reference: self._resolve(side, reference), own)
        return self._flat(whole, side, context)

    def _flat(self, schema: Mapping[str, Any], side: Side, context: Context) -> Expression:
        """The type of a schema without `$ref` and `allOf`."""
        scalars = closed_set(schema)
        if scalars is not None:
            return literals(scalars)
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema and id(schema[keyword]) not in self._branching:
                self._branching.append(id(schema[keyword]))
                expression = self._union(schema, keyword, side, context)
                self._branching.pop()
                return expression
        names = type_names(schema)
        if len(names) == 1:
            return self._named(names[0], schema, side, context)
        return union(self._named(name, schema, side, context) for name in names)

    def _union(
        self, schema: Mapping[str, Any], keyword: str, side: Side, context: Context
    ) -> Expression:
        """A union; structure beside it holds in every branch, and branches may only add bounds."""
        own = {key: value for key, value in schema.items() if key != keyword}
        branches: list[Schema] = [branch for branch in schema[keyword] if branch is not False]
        if not has_structure(own):
            own = {}
        elif all(only_requires(branch) for branch in branches):
            return self._flat(own, side, context)
        spread = self._spread * len(branches) if own else self._spread
        if spread > _WIDEST and self._spread > 1:
            return ANY
        many = len(branches) > 1 and (bool(own) or sum(map(is_inline_object, branches)) > 1)
        outer, self._spread = self._spread, spread
        members = [
            self._branch(own, branch, side, context.branch(number, branch) if many else context)
            for number, branch in enumerate(branches, 1)
        ]
        self._spread = outer
        return union(members)

    def _branch(
        self, own: Mapping[str, Any], branch: Schema, side: Side, context: Context
    ) -> Expression:
        """One branch together with what stands beside the union, unless it says that itself."""
        if isinstance(branch, bool) or not own or self._holds(own, branch, side):
            return self._type(branch, side, context)
        return self._type({**own, "allOf": [branch]}, side, context)

    def _holds(self, own: Mapping[str, Any], branch: Mapping[str, Any], side: Side) -> bool:
        """A branch that is a definition repeats what stands beside the union."""
        beside = {key for key in own if key in STRUCTURE} - {"type", "required"}
        if "$ref" not in branch or beside - {"properties"}:
            return False
        whole = merged(branch, lambda reference: self._resolve(side, reference))
        repeated: Mapping[str, Schema] = whole.get("properties", {})
        return all(name in repeated for name in own.get("properties", ()))

    def _named(
        self, name: str, schema: Mapping[str, Any], side: Side, context: Context
    ) -> Expression:
        """The type of those values of a schema that have this JSON type."""
        if name == "object":
            return self._object(schema, side, context)
        if name == "array":
            return Container("list", self._item(schema, side, context.child("item")))
        return SCALARS.get(name, ANY)

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
        self.models[context.key] = Model(context, said(schema), ())
        required = list(dict.fromkeys(schema.get("required", ())))
        names = [*required, *sorted(properties.keys() - set(required))]
        self.models[context.key] = Model(
            context,
            said(schema),
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


def _called(branch: Mapping[str, Any]) -> str:
    """A branch's title, the one value of its tag, or the definition that it refers to."""
    properties: Mapping[str, Schema] = branch.get("properties", {})
    tags = [
        value
        for member in properties.values()
        if not isinstance(member, bool) and len(values := closed_set(member) or ()) == 1
        for value in values
        if isinstance(value, str)
    ]
    tag = tags[0] if len(tags) == 1 else ""
    defined = str(branch.get("$ref", "")).removeprefix(_PREFIX)
    return camel(str(branch.get("title", ""))) or camel(tag) or camel(defined)


def variant(name: str, side: Side, names: Mapping[str, str]) -> str:
    """The key of a definition's model: its own, or the input's where the sides differ."""
    key = f"{name} input"
    return key if side == "input" and key in names else name
