"""One tool: what it is called, what it takes, what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from .arguments import argument_name
from .errors import ToolError
from .operation import Effects, Gate, GraphQLOperation, Operation, RateLimit, Security
from .operations import Operations
from .package import GraphQL, Package
from .schemas import SchemaStore
from .shown.tokens import definition, tokens
from .validation import Problem, not_there

if TYPE_CHECKING:
    from .context import CallContext
    from .edge.projection import Path
    from .graphql_codec.request import Document
    from .result import ToolResult

Runner: TypeAlias = "Callable[[str, object, CallContext], Awaitable[ToolResult]]"
"""Runs a call by its tool's name, for any entry."""


class Tool:
    """An operation as an agent sees it. Its module and schemas are read at their first use."""

    def __init__(
        self,
        name: str,
        key: str,
        group: str,
        package: Package,
        schemas: SchemaStore,
        operations: Operations,
        run: Runner,
    ) -> None:
        self._name = name
        self._key = key
        self._group = group
        self._package = package
        self._schemas = schemas
        self._operations = operations
        self._run = run

    def _become(self, other: Tool, name: str, run: Runner) -> None:
        """Be of the same package as another tool, under a name and with a runner of one's own."""
        self._name = self._key = name
        self._group = other._group
        self._package = other._package
        self._schemas = other._schemas
        self._operations = other._operations
        self._run = run

    def __repr__(self) -> str:
        return f"Tool({self._name!r})"

    async def execute(self, arguments: object, context: CallContext) -> ToolResult:
        """Run a call through the toolset it belongs to; `context` says whose call it is."""
        return await self._run(self._name, arguments, context)

    @property
    def name(self) -> str:
        """What a model calls it: the method's name, after the toolset's prefix."""
        return self._name

    @property
    def group(self) -> str:
        """The module that holds its method."""
        return self._group

    @property
    def description(self) -> str:
        """What it does, for a model."""
        return self._schemas.description(self._group, self._key)

    @property
    def input_schema(self) -> dict[str, Any]:
        """The full input schema, closed over its `$defs`; arguments are checked against it."""
        return self._schemas.input(self._group, self._key)

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """The input schema that a model is shown: without the committed cuts, with what it offers."""
        return self._schemas.advertised(self._group, self._key)

    @property
    def output_schema(self) -> dict[str, Any] | bool | None:
        """The schema of a result's data, closed; None where the description has none."""
        return self._schemas.output(self._group, self._key)

    @cached_property
    def trimmed(self) -> tuple[str, ...]:
        """Pointers into `input_schema` to what `advertised_schema` leaves open."""
        return self._schemas.trimmed(self._group, self._key)

    def problems(self, arguments: object) -> list[Problem]:
        """What keeps arguments from fitting the full input schema; empty when they fit."""
        return self._schemas.validator(self._group, self._key).problems(arguments)

    def result_problems(self, data: object) -> list[Problem]:
        """What of a result is not as described; empty where nothing is described."""
        validator = self._schemas.result_validator(self._group, self._key)
        return [] if validator is None else validator.problems(data)

    @cached_property
    def offers(self) -> tuple[str, ...]:
        """Arguments of ours that `advertised_schema` has beside its own: `_fields`, `_page`."""
        return self._schemas.offers(self._group, self._key)

    @cached_property
    def tokens(self) -> int:
        """What a model pays to be told of it: bytes of compact JSON / 4."""
        return tokens(definition(self._name, self.description, self.advertised_schema))

    @cached_property
    def argument_names(self) -> frozenset[str]:
        """The keys of its own arguments, without those that every tool may be given."""
        return frozenset(argument_name(argument) for argument in self.operation.arguments)

    @cached_property
    def operation(self) -> Operation:
        """How a call of it travels."""
        return self._operations.find(self._group, self._key)

    @property
    def method(self) -> str:
        """The HTTP method, upper case."""
        return self.operation.method

    @property
    def path(self) -> str:
        """The path template."""
        return self.operation.path

    @cached_property
    def document(self) -> str | None:
        """The GraphQL document that it sends; None for a tool of another kind."""
        operation = self.operation
        if not isinstance(operation, GraphQLOperation):
            return None
        return self._schemas.document(self._key, operation.sha256)

    def document_for(self, paths: Sequence[Path]) -> Document:
        """What a call sends: the committed document, or one with the fields at `paths`.

        A document that people wrote, or that the server must know, stays as it is.
        Raises RequestProblem for a document that was edited, and for a path that leads nowhere.
        """
        from .graphql_codec.request import Document

        operation, text = self.operation, self.document
        if text is None or not isinstance(operation, GraphQLOperation):
            raise TypeError(f"{self._name} sends no document")
        if not paths or operation.by_hand or self.spoken.persisted == "trusted":
            return Document(text)
        from .graphql_codec.choosing import chosen

        return chosen(text, operation, paths, self._schemas.field_map)

    @property
    def spoken(self) -> GraphQL:
        """How its GraphQL server is spoken to."""
        return self._package.graphql or GraphQL()

    @property
    def operation_id(self) -> str | None:
        """What the description calls it."""
        return self.operation.operation_id

    @property
    def effects(self) -> Effects:
        """What a call does to the world."""
        return self.operation.effects

    @property
    def gate(self) -> Gate:
        """When a call needs approval."""
        return self.operation.gate

    @property
    def rate_limit(self) -> RateLimit | None:
        """Its own limit, or the package's."""
        return self.operation.rate_limit or self._package.rate_limit

    @property
    def security(self) -> Security:
        """The alternatives of credentials that it accepts: its own, or the package's."""
        own: Security | None = self.operation.security
        return self._package.security if own is None else own

    @property
    def optional_credentials(self) -> Sequence[str]:
        """Credentials beside `security` that are sent where they are given."""
        return self.operation.optional_credentials

    @property
    def tags(self) -> Sequence[str]:
        """The description's tags."""
        return self.operation.tags

    @property
    def deprecated(self) -> bool:
        """The description advises against it."""
        return self.operation.deprecated


def named(tools: Mapping[str, Tool], name: str) -> Tool:
    """The tool of exactly this name; KeyError lists near ones."""
    tool = tools.get(name)
    if tool is None:
        raise KeyError(unknown_tool(name, list(tools)).message)
    return tool


def unknown_tool(name: str, known: list[str]) -> ToolError:
    """No tool has exactly this name; the error lists near ones and nothing else is run."""
    return ToolError(not_there("tool", name, known), outcome="unknown_tool")
