"""The decorators of generated code: what one states stays on its method, as an `Operation`."""

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar, cast

from .arguments import Argument, Body, Input
from .operation import (
    Effects,
    Gate,
    GraphQLKind,
    GraphQLOperation,
    HttpOperation,
    Operation,
    Paging,
    RateLimit,
    Security,
    Server,
)

P = ParamSpec("P")
R = TypeVar("R")
_ATTRIBUTE = "__toolmint_operation__"


def left_on(method: object) -> Operation | None:
    """The operation that a decorator left on a method; None where there was none."""
    return cast("Operation | None", getattr(method, _ATTRIBUTE, None))


def _leave(make: Callable[[str], Operation]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The decorator that leaves on a method what `make` makes of its name."""

    def mark(method: Callable[P, R]) -> Callable[P, R]:
        setattr(method, _ATTRIBUTE, make(method.__name__))
        return method

    return mark


def http(
    method: str,
    path: str,
    *,
    query: str = "",
    arguments: Sequence[Argument] = (),
    body: Body | None = None,
    accept: Sequence[str] = ("application/json",),
    servers: Sequence[Server] | None = None,
    security: Security | None = None,
    optional_credentials: Sequence[str] = (),
    idempotency_key: str | None = None,
    effects: Effects = Effects(),
    gate: Gate = Gate(),
    rate_limit: RateLimit | None = None,
    paging: Paging | None = None,
    tags: Sequence[str] = (),
    operation_id: str | None = None,
    deprecated: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say how a method's call travels; the method's own name is the tool's name."""
    return _leave(
        lambda name: HttpOperation(
            name=name,
            method=method,
            path=path,
            query=query,
            arguments=tuple(arguments),
            body=body,
            accept=tuple(accept),
            servers=None if servers is None else tuple(servers),
            security=security,
            optional_credentials=tuple(optional_credentials),
            idempotency_key=idempotency_key,
            effects=effects,
            gate=gate,
            rate_limit=rate_limit,
            paging=paging,
            tags=tuple(tags),
            operation_id=operation_id,
            deprecated=deprecated,
        )
    )


def graphql(
    kind: GraphQLKind,
    called: str,
    *,
    sha256: str,
    root: str = "",
    roots: Sequence[str] = (),
    arguments: Sequence[Input] = (),
    uploads: Sequence[str] = (),
    by_hand: bool = False,
    security: Security | None = None,
    effects: Effects = Effects(),
    gate: Gate = Gate(),
    rate_limit: RateLimit | None = None,
    paging: Paging | None = None,
    tags: Sequence[str] = (),
    operation_id: str | None = None,
    deprecated: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say which document a method sends; the method's own name is the tool's name."""
    return _leave(
        lambda name: GraphQLOperation(
            name=name,
            kind=kind,
            called=called,
            sha256=sha256,
            root=root,
            roots=tuple(roots),
            arguments=tuple(arguments),
            uploads=tuple(uploads),
            by_hand=by_hand,
            security=security,
            effects=effects,
            gate=gate,
            rate_limit=rate_limit,
            paging=paging,
            tags=tuple(tags),
            operation_id=operation_id,
            deprecated=deprecated,
        )
    )
