"""Small operations and Apis for tests, whole but for what a test is about."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmint.generator.model.api import Api, Definitions, Operation, Result
from toolmint.generator.model.arguments import Argument, Member, Parameter
from toolmint.generator.model.calls import Body, GraphQLCall, HttpCall
from toolmint.generator.model.nodes import Location, Schema

PLACE = Location(file="api.yaml", pointer="/paths")


def operation(
    key: str,
    operation_id: str | None = None,
    *,
    arguments: Sequence[Argument] = (),
    summary: str = "",
    description: str = "",
    deprecated: bool = False,
    tags: Sequence[str] = (),
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Schema | None = None,
    results: Sequence[Result] = (),
    extensions: Mapping[str, Any] | None = None,
    body: Body | None = None,
    links: Sequence[str] = (),
) -> Operation:
    """An operation by its key: `GET /things/{id}`."""
    method, _, path = key.partition(" ")
    return _operation(
        key,
        HttpCall(method=method, path=path, body=body),
        operation_id,
        arguments=tuple(arguments),
        summary=summary,
        description=description,
        deprecated=deprecated,
        tags=tuple(tags),
        input_schema=input_schema or {"type": "object", "additionalProperties": False},
        output_schema=output_schema,
        results=tuple(results),
        extensions=extensions or {},
        links=tuple(links),
    )


def field(key: str, kind: Any = "query") -> Operation:
    """A GraphQL operation by its key: `Query.repository`."""
    call = GraphQLCall(kind=kind, document="", root=key.rpartition(".")[2])
    return _operation(key, call, key)


def _operation(key: str, call: Any, operation_id: str | None, **given: Any) -> Operation:
    usual: dict[str, Any] = {
        "tags": (),
        "summary": "",
        "description": "",
        "deprecated": False,
        "arguments": (),
        "input_schema": {"type": "object"},
        "results": (),
        "output_schema": None,
        "security": None,
        "location": Location(file="api.yaml", pointer=f"/{key}"),
    }
    return Operation(key=key, call=call, operation_id=operation_id, **{**usual, **given})


def api(*operations: Operation, **given: Any) -> Api:
    """An Api that offers these operations."""
    usual: dict[str, Any] = {
        "title": "Things",
        "version": "1",
        "description": "",
        "servers": (),
        "security": (),
        "security_schemes": {},
        "tags": (),
        "definitions": Definitions(input={}, output={}),
        "operation_count": len(operations),
        "location": Location(file="api.yaml", pointer=""),
    }
    return Api(operations=operations, **{**usual, **given})


def query(name: str, key: str | None = None, place: Any = "query") -> Argument:
    """A parameter."""
    carrier = Parameter(name=name, place=place, style="form", explode=True)
    return Argument(name=key or name, carrier=carrier, required=False, schema={}, location=PLACE)


def member(name: str, key: str | None = None) -> Argument:
    """A member of a flattened body."""
    carrier = Member(name=name)
    return Argument(name=key or name, carrier=carrier, required=False, schema={}, location=PLACE)
