"""The finished request of a call without its credentials, and those that belong on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..auth.choice import Choice
from ..auth.choose import Missing
from ..auth.errors import CredentialError
from ..auth.request import Outgoing
from .errors import ToolError
from .failures import unauthorised, unsendable
from .paging import same_origin
from .refusal import RequestProblem
from .request import build
from .retry import idempotency_key
from .servers import resolve
from .tool import Tool
from .version import VERSION

if TYPE_CHECKING:
    from .session import Session


@dataclass(frozen=True, slots=True)
class Draft:
    """A tool, its valid arguments, and the request they make; `choice` signs it later."""

    tool: Tool
    arguments: Mapping[str, Any]
    request: Outgoing
    choice: Choice

    def at(self, url: str) -> Draft:
        """The same read at the address of another page. Raises `ToolError` for another origin."""
        if self.request.method != "GET" or not same_origin(url, self.request.url):
            raise ToolError(f"{self.tool.name}: the next page lies elsewhere: not followed")
        return replace(self, request=replace(self.request, url=url))


def drafted(tool: Tool, arguments: Mapping[str, Any], session: Session) -> Draft:
    """The draft of a call; nothing is sent. Raises `ToolError`."""
    try:
        server = resolve(
            tool.operation,
            session.package.servers,
            base_url=session.base_url,
            variables=session.variables,
        )
        made = build(tool.operation, arguments, server, schema=lambda: tool.input_schema)
    except RequestProblem as problem:
        raise unsendable(tool.name, problem) from None
    given = {name.lower() for name in made.headers}
    own = {
        name: value
        for name, value in _own_headers(tool, session).items()
        if name.lower() not in given  # an argument called `user-agent` says who calls
    }
    request = Outgoing(made.method, made.url, {**made.headers, **own}, made.body)
    return Draft(tool, arguments, request, _chosen(tool, session))


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
