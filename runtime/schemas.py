"""The JSON Schemas of a generated package: read when asked for, closed over what they need."""

from __future__ import annotations

import hashlib
import json
import pkgutil
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict, cast

from .shown.advertise import advertise
from .shown.closure import Definitions
from .shown.ours import offering
from .validation import Validator
from .wire.refusal import RequestProblem
from .wire.values import is_array, is_object

if TYPE_CHECKING:
    from .graphql_codec.fieldmap import FieldMap


class Entry(TypedDict, total=False):
    """One tool in `schemas/GROUP.json`.

    `input` is the full schema of its own arguments. A model is shown it with the arguments of
    ours that `offers` names (`_fields`, `_page`), and without what `trimmed` points to: JSON
    pointers into the closed input schema.
    """

    description: str
    input: dict[str, Any]
    offers: list[str]
    trimmed: list[str]
    output: Any


class SchemaStore:
    """The schemas of one package. What a method returns is the caller's own.

    Results lie apart from inputs, so telling a model of the tools never reads them.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._groups: dict[str, Mapping[str, Entry]] = {}
        self._validators: dict[tuple[str, str], Validator] = {}
        self._result_validators: dict[tuple[str, str], Validator | None] = {}

    def description(self, group: str, tool: str) -> str:
        """What the tool does, for a model."""
        return self._entry(group, tool).get("description", "")

    def trimmed(self, group: str, tool: str) -> tuple[str, ...]:
        """The places that the advertised input schema leaves open."""
        return tuple(self._entry(group, tool).get("trimmed", ()))

    def offers(self, group: str, tool: str) -> tuple[str, ...]:
        """The arguments of ours that the advertised input schema adds."""
        return tuple(self._entry(group, tool).get("offers", ()))

    def input(self, group: str, tool: str) -> dict[str, Any]:
        """The full input schema with its `$defs`; unknown arguments are never allowed."""
        schema: dict[str, Any] = own(self._full(group, tool))
        return schema

    def advertised(self, group: str, tool: str) -> dict[str, Any]:
        """The input schema that a model is shown."""
        shown = advertise(self._full(group, tool), self.trimmed(group, tool))
        schema: dict[str, Any] = own(offering(shown, self.offers(group, tool)))
        return schema

    def output(self, group: str, tool: str) -> dict[str, Any] | bool | None:
        """The schema of `ToolResult.data` with its `$defs`; None where none is described."""
        schema = self._entry(group, tool).get("output")
        return own(self._outputs.close(schema)) if is_object(schema) else schema

    def validator(self, group: str, tool: str) -> Validator:
        """The compiled full input schema, made once."""
        key = (group, tool)
        if key not in self._validators:
            self._validators[key] = Validator(self.input(group, tool))
        return self._validators[key]

    def result_validator(self, group: str, tool: str) -> Validator | None:
        """The compiled output schema, made once; None where nothing is described."""
        key = (group, tool)
        if key not in self._result_validators:
            schema = self.output(group, tool)
            self._result_validators[key] = Validator(schema) if is_object(schema) else None
        return self._result_validators[key]

    def document(self, tool: str, sha256: str) -> str:
        """The GraphQL document that a tool sends, which must be the one that was committed.

        Raises RequestProblem for one that was edited since it was generated.
        """
        data = pkgutil.get_data(self._module, f"operations/{tool}.graphql") or b""
        text = data.decode("utf-8").replace("\r\n", "\n")
        if hashlib.sha256(text.encode()).hexdigest() != sha256:
            raise RequestProblem(
                None,
                f"operations/{tool}.graphql is not the document that was generated: run "
                "`toolmint generate`",
            )
        return text

    @cached_property
    def field_map(self) -> FieldMap:
        """What a GraphQL package's documents may select."""
        from .graphql_codec.fieldmap import FieldMap

        return FieldMap(self._read("graphql"))

    @property
    def input_types(self) -> Mapping[str, Any]:
        """The shared definitions that inputs refer to, by name."""
        return self._inputs.schemas

    def _full(self, group: str, tool: str) -> dict[str, Any]:
        schema = self._entry(group, tool).get("input", {"type": "object"})
        return self._inputs.close({**schema, "additionalProperties": False})

    def _entry(self, group: str, tool: str) -> Entry:
        if group not in self._groups:
            self._groups[group] = cast("dict[str, Entry]", self._read(group))
        return self._groups[group][tool]

    @cached_property
    def _inputs(self) -> Definitions:
        return Definitions(self._read("definitions.input"))

    @cached_property
    def _outputs(self) -> Definitions:
        return Definitions(self._read("definitions.output"))

    def _read(self, name: str) -> dict[str, Any]:
        """A file of the package, wherever its importer keeps it; definitions may have none."""
        try:
            text = pkgutil.get_data(self._module, f"schemas/{name}.json")
        except FileNotFoundError:
            if name.startswith("definitions."):
                return {}
            raise
        return cast("dict[str, Any]", json.loads(text or b"{}"))


def own(schema: Any) -> Any:
    """A copy of plain data, deep, so that nobody can change what the next caller is given."""
    if is_object(schema):
        return {name: own(member) for name, member in schema.items()}
    if is_array(schema):
        return [own(item) for item in schema]
    return schema
