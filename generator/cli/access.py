"""What the credentials at hand are good for, seen from the command line."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from ...auth import CredentialError, Credentials, Missing, OAuthClient, Target
from ...auth.store.named import VARIABLE
from ...runtime import HttpOperation, Tool, Toolset
from ...runtime.wire.refusal import RequestProblem
from ...runtime.wire.servers import resolve
from ..errors import InputError

Usable: TypeAlias = Literal["yes", "no", "sign in"]


@dataclass(frozen=True)
class Access:
    """A package with the credentials of the environment, on behalf of one principal.

    `store` is where tokens are kept; "" is where the environment says.
    """

    toolset: Toolset
    base_url: str | None = None
    principal: str = ""
    store: str = field(default="", repr=False)

    @cached_property
    def credentials(self) -> Credentials:
        """The environment's."""
        package = self.toolset.package
        environ = {**os.environ, VARIABLE: self.store} if self.store else None
        return Credentials(package.schemes, None, module=package.name, environ=environ)

    @cached_property
    def clients(self) -> dict[str, OAuthClient]:
        """The OAuth 2 clients by scheme."""
        return self.credentials.clients()

    def target(self, name: str) -> Target:
        """What a token under a scheme is for: all that the package's tools ask of it.

        Raises InputError where it is not known at which address the API is.
        """
        asking = [tool for tool in self.toolset if name in _schemes(tool)]
        if not asking:
            raise InputError(f"{name}: no tool of this package asks for it.")
        scopes = frozenset(
            scope for tool in asking for either in tool.security for scope in either.get(name, ())
        )
        scheme = self.toolset.package.schemes[name]
        return Target(self._server(asking[0]), scheme, scopes, self.principal)

    def usable(self, tool: Tool) -> Usable:
        """Whether a call has all it needs; "sign in" where only a person is missing."""
        try:
            choice = self.credentials.choose(tool.security)
            if isinstance(choice, Missing):
                return "no"
            clients = [name for name in choice.names if name in self.clients]
            ready = all(self.clients[name].is_ready(self.target(name)) for name in clients)
        except (CredentialError, InputError):
            return "no"
        return "yes" if ready else "sign in"

    def missing(self, tool: Tool) -> tuple[str, ...]:
        """The schemes that a call lacks a credential of; any alternative of them would do."""
        try:
            choice = self.credentials.choose(tool.security)
        except CredentialError:
            return tuple(_schemes(tool))
        return choice.names if isinstance(choice, Missing) else ()

    def _server(self, tool: Tool) -> str:
        operation = tool.operation
        if not isinstance(operation, HttpOperation):
            # Its server is the package's: a GraphQL operation names none of its own.
            operation = HttpOperation(name="", method="POST", path="/")
        try:
            return resolve(operation, self.toolset.package.servers, base_url=self.base_url)
        except RequestProblem as problem:
            raise InputError(f"{problem.reason} (--base-url).") from None


def _schemes(tool: Tool) -> Iterable[str]:
    return dict.fromkeys(name for either in tool.security for name in either)
