"""Finding the authorization server for a call: what the user gave, the scheme, or the API says."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from ..errors import CredentialError
from ..hosts import is_private
from ..network import A_REQUEST, Fetch, fetcher
from ..request import Answer, Outgoing, is_web_address, origin, safe_address
from ..schemes import OAuth2, OpenIdConnect, Scheme
from .client_auth import ClientAuthentication, TlsClientAuth
from .discovery import Resource, configuration, metadata, protected_resource
from .endpoints import Endpoints, from_metadata, from_scheme, resolved


@dataclass(frozen=True, slots=True)
class Target:
    """What a token is wanted for: the API's URL, its scheme, the scopes, and for whom."""

    url: str
    scheme: Scheme
    scopes: frozenset[str] = frozenset()
    principal: str = ""


@dataclass
class Locator:
    """Remembers what servers said of themselves; asking them may block."""

    given: Endpoints
    kinds: tuple[str, ...]
    authentication: ClientAuthentication
    own_fetch: Fetch | None = None
    _endpoints: dict[str, Endpoints] = field(default_factory=dict[str, Endpoints])
    _resources: dict[tuple[str, str, int | None], Resource] = field(
        default_factory=dict[tuple[str, str, int | None], Resource]
    )

    def identity(self, target: Target) -> str | None:
        """What tells this authorization server from others; None until the API was asked."""
        resource = self.resource(target)
        return (
            self.given.issuer
            or self.given.token
            or _stated_address(target)
            or (from_scheme(target.scheme, self.kinds, target.url) or Endpoints()).token
            or _implicit_address(target)
            or (resource.issuer if resource else None)
        )

    def resource(self, target: Target) -> Resource | None:
        """What the target's API said of its protection, if it was asked."""
        return self._resources.get(origin(target.url))

    def discover(self, target: Target, stated: str | None) -> None:
        """Ask the API; `stated` is where its 401 pointed to."""
        found = protected_resource(self.fetch(target), target.url, stated)
        self._resources[origin(target.url)] = found

    def endpoints(self, target: Target) -> Endpoints:
        """The server's addresses."""
        identity = self.identity(target)
        if identity is None:
            raise CredentialError(
                "it is not known where to get a token: give token_url= or issuer="
            )
        if identity not in self._endpoints:
            self._endpoints[identity] = self._locate(target)
        return self._endpoints[identity]

    def completed(self, target: Target, wanted: Literal["device", "revocation"]) -> Endpoints:
        """The same, where a description leaves out an address, with what the server itself says.

        Raises `Unreachable`; a server that says nothing leaves the address unknown.
        """
        known = self.endpoints(target)
        if known.issuer or getattr(known, wanted):
            return known
        try:
            said = metadata(self.fetch(target), _root(known.token))
        except CredentialError as error:
            if error.retryable:
                raise
            return known
        found = self._read(said)
        return replace(known, device=known.device or found.device, revocation=found.revocation)

    def fetch(self, target: Target) -> Fetch:
        """Requests to addresses that the user wrote, or that the API's own place justifies."""
        if self.own_fetch:
            return self.own_fetch
        given, host = self.given, _host(target.url)
        addresses = (given.issuer, given.token, given.authorization, given.device)
        declared = {_host(url) for url in addresses if url and is_web_address(url)}
        context = (
            self.authentication.certificate.context()
            if isinstance(self.authentication, TlsClientAuth)
            else None
        )

        def fetch(request: Outgoing) -> Answer:
            asked = _host(safe_address(request.url, A_REQUEST))
            private = asked in declared or is_private(host)
            return fetcher(private=private, context=context)(request)

        return fetch

    def _locate(self, target: Target) -> Endpoints:
        given, fetch = self.given, self.fetch(target)
        if given.issuer:
            return _over(given, self._read(metadata(fetch, given.issuer)))
        if given.token:
            return given
        if stated := _stated_address(target):
            return self._read(configuration(fetch, stated))
        if described := from_scheme(target.scheme, self.kinds, target.url):
            return described
        if implicit := _implicit_address(target):
            return self._read(metadata(fetch, _root(implicit)))
        resource = self.resource(target)
        if resource is None:
            raise CredentialError("it is not known where to get a token")
        return self._read(metadata(fetch, resource.issuer))

    def _read(self, data: Mapping[str, Any]) -> Endpoints:
        return from_metadata(data, mutual_tls=isinstance(self.authentication, TlsClientAuth))


def _root(url: str) -> str:
    parts = urlsplit(safe_address(url, A_REQUEST))
    return f"{parts.scheme}://{parts.netloc}"


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _stated_address(target: Target) -> str | None:
    """Where the scheme says that the server describes itself."""
    match target.scheme:
        case OpenIdConnect(url):
            return resolved(target.url, url)
        case OAuth2(metadata_url=str(url)):
            return resolved(target.url, url)
        case _:
            return None


def _implicit_address(target: Target) -> str | None:
    """The authorization endpoint of an implicit flow: the server may offer better ones."""
    if not isinstance(target.scheme, OAuth2):
        return None
    urls = [flow.authorization_url for flow in target.scheme.flows if flow.kind == "implicit"]
    return resolved(target.url, urls[0]) if urls and urls[0] else None


def _over(given: Endpoints, found: Endpoints) -> Endpoints:
    """What the user gave goes before what the server says."""
    return replace(
        found,
        token=given.token or found.token,
        authorization=given.authorization or found.authorization,
        device=given.device or found.device,
    )
