"""Everything one description says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .arguments import Argument
from .calls import Call, Server
from .findings import LeftOut, Loss, Warning
from .nodes import Location, Schema
from .security import SecurityRequirement, SecurityScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One described answer. `media_type` None: no content."""

    status: str  # "200", "2XX", "default"
    media_type: str | None
    schema: Schema | None  # None: not described
    description: str = ""
    headers: tuple[str, ...] = ()  # names, as written


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing a client can do, with everything a tool is made from."""

    key: str  # unique and independent of order: "GET /things/{id}", "Query.repository"
    operation_id: str | None  # as the source spells it
    tags: tuple[str, ...]
    summary: str
    description: str
    deprecated: bool
    call: Call
    arguments: tuple[Argument, ...]  # declaration order: parameters, then body members
    input_schema: Mapping[str, Any]  # the object that `arguments` makes; closed to unknown names
    results: tuple[Result, ...]
    output_schema: Schema | None  # the union of the 2XX results, `default` only without one
    security: SecurityRequirement | None  # None: the Api's
    credentials: tuple[str, ...] = ()
    # ^ names of credential-like parameters that became optional credentials (Api.security_schemes)
    idempotency_key: str | None = None  # the header the runtime fills, as the source spells it
    extensions: Mapping[str, Any] = field(default_factory=dict[str, Any])  # `x-…`, as written
    links: tuple[str, ...] = ()  # operationIds and keys of operations that its results lead to
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """Shared schemas by name. A request leaves out readOnly members, a result writeOnly ones."""

    input: Mapping[str, Schema]
    output: Mapping[str, Schema]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A group of operations."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLSide:
    """What a GraphQL description has beside its operations, and how its server is spoken to."""

    field_map: Mapping[str, Any]  # what may be selected
    get: bool = False
    persisted: Literal["no", "apq", "trusted"] = "no"
    stream: Literal["sse", "websocket"] = "sse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """Everything one description says."""

    title: str
    version: str
    description: str
    servers: tuple[Server, ...]
    security: SecurityRequirement
    security_schemes: Mapping[str, SecurityScheme]
    tags: tuple[Tag, ...]  # as declared; an operation may name others
    operations: tuple[Operation, ...]  # ranked by path, then method: never by the order of keys
    definitions: Definitions
    losses: tuple[Loss, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
    operation_count: int  # counted in the document before anything was lowered
    extensions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    # ^ `x-…` of the root and of `info`, as written; the root's win
    graphql: GraphQLSide | None = None
    location: Location
