"""What the calls of a toolset and its views share: credentials, connections, server settings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..auth.credentials import Credentials
    from ..auth.held import Credential
    from .bounds import Bounds
    from .package import Package
    from .transport import AsyncClient, Transport


class Session:
    """The settings of a toolset; what only a call needs is loaded by the first call.

    Credentials and a client that are given are checked at once, so that a mistake shows where
    it was made.
    """

    def __init__(
        self,
        package: Package,
        *,
        prefix: str,
        credentials: Mapping[str, Credential] | None,
        client: AsyncClient | None,
        bounds: Bounds | None,
        base_url: str | None,
        variables: Mapping[str, str] | None,
    ) -> None:
        self.package = package
        self.prefix = prefix
        self.base_url = base_url
        self.variables = dict(variables or {})
        self._client = client
        self._bounds = bounds
        if credentials is not None:
            self.credentials = self._checked(credentials)
        if client is not None:
            _ = self.transport

    @cached_property
    def credentials(self) -> Credentials:
        """What may be sent; the environment's when none were given."""
        return self._checked(None)

    @cached_property
    def transport(self) -> Transport:
        """The connections."""
        from .transport import Transport

        return Transport(self._client, self._bounds)

    @property
    def is_connected(self) -> bool:
        """Something was sent, or may be at once."""
        return "transport" in vars(self)

    def _checked(self, values: Mapping[str, Credential] | None) -> Credentials:
        from ..auth.credentials import Credentials

        return Credentials(self.package.schemes, values, module=self.package.name)
