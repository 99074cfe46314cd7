"""Asking servers where to get a token: RFC 9728, then RFC 8414, then OpenID Connect Discovery."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from ..errors import CredentialError
from ..hosts import Unreachable
from ..network import A_REQUEST, Fetch
from ..request import Answer, Outgoing, is_web_address, origin, safe_address
from .requests import json_object


@dataclass(frozen=True, slots=True)
class Resource:
    """What an API says of its own protection (RFC 9728)."""

    identifier: str
    issuer: str


def protected_resource(fetch: Fetch, url: str, stated: str | None) -> Resource:
    """The authorization server of the API at `url`; `stated` is where its 401 pointed to.

    What is found must be about this API: another server could otherwise ask for its tokens.
    """
    places = [stated] if stated else list(_well_known(url, "oauth-protected-resource"))
    data = _first(fetch, places)
    if data is None:
        raise CredentialError(
            f"{urlsplit(url).hostname} does not say where to get a token: give issuer=… or token_url=…"
        )
    identifier, issuers = data.get("resource"), data.get("authorization_servers")
    if not isinstance(identifier, str) or not _covers(identifier, url):
        raise CredentialError("the resource metadata is about another API than the one called")
    issuer = cast(list[object], issuers)[0] if isinstance(issuers, list) and issuers else None
    if not isinstance(issuer, str) or not is_web_address(issuer):
        raise CredentialError("the resource metadata names no authorization server")
    return Resource(identifier, issuer)


def metadata(fetch: Fetch, issuer: str) -> Mapping[str, Any]:
    """What an issuer says of itself. Raises `CredentialError` when it is another issuer's."""
    path = urlsplit(safe_address(issuer, A_REQUEST)).path.rstrip("/")
    places = [next(_well_known(issuer, "oauth-authorization-server"))]
    places.append(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if path:
        places.append(next(_well_known(issuer, "openid-configuration")))
    data = _first(fetch, places)
    if data is None:
        raise CredentialError(f"{issuer} has no metadata of an authorization server")
    if data.get("issuer") != issuer:
        raise CredentialError(f"the metadata found for {issuer} states another issuer")
    return data


def configuration(fetch: Fetch, url: str) -> Mapping[str, Any]:
    """What is found at the very address that a description gives.

    Its issuer must be of the same origin; some providers write a template for the rest.
    """
    data = _first(fetch, [url])
    if data is None:
        raise CredentialError(f"{url} is no OpenID configuration")
    issuer = str(data.get("issuer", ""))
    if not is_web_address(issuer) or origin(issuer) != origin(url):
        raise CredentialError(f"the configuration at {url} states an issuer elsewhere")
    return data


def _well_known(url: str, name: str) -> Iterator[str]:
    """The address with the URL's path after it (RFC 8414 section 3), then the one without."""
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}/.well-known/{name}"
    if path := parts.path.rstrip("/"):
        yield root + path
    yield root


def _first(fetch: Fetch, places: list[str]) -> Mapping[str, Any] | None:
    """What the first of these places says that says anything.

    Raises `Unreachable` where none does because a server failed.
    """
    failed: Answer | None = None
    for place in places:
        answer = fetch(Outgoing("GET", place))
        data = json_object(answer.body) if answer.status == 200 else None
        if data is not None:
            return data
        if answer.status >= 500 or answer.status == 429:
            failed = answer
    if failed:
        host = urlsplit(places[0]).hostname
        raise Unreachable(f"{host} failed with status {failed.status}")
    return None


def _covers(identifier: str, url: str) -> bool:
    """Whether an API's identifier stands for an address below it."""
    if not is_web_address(identifier) or origin(identifier) != origin(url):
        return False
    base, path = urlsplit(identifier).path.rstrip("/"), urlsplit(url).path
    return path == base or path.startswith(f"{base}/") or not base
