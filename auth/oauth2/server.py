"""One client at one authorization server: every request between the two."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import CredentialError
from ..network import Fetch
from .client_auth import ClientAuthentication, authenticate
from .endpoints import Endpoints
from .errors import TokenRefused
from .requests import form_request, post
from .token import Token, read_token


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """`resource` and `audience` narrow what a token is good for (RFC 8707)."""

    client_id: str
    authentication: ClientAuthentication
    endpoints: Endpoints
    fetch: Fetch
    clock: Callable[[], float]
    resource: str | None = None
    audience: str | None = None

    def token(self, members: Mapping[str, str], scopes: frozenset[str]) -> Token:
        """A token for what `members` show. Raises `TokenRefused` and `Unreachable`."""
        asked = {**members, **self._narrowed()}
        if scopes:
            asked["scope"] = " ".join(sorted(scopes))
        return self._token(self.endpoints.token, asked, scopes)

    def refreshed(self, token: Token) -> Token:
        """The next generation of a token; its scopes are those it was granted with."""
        if token.refresh is None:
            raise TokenRefused("invalid_grant", "there is no refresh token")
        members = {"grant_type": "refresh_token", "refresh_token": token.refresh.reveal()}
        address = self.endpoints.refresh or self.endpoints.token
        return self._token(address, {**members, **self._narrowed()}, token.scopes)

    def redeemed(self, members: Mapping[str, str], scopes: frozenset[str]) -> Token:
        """A token for a code that was granted with its scopes."""
        return self._token(self.endpoints.token, {**members, **self._narrowed()}, scopes)

    def device(self, scopes: frozenset[str]) -> Mapping[str, Any]:
        """A device authorization response (RFC 8628 section 3.2)."""
        if not self.endpoints.device:
            raise CredentialError("the authorization server has no device authorization endpoint")
        members = self._narrowed()
        if scopes:
            members["scope"] = " ".join(sorted(scopes))
        return self._post(self.endpoints.device, members)

    def revoke(self, token: Token) -> None:
        """Make a token worthless, where the server can (RFC 7009). Raises `CredentialError`."""
        if not self.endpoints.revocation:
            return
        secret = token.refresh or token.access
        headers, identity = self._identity()
        members = {"token": secret.reveal(), **identity}
        answer = self.fetch(form_request(self.endpoints.revocation, headers, members))
        if answer.status != 200:
            raise CredentialError(f"the server did not revoke the token ({answer.status})")

    def _token(self, url: str, members: Mapping[str, str], scopes: frozenset[str]) -> Token:
        if not url:
            raise CredentialError("the authorization server has no token endpoint")
        sent_at = self.clock()
        return read_token(self._post(url, members), scopes, sent_at)

    def _post(self, url: str, members: Mapping[str, str]) -> Mapping[str, Any]:
        headers, identity = self._identity()
        return post(self.fetch, url, headers, {**members, **identity})

    def _identity(self) -> tuple[dict[str, str], dict[str, str]]:
        return authenticate(
            self.client_id, self.authentication, self.endpoints, os.environ, self.clock
        )

    def _narrowed(self) -> dict[str, str]:
        members = {"resource": self.resource, "audience": self.audience}
        return {name: value for name, value in members.items() if value}
