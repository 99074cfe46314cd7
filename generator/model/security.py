"""How a client authenticates, as the description says it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .nodes import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthFlow:
    """One flow of an OAuth 2 scheme; URLs as written, resolved against the server."""

    kind: Literal[
        "authorizationCode", "clientCredentials", "password", "implicit", "deviceAuthorization"
    ]
    authorization_url: str | None = None
    token_url: str | None = None
    refresh_url: str | None = None
    device_authorization_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityScheme:
    """A way to authenticate. `kind` "unsupported" keeps what the document says in `scheme`."""

    name: str  # the key in `securitySchemes`
    kind: Literal["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS", "unsupported"]
    place: Literal["header", "query", "cookie"] | None = None  # apiKey
    parameter: str | None = None  # apiKey: the header, key or cookie
    scheme: str | None = None  # http: basic, bearer, digest, or another as written
    flows: tuple[OAuthFlow, ...] = ()
    openid_url: str | None = None
    description: str = ""
    location: Location


SecurityRequirement: TypeAlias = tuple[Mapping[str, tuple[str, ...]], ...]
"""An OR of ANDs: each alternative maps scheme names to scopes; `{}` is anonymous; `()` is none."""
