"""What a document gives back, as JSON Schema made from its selection."""

from typing import Any

from ...model.nodes import Schema as JsonSchema
from .inputs import enum, or_null
from .scalars import Scalars
from .schema import Enum, Interface, ListOf, NonNull, Scalar, Schema, TypeRef, Union, named
from .selection.picks import Pick, Picks

_OTHER: dict[str, Any] = {"type": "string"}


class Outputs:
    """Makes the result schemas of one GraphQL schema."""

    def __init__(self, schema: Schema, scalars: Scalars) -> None:
        self._schema = schema
        self._scalars = scalars

    def definitions(self) -> dict[str, JsonSchema]:
        """Every enum by its name, sorted; objects stand where they are selected."""
        return {
            name: enum(kind)
            for name, kind in sorted(self._schema.types.items())
            if isinstance(kind, Enum)
        }

    def of(self, pick: Pick) -> JsonSchema:
        """The value of one selected field."""
        return self._type(pick.field.type, pick)

    def object(self, picks: Picks) -> dict[str, Any]:
        """An object of selected fields; of an abstract type, one of its branches."""
        if not isinstance(picks.type, Interface | Union) or not picks.fragments:
            return self._members(picks.fields, _OTHER if picks.typename else None)
        branches = [
            self._members((*picks.fields, *fragment.fields), {"const": fragment.type.name})
            for fragment in sorted(picks.fragments, key=lambda one: one.type.name)
        ]
        if {one.type.name for one in picks.fragments} != set(picks.type.possible):
            branches.append(self._members(picks.fields, _OTHER))
        return branches[0] if len(branches) == 1 else {"anyOf": branches}

    def _members(self, fields: tuple[Pick, ...], typename: dict[str, Any] | None) -> dict[str, Any]:
        properties: dict[str, Any] = {} if typename is None else {"__typename": typename}
        for pick in fields:
            properties.setdefault(pick.key, self._member(pick))
        conditional = {pick.key for pick in fields if pick.conditional}
        required = [name for name in properties if name not in conditional]
        made: dict[str, Any] = {"type": "object", "properties": properties}
        return {**made, "required": required} if required else made

    def _member(self, pick: Pick) -> JsonSchema:
        made = self.of(pick)
        if pick.alias and not isinstance(made, bool):
            return {**made, "description": f"The field `{pick.field.name}`."}
        return made

    def _type(self, reference: TypeRef, pick: Pick) -> JsonSchema:
        if isinstance(reference, NonNull):
            return self._value(reference.of, pick)
        value = self._value(reference, pick)
        return value if isinstance(value, bool) else or_null(value)

    def _value(self, reference: Any, pick: Pick) -> JsonSchema:
        if isinstance(reference, ListOf):
            return {"type": "array", "items": self._type(reference.of, pick)}
        if pick.below is not None:
            made = self.object(pick.below)
            return made
        kind = self._schema.types.get(named(reference))
        if isinstance(kind, Scalar):
            return self._scalars.output(kind)
        return {"$ref": f"#/$defs/{named(reference)}"} if isinstance(kind, Enum) else {}
