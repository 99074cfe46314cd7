"""Catalogues for tests of the Python target, written as a person would say them."""

from collections.abc import Mapping
from typing import Any

from toolmint.generator.model.api import Api, Definitions, Operation, Result, Tag
from toolmint.generator.model.arguments import Argument, Carrier, Member, Parameter, WholeBody
from toolmint.generator.model.calls import Body, HttpCall, Server
from toolmint.generator.model.catalogue import Catalogue, Effects, Gate, Tool
from toolmint.generator.model.nodes import Location, Schema
from toolmint.generator.model.security import SecurityRequirement, SecurityScheme

NOWHERE = Location(file="pets.yaml", pointer="")
READS = Effects(read_only=True, destructive=False, idempotent=True, reason="GET reads")
CHANGES = Effects(read_only=False, destructive=False, idempotent=False, reason="POST creates")


def argument(name: str, carrier: Carrier, schema: Schema, *, required: bool = False) -> Argument:
    return Argument(name=name, carrier=carrier, required=required, schema=schema, location=NOWHERE)


def query(name: str, schema: Schema, *, required: bool = False, explode: bool = True) -> Argument:
    carrier = Parameter(name=name, place="query", style="form", explode=explode)
    return argument(name, carrier, schema, required=required)


def path(name: str, schema: Schema) -> Argument:
    carrier = Parameter(name=name, place="path", style="simple", explode=False)
    return argument(name, carrier, schema, required=True)


def member(name: str, schema: Schema, *, required: bool = False) -> Argument:
    return argument(name, Member(name=name), schema, required=required)


def whole(schema: Schema, *, required: bool = False) -> Argument:
    return argument("body", WholeBody(), schema, required=required)


def tool(
    name: str,
    *arguments: Argument,
    method: str = "GET",
    path: str = "/pets",
    body: Body | None = None,
    output: Schema | None = None,
    tags: tuple[str, ...] = ("pets",),
    description: str = "",
    security: SecurityRequirement | None = None,
    credentials: tuple[str, ...] = (),
    effects: Effects = READS,
) -> Tool:
    """A tool of an operation that answers 200 with `output`, or 204 without one."""
    answer = "application/json" if output is not None else None
    operation = Operation(
        key=f"{method} {path}",
        operation_id=name,
        tags=tags,
        summary="",
        description=description,
        deprecated=False,
        call=HttpCall(
            method=method, path=path, body=body, accept=("application/json",) if answer else ()
        ),
        arguments=arguments,
        input_schema={
            "type": "object",
            "properties": {one.name: one.schema for one in arguments},
            "required": [one.name for one in arguments if one.required],
            "additionalProperties": False,
        },
        results=(Result(status="200" if answer else "204", media_type=answer, schema=output),),
        output_schema=output,
        security=security,
        credentials=credentials,
        location=NOWHERE,
    )
    return Tool(
        operation=operation,
        name=name,
        description=description,
        effects=effects,
        gate=Gate(),
        rate_limit=None,
        trimmed=(),
    )


def catalogue(
    *tools: Tool,
    input: Mapping[str, Any] | None = None,
    output: Mapping[str, Any] | None = None,
    schemes: Mapping[str, SecurityScheme] | None = None,
    security: SecurityRequirement = (),
    tags: tuple[Tag, ...] = (),
) -> Catalogue:
    api = Api(
        title="Pet shop",
        version="1",
        description="",
        servers=(Server(url="https://pets.example/v1"),),
        security=security,
        security_schemes=schemes or {},
        tags=tags,
        operations=tuple(one.operation for one in tools),
        definitions=Definitions(input=input or {}, output=output or input or {}),
        operation_count=len(tools),
        location=NOWHERE,
    )
    return Catalogue(api=api, tools=tools)
