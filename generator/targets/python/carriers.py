"""The neutral model's calls as the runtime's declarations, which generated code prints."""

import hashlib
from collections.abc import Mapping
from typing import Any, assert_never, cast

from ....runtime import arguments, operation
from ....runtime.package import GraphQL
from ...model.api import Api, GraphQLSide, Operation
from ...model.arguments import Argument, Encoding, Member, Parameter, Variable, WholeBody
from ...model.calls import Body, BodyKind, GraphQLCall, Paging, Server
from ...model.catalogue import Effects, Gate, RateLimit
from ...model.security import SecurityRequirement


def argument(declared: Argument) -> arguments.Argument:
    """How one argument travels."""
    carrier = declared.carrier
    match carrier:
        case Parameter():
            return _parameter(declared.name, carrier)
        case Member(name=name, encoding=given):
            return arguments.Member(
                name, _differing(declared.name, name), None if given is None else encoding(given)
            )
        case WholeBody():
            return arguments.WholeBody(declared.name)
        case Variable():
            raise TypeError("a GraphQL variable does not travel in an HTTP request")
        case _:
            assert_never(carrier)


def _parameter(argument_name: str, carrier: Parameter) -> arguments.Argument:
    name, key = carrier.name, _differing(argument_name, carrier.name)
    style, explode, content = cast(Any, carrier.style), carrier.explode, carrier.media_type
    if content is not None:
        return _content(carrier, key, content)
    match carrier.place:
        case "path":
            return arguments.Path(name, key, style, explode, carrier.allow_reserved)
        case "query":
            return arguments.Query(
                name, key, style, explode, carrier.allow_reserved, arrays=carrier.arrays
            )
        case "header":
            return arguments.Header(name, key, explode, style=style)
        case "cookie":
            return arguments.Cookie(name, key, style, explode, carrier.allow_reserved)
        case "querystring":
            return arguments.QueryString(name, key)
        case _:
            assert_never(carrier.place)


def _content(carrier: Parameter, key: str | None, content: str) -> arguments.Argument:
    """A parameter that a media type serialises; its style says nothing."""
    match carrier.place:
        case "path":
            return arguments.Path(carrier.name, key, content=content)
        case "query":
            return arguments.Query(
                carrier.name, key, allow_reserved=carrier.allow_reserved, content=content
            )
        case "header":
            return arguments.Header(carrier.name, key, content=content)
        case "cookie":
            return arguments.Cookie(carrier.name, key, content=content)
        case "querystring":
            return arguments.QueryString(carrier.name, key, content=content)
        case _:
            assert_never(carrier.place)


def _differing(argument_name: str, wire_name: str) -> str | None:
    return None if argument_name == wire_name else argument_name


def encoding(given: Encoding) -> arguments.Encoding:
    """How one member of a form or multipart body is written."""
    return arguments.Encoding(
        style=cast(Any, given.style),
        explode=given.explode,
        allow_reserved=given.allow_reserved,
        content_type=given.content_type,
        headers=dict(sorted(given.headers.items())),
        binary=given.binary,
        arrays=given.arrays,
    )


_BODIES: Mapping[BodyKind, Any] = {
    "json": arguments.Json,
    "form": arguments.Form,
    "multipart": arguments.Multipart,
    "text": arguments.Text,
    "binary": arguments.Binary,
    "xml": arguments.Xml,
    "json_lines": arguments.JsonLines,
}


def body(given: Body) -> arguments.Body:
    """The request body."""
    if given.kind in ("form", "multipart"):
        encodings = {name: encoding(one) for name, one in sorted(given.encodings.items())}
        made = _BODIES[given.kind](given.media_type, given.required, encodings)
    elif given.alternatives:
        made = arguments.Binary(given.media_type, given.required, given.alternatives)
    else:
        made = _BODIES[given.kind](given.media_type, given.required)
    return cast(arguments.Body, made)


def input(declared: Argument, call: GraphQLCall) -> arguments.Input:
    """How one argument of a GraphQL operation travels."""
    carrier = declared.carrier
    if not isinstance(carrier, Variable):
        raise TypeError("only variables travel in a GraphQL request")
    return arguments.Input(
        carrier.name,
        carrier.type,
        _differing(declared.name, carrier.name),
        call.makes_way.get(carrier.name),
    )


def sha256(document: str) -> str:
    """The hash by which servers know a persisted document."""
    return hashlib.sha256(document.encode()).hexdigest()


def paging(given: Paging | None) -> operation.Paging | None:
    """How the pages of an operation follow each other."""
    if given is None:
        return None
    return operation.Paging(
        kind=given.kind,
        argument=given.argument,
        size_argument=given.size_argument,
        next=given.next,
        items=given.items,
        more=given.more,
    )


def graphql(side: GraphQLSide | None) -> GraphQL | None:
    """How a GraphQL server is spoken to."""
    if side is None:
        return None
    return GraphQL(get=side.get, persisted=side.persisted, stream=side.stream)


def server(given: Server) -> operation.Server:
    """A base address."""
    return operation.Server(
        given.url,
        {
            name: operation.Variable(variable.default, variable.enum)
            for name, variable in sorted(given.variables.items())
        },
    )


def security(given: SecurityRequirement) -> list[dict[str, list[str]]]:
    """Alternatives in document order; the order of an alternative's schemes does not count."""
    return [
        {name: list(scopes) for name, scopes in sorted(alternative.items())}
        for alternative in given
    ]


def requirement(called: Operation, api: Api) -> SecurityRequirement:
    """What a call needs: its own requirement, or the Api's."""
    return api.security if called.security is None else called.security


def effects(given: Effects) -> operation.Effects:
    """What a call does."""
    return operation.Effects(
        given.read_only, given.destructive, given.idempotent, given.open_world, given.reason
    )


def gate(given: Gate) -> operation.Gate:
    """When a call needs approval, in which order, and what it reads."""
    return operation.Gate(given.approval, given.requires, given.suggested, given.reads)


def rate_limit(given: RateLimit) -> operation.RateLimit:
    """A limit and where it was read."""
    return operation.RateLimit(given.requests, given.seconds, given.source)
