"""The decorator of a method: how its call travels, as the runtime declares it."""

from typing import Any, assert_never

from ....runtime import operation as runtime
from ...model.calls import GraphQLCall, HttpCall
from ...model.catalogue import Catalogue, Tool
from . import carriers
from .expressions import Scope
from .layout import Node, call, listing, sequence, value_of
from .literals import string


def decorator(tool: Tool, catalogue: Catalogue, scope: Scope) -> Node:
    """`@http(…)` or `@graphql(…)`: how a tool's call travels."""
    request = tool.operation.call
    match request:
        case HttpCall():
            name, target, given = (
                "http",
                (request.method, request.path),
                _http(tool, request, catalogue),
            )
        case GraphQLCall():
            name, target, given = "graphql", (request.kind, request.name), _graphql(tool, request)
        case _:
            assert_never(request)
    given = {**given, **_surroundings(tool, catalogue)}
    nodes = {name: _node(name, value, scope) for name, value in given.items() if value is not None}
    return call(scope.name(name), map(string, target), nodes, explode=True)


def request_line(tool: Tool) -> str:
    """What a tool calls, in a reader's words."""
    request = tool.operation.call
    if isinstance(request, HttpCall):
        return f"{request.method} {request.path}"
    return f"{request.kind} {request.name}" if request.by_hand else tool.operation.key


def _http(tool: Tool, request: HttpCall, catalogue: Catalogue) -> dict[str, Any]:
    operation = tool.operation
    rows = [carriers.argument(argument) for argument in operation.arguments]
    return {
        "query": request.query or None,
        "arguments": tuple(rows) or None,
        "body": None if request.body is None else carriers.body(request.body),
        "accept": None if request.accept == ("application/json",) else request.accept,
        "servers": _servers(request, catalogue),
        "security": _security(tool, catalogue),
        "optional_credentials": operation.credentials or None,
        "idempotency_key": operation.idempotency_key,
        "paging": carriers.paging(tool.paging),
    }


def _graphql(tool: Tool, request: GraphQLCall) -> dict[str, Any]:
    rows = [carriers.input(argument, request) for argument in tool.operation.arguments]
    return {
        "sha256": carriers.sha256(request.document),
        "root": request.root or None,
        "roots": request.roots or None,
        "arguments": tuple(rows) or None,
        "uploads": request.uploads or None,
        "by_hand": True if request.by_hand else None,
        "paging": carriers.paging(request.cursor),
    }


def _surroundings(tool: Tool, catalogue: Catalogue) -> dict[str, Any]:
    """What is said of a call however it travels."""
    operation = tool.operation
    return {
        "effects": carriers.effects(tool.effects),
        "gate": _changed(carriers.gate(tool.gate), runtime.Gate()),
        "rate_limit": _rate_limit(tool, catalogue),
        "tags": operation.tags or None,
        "operation_id": operation.operation_id,
        "deprecated": True if operation.deprecated else None,
    }


def _node(name: str, value: Any, scope: Scope) -> Node:
    if name in ("arguments", "servers"):
        return sequence((value_of(one, scope.name) for one in value), explode=True)
    if name == "security":
        return listing((value_of(one, scope.name) for one in value), explode=True)
    return value_of(value, scope.name)


def _changed(value: Any, default: Any) -> Any:
    return None if value == default else value


def _servers(request: HttpCall, catalogue: Catalogue) -> tuple[runtime.Server, ...] | None:
    if request.servers is None or request.servers == catalogue.api.servers:
        return None
    return tuple(carriers.server(server) for server in request.servers)


def _security(tool: Tool, catalogue: Catalogue) -> list[dict[str, list[str]]] | None:
    needed = carriers.requirement(tool.operation, catalogue.api)
    return None if needed == catalogue.api.security else carriers.security(needed)


def _rate_limit(tool: Tool, catalogue: Catalogue) -> runtime.RateLimit | None:
    if tool.rate_limit is None or tool.rate_limit == catalogue.rate_limit:
        return None
    return carriers.rate_limit(tool.rate_limit)
