"""The finished request of a call without its credentials, and those that belong on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, assert_never

from ...auth.choice import Choice
from ...auth.choose import Missing
from ...auth.errors import CredentialError
from ...auth.request import Outgoing
from ..errors import ToolError
from ..operation import GraphQLOperation, HttpOperation
from ..tool import Tool
from ..version import VERSION
from ..wire.refusal import RequestProblem
from ..wire.request import build
from ..wire.servers import resolve
from .failures import unauthorised, unsendable
from .paging import same_origin
from .retry import idempotency_key

if TYPE_CHECKING:
    from ..graphql_codec.request import Document
    from ..session import Session
    from ..wire.reply import Reply
    from .projection import Path


@dataclass(frozen=True, slots=True)
class Draft:
    """A tool, its valid arguments, and the request they make; `choice` signs it later."""

    tool: Tool
    arguments: Mapping[str, Any]
    request: Outgoing
    choice: Choice
    document: Document | None = None  # of a GraphQL call

    @property
    def has_chosen(self) -> bool:
        """The answer holds the fields that the caller asked for and no others."""
        return self.document is not None and self.document.chosen

    def at(self, url: str) -> Draft:
        """The same read at the address of another page. Raises `ToolError` for another origin."""
        if self.request.method != "GET" or not same_origin(url, self.request.url):
            raise ToolError(f"{self.tool.name}: the next page lies elsewhere: not followed")
        return replace(self, request=replace(self.request, url=url))


def drafted(
    tool: Tool,
    arguments: Mapping[str, Any],
    session: Session,
    *,
    paths: Sequence[Path] = (),
    document: Document | None = None,
) -> Draft:
    """The draft of a call; nothing is sent. Raises `ToolError`.

    Of a GraphQL call `paths` choose the fields, and `document` is sent in place of its own.
    """
    try:
        server = resolve(
            tool.operation,
            session.package.servers,
            base_url=session.base_url,
            variables=session.variables,
        )
        match tool.operation:
            case HttpOperation() as operation:
                made = build(operation, arguments, server, schema=lambda: tool.input_schema)
            case GraphQLOperation() as operation:
                from ..graphql_codec.request import build as build_graphql

                document = document or tool.document_for(paths)
                made = build_graphql(operation, arguments, server, document, tool.spoken)
            case _:
                assert_never(tool.operation)
    except RequestProblem as problem:
        raise unsendable(tool.name, problem) from None
    said = {name.lower() for name in made.headers}  # a described User-Agent is the caller's
    own = _own_headers(tool, session).items()
    headers = {**made.headers, **{name: value for name, value in own if name.lower() not in said}}
    request = Outgoing(made.method, made.url, headers, made.body)
    return Draft(tool, arguments, request, _chosen(tool, session), document)


def following(draft: Draft, reply: Reply, session: Session) -> tuple[Draft, str] | None:
    """The call with another document, and what to say of it, where an answer asks for one."""
    operation = draft.tool.operation
    if not isinstance(operation, GraphQLOperation) or draft.document is None:
        return None
    from ..graphql_codec.follow import other

    found = other(operation, draft.document, reply, draft.tool.spoken.persisted)
    if found is None:
        return None
    return drafted(draft.tool, draft.arguments, session, document=found.document), found.note


def _own_headers(tool: Tool, session: Session) -> dict[str, str]:
    """What the runtime says of itself, and the key by which a server knows a repeated call."""
    headers = {"User-Agent": f"toolmint/{VERSION} {session.package.name}"}
    if tool.operation.idempotency_key is not None:
        headers[tool.operation.idempotency_key] = idempotency_key()
    return headers


def _chosen(tool: Tool, session: Session) -> Choice:
    try:
        choice = session.credentials.choose(tool.security, tool.optional_credentials)
    except CredentialError as error:
        raise unauthorised(error) from None
    if isinstance(choice, Missing):
        raise ToolError(f"{tool.name}: {choice.message}", outcome="denied", details=choice.names)
    return choice
