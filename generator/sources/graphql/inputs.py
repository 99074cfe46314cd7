"""Input types as JSON Schema: enums, input objects and scalars, recursion kept."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...model.arguments import Argument
from ...model.nodes import Schema as JsonSchema
from .scalars import Scalars, is_upload
from .schema import (
    ABSENT,
    Enum,
    Input,
    InputObject,
    ListOf,
    Named,
    NonNull,
    Scalar,
    Schema,
    TypeRef,
    named,
)

_PREFIX = "#/$defs/"


def _named(field: Input) -> str:
    return named(field.type)


class Inputs:
    """Makes the input schemas of one GraphQL schema."""

    def __init__(
        self, schema: Schema, scalars: Scalars, unused: frozenset[str] = frozenset()
    ) -> None:
        self._schema = schema
        self._scalars = scalars
        self._unused = unused  # members that only serve a client library

    def definitions(self) -> dict[str, JsonSchema]:
        """Every enum and input object by its name, sorted."""
        return {
            name: self._definition(kind)
            for name, kind in sorted(self._schema.types.items())
            if isinstance(kind, Enum | InputObject)
        }

    def of(self, declared: Input) -> dict[str, Any]:
        """An argument's schema: its type, description, default and deprecation."""
        made = dict(self.type(declared.type))
        text = "\n\n".join(part for part in (declared.description, _advice(declared)) if part)
        if text:
            made["description"] = text
        if declared.deprecated is not None:
            made["deprecated"] = True
        if declared.default is not ABSENT:
            made["default"] = declared.default
        return made

    def type(self, reference: TypeRef) -> Mapping[str, Any]:
        """The schema of a type; null is taken unless the type says no."""
        if isinstance(reference, NonNull):
            return self._value(reference.of)
        return or_null(self._value(reference))

    def uploads(self, name: str, reference: TypeRef) -> Iterator[str]:
        """Where files may stand in an argument: `input.file`, `files.*`."""
        yield from self._uploads(name, reference, frozenset())

    def _uploads(self, place: str, reference: TypeRef, path: frozenset[str]) -> Iterator[str]:
        match reference:
            case NonNull(of):
                yield from self._uploads(place, of, path)
            case ListOf(of):
                yield from self._uploads(f"{place}.*", of, path)
            case Named(name):
                kind = self._schema.types.get(name)
                if isinstance(kind, Scalar) and is_upload(name):
                    yield place
                elif isinstance(kind, InputObject) and name in self._carriers - path:
                    for field in kind.fields:
                        below = f"{place}.{field.name}"
                        yield from self._uploads(below, field.type, path | {name})

    @cached_property
    def _carriers(self) -> frozenset[str]:
        """The input objects that can hold a file somewhere below."""
        found: set[str] = set()
        objects = [kind for kind in self._schema.types.values() if isinstance(kind, InputObject)]
        grown = True
        while grown:
            more = {
                kind.name
                for kind in objects
                if any(is_upload(name) or name in found for name in map(_named, kind.fields))
            }
            grown, found = more > found, found | more
        return frozenset(found)

    def _value(self, reference: Named | ListOf) -> Mapping[str, Any]:
        if isinstance(reference, ListOf):
            return {"type": "array", "items": self.type(reference.of)}
        kind = self._schema.types.get(reference.name)
        if isinstance(kind, Scalar):
            return self._scalars.input(kind)
        if not isinstance(kind, Enum | InputObject):
            return {}  # a type that nothing can be given of: what asks for it cannot be sent
        return {"$ref": f"{_PREFIX}{reference.name}"}

    def _definition(self, kind: Enum | InputObject) -> dict[str, Any]:
        if isinstance(kind, Enum):
            return enum(kind)
        made: dict[str, Any] = {"type": "object"}
        if kind.description:
            made["description"] = kind.description
        made["properties"] = {
            field.name: self._member(field, kind)
            for field in kind.fields
            if field.required or field.name not in self._unused
        }
        if required := [field.name for field in kind.fields if field.required]:
            made["required"] = required
        if kind.one_of:
            made.update(minProperties=1, maxProperties=1)
        made["additionalProperties"] = False
        return made

    def _member(self, field: Input, kind: InputObject) -> dict[str, Any]:
        """A member; the one that `@oneOf` asks for is never null."""
        if kind.one_of and not isinstance(field.type, NonNull):
            return self.of(
                Input(
                    name=field.name,
                    type=NonNull(field.type),
                    description=field.description,
                    deprecated=field.deprecated,
                )
            )
        return self.of(field)


def enum(kind: Enum) -> dict[str, Any]:
    """An enum; values that are deprecated are told in words."""
    made: dict[str, Any] = {"type": "string", "enum": [value.name for value in kind.values]}
    notes = [
        f"{value.name}: deprecated, {value.deprecated}" for value in kind.values if value.deprecated
    ]
    text = "\n".join(part for part in (kind.description, *notes) if part)
    if text:
        made["description"] = text
    return made


def or_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with null beside what it takes."""
    kinds = schema.get("type")
    if not schema:
        return schema
    if kinds is None or "enum" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    listed = [kinds] if isinstance(kinds, str) else list(kinds)
    return {**schema, "type": [*listed, "null"]}


def object_of(arguments: Sequence[Argument]) -> dict[str, Any]:
    """The object that arguments make, closed to other names."""
    made: dict[str, Any] = {
        "type": "object",
        "properties": {argument.name: argument.schema for argument in arguments},
    }
    if required := [argument.name for argument in arguments if argument.required]:
        made["required"] = required
    made["additionalProperties"] = False
    return made


def _advice(declared: Input) -> str:
    reason = declared.deprecated
    return f"Deprecated: {reason}" if reason and reason != "No longer supported" else ""
