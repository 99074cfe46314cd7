"""Where an authorization server listens, from a description or from the server itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urljoin

from ..schemes import OAuth2, OAuthFlow, Scheme


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Absolute addresses; `issuer` is "" when only addresses are known."""

    token: str = ""
    authorization: str | None = None
    device: str | None = None
    refresh: str | None = None
    revocation: str | None = None
    issuer: str = ""
    states_issuer: bool = False  # RFC 9207: an authorization response without `iss` is refused
    client_authentications: tuple[str, ...] = ("client_secret_basic",)


def from_metadata(data: Mapping[str, Any], *, mutual_tls: bool = False) -> Endpoints:
    """What a server says of itself (RFC 8414, OpenID Connect Discovery, RFC 8705 section 5)."""
    aliases = data.get("mtls_endpoint_aliases")
    if mutual_tls and isinstance(aliases, dict):
        data = {**data, **aliases}

    def address(name: str) -> str | None:
        value = data.get(name)
        return value if isinstance(value, str) and value else None

    methods: object = data.get("token_endpoint_auth_methods_supported")
    return Endpoints(
        token=address("token_endpoint") or "",
        authorization=address("authorization_endpoint"),
        device=address("device_authorization_endpoint"),
        revocation=address("revocation_endpoint"),
        issuer=address("issuer") or "",
        states_issuer=data.get("authorization_response_iss_parameter_supported") is True,
        client_authentications=(
            tuple(map(str, cast(list[object], methods)))
            if isinstance(methods, list)
            else ("client_secret_basic",)
        ),
    )


def from_scheme(scheme: Scheme, kinds: tuple[str, ...], server: str) -> Endpoints | None:
    """The addresses that a description gives for the first of these kinds of flow it has.

    Relative ones are resolved against the server. None when it gives no token endpoint.
    """
    if not isinstance(scheme, OAuth2):
        return None
    flow = next((flow for kind in kinds for flow in scheme.flows if flow.kind == kind), None)
    if flow is None or not flow.token_url:
        return None
    device = (flow.device_authorization_url for flow in scheme.flows)
    return _from_flow(flow, next(filter(None, device), None), server)


def resolved(server: str, written: str) -> str:
    """An address of a description made whole; one that is none stays so, and is not gone to."""
    try:
        return urljoin(server, written)
    except ValueError:
        return written


def _from_flow(flow: OAuthFlow, device: str | None, server: str) -> Endpoints:
    def address(written: str | None) -> str | None:
        return resolved(server, written) if written else None

    return Endpoints(
        token=address(flow.token_url) or "",
        authorization=address(flow.authorization_url),
        device=address(device),
        refresh=address(flow.refresh_url),
    )
