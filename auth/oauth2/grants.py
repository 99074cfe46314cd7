"""What a client has to show for a token: the grants of OAuth 2 and its extensions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ..sources import Text, keep_secret, text


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """The client acts for itself."""


@dataclass(frozen=True, slots=True)
class Password:
    """A user's own password (legacy descriptions only)."""

    username: Text
    password: Text = field(repr=False)

    def __post_init__(self) -> None:
        keep_secret(self, "password")


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token from elsewhere; once renewed, the store's newer one counts."""

    token: Text = field(repr=False)

    def __post_init__(self) -> None:
        keep_secret(self, "token")


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """Another token is exchanged for one of this API's (RFC 8693)."""

    subject_token: Text = field(repr=False)
    subject_token_type: str = "urn:ietf:params:oauth:token-type:access_token"
    actor_token: Text | None = field(default=None, repr=False)
    actor_token_type: str = "urn:ietf:params:oauth:token-type:access_token"

    def __post_init__(self) -> None:
        keep_secret(self, "subject_token", "actor_token")


@dataclass(frozen=True, slots=True)
class AuthorizationCode:
    """A person signs in with a browser on this machine; PKCE, answer to a loopback port."""

    redirect_port: int = 0  # any free one
    path: str = "/callback"


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A person signs in anywhere and enters a code (RFC 8628)."""


Interactive: TypeAlias = AuthorizationCode | DeviceCode
Grant: TypeAlias = ClientCredentials | Password | RefreshToken | TokenExchange | Interactive

EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"


def form(
    grant: ClientCredentials | Password | RefreshToken | TokenExchange,
    environ: Mapping[str, str],
) -> dict[str, str]:
    """The members of the token request that show the grant."""
    match grant:
        case ClientCredentials():
            return {"grant_type": "client_credentials"}
        case Password(username, password):
            return {
                "grant_type": "password",
                "username": text(username, environ).reveal(),
                "password": text(password, environ).reveal(),
            }
        case RefreshToken(token):
            return {"grant_type": "refresh_token", "refresh_token": text(token, environ).reveal()}
        case TokenExchange():
            return _exchange(grant, environ)


def flow_kinds(grant: Grant) -> tuple[str, ...]:
    """The kinds of flow of a description whose addresses serve a grant, best first."""
    match grant:
        case ClientCredentials():
            return ("clientCredentials",)
        case Password():
            return ("password",)
        case AuthorizationCode():
            return ("authorizationCode", "implicit")
        case DeviceCode():
            return ("deviceAuthorization",)
        case RefreshToken() | TokenExchange():
            return ("authorizationCode", "clientCredentials", "password", "deviceAuthorization")


def _exchange(grant: TokenExchange, environ: Mapping[str, str]) -> dict[str, str]:
    members = {
        "grant_type": EXCHANGE,
        "subject_token": text(grant.subject_token, environ).reveal(),
        "subject_token_type": grant.subject_token_type,
    }
    if grant.actor_token is not None:
        members["actor_token"] = text(grant.actor_token, environ).reveal()
        members["actor_token_type"] = grant.actor_token_type
    return members
