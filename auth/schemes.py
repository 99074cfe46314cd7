"""How a credential travels, as a description's security schemes say it; printed by generated code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Place: TypeAlias = Literal["header", "query", "cookie"]
FlowKind: TypeAlias = Literal[
    "authorizationCode", "clientCredentials", "password", "implicit", "deviceAuthorization"
]


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key sent as it is under a name of the API's own."""

    parameter: str
    place: Place = "header"


@dataclass(frozen=True, slots=True)
class HttpBasic:
    """A username and password in every request (RFC 7617)."""


@dataclass(frozen=True, slots=True)
class HttpBearer:
    """A token as `Authorization: Bearer …` (RFC 6750)."""


@dataclass(frozen=True, slots=True)
class HttpDigest:
    """A username and password proved without being sent (RFC 7616)."""


@dataclass(frozen=True, slots=True)
class HttpScheme:
    """Any other HTTP authentication scheme, with what follows its name supplied whole."""

    scheme: str


@dataclass(frozen=True, slots=True)
class OAuthFlow:
    """One way to get a token; addresses as the description writes them."""

    kind: FlowKind
    authorization_url: str | None = None
    token_url: str | None = None
    refresh_url: str | None = None
    device_authorization_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class OAuth2:
    """OAuth 2 (RFC 6749); `metadata_url` is the server's own description (RFC 8414)."""

    flows: tuple[OAuthFlow, ...] = ()
    metadata_url: str | None = None


@dataclass(frozen=True, slots=True)
class OpenIdConnect:
    """OpenID Connect; `url` is the provider's configuration."""

    url: str


@dataclass(frozen=True, slots=True)
class MutualTls:
    """A client certificate in the TLS handshake."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A scheme that toolmint does not know: never guessed at, never satisfied."""

    text: str


Scheme: TypeAlias = (
    ApiKey
    | HttpBasic
    | HttpBearer
    | HttpDigest
    | HttpScheme
    | OAuth2
    | OpenIdConnect
    | MutualTls
    | Unsupported
)


def title(scheme: Scheme) -> str:
    """What a scheme is called in a message."""
    match scheme:
        case ApiKey():
            return f"API key in {'a' if scheme.place != 'query' else 'the'} {scheme.place}"
        case HttpScheme():
            return f"HTTP {scheme.scheme}"
        case Unsupported():
            return f"unsupported scheme {scheme.text!r}"
        case _:
            return _TITLES[type(scheme)]


_TITLES = {
    HttpBasic: "HTTP basic",
    HttpBearer: "HTTP bearer",
    HttpDigest: "HTTP digest",
    OAuth2: "OAuth 2",
    OpenIdConnect: "OpenID Connect",
    MutualTls: "mutual TLS",
}
