"""How a client proves itself to the token endpoint (RFC 6749, RFC 7523, RFC 8705)."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import TypeAlias
from urllib.parse import quote_plus

from ..mtls import Certificate
from ..sources import Text, keep_secret, text
from .endpoints import Endpoints
from .jwt import Algorithm, sign_jwt


@dataclass(frozen=True, slots=True)
class PublicClient:
    """A client without a secret: `none`."""


@dataclass(frozen=True, slots=True)
class ClientSecret:
    """A secret, sent in the header unless the server takes it only in the body."""

    secret: Text = field(repr=False)

    def __post_init__(self) -> None:
        keep_secret(self, "secret")


@dataclass(frozen=True, slots=True)
class ClientSecretBasic:
    """`client_secret_basic`: the secret in the Authorization header."""

    secret: Text = field(repr=False)

    def __post_init__(self) -> None:
        keep_secret(self, "secret")


@dataclass(frozen=True, slots=True)
class ClientSecretPost:
    """`client_secret_post`: the secret in the body."""

    secret: Text = field(repr=False)

    def __post_init__(self) -> None:
        keep_secret(self, "secret")


@dataclass(frozen=True, slots=True)
class PrivateKeyJwt:
    """`private_key_jwt`: a short-lived statement signed with a key in PEM."""

    key: Text = field(repr=False)
    password: Text | None = field(default=None, repr=False)
    key_id: str | None = None
    algorithm: Algorithm | None = None

    def __post_init__(self) -> None:
        keep_secret(self, "key", "password")


@dataclass(frozen=True, slots=True)
class TlsClientAuth:
    """`tls_client_auth` and `self_signed_tls_client_auth`: the certificate of the connection."""

    certificate: Certificate


ClientAuthentication: TypeAlias = (
    PublicClient
    | ClientSecret
    | ClientSecretBasic
    | ClientSecretPost
    | PrivateKeyJwt
    | TlsClientAuth
)


def authenticate(
    client_id: str,
    authentication: ClientAuthentication,
    endpoints: Endpoints,
    environ: Mapping[str, str],
    clock: Callable[[], float],
) -> tuple[dict[str, str], dict[str, str]]:
    """The headers and the members of the form that identify the client."""
    match authentication:
        case ClientSecret(secret):
            known = endpoints.client_authentications
            in_body = "client_secret_post" in known and "client_secret_basic" not in known
            way = ClientSecretPost(secret) if in_body else ClientSecretBasic(secret)
            return authenticate(client_id, way, endpoints, environ, clock)
        case ClientSecretBasic(secret):
            pair = f"{quote_plus(client_id)}:{quote_plus(text(secret, environ).reveal())}"
            return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}, {}
        case ClientSecretPost(secret):
            return {}, {"client_id": client_id, "client_secret": text(secret, environ).reveal()}
        case PrivateKeyJwt():
            return {}, {
                "client_id": client_id,
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion": _statement(
                    client_id, authentication, endpoints, environ, clock()
                ),
            }
        case PublicClient() | TlsClientAuth():
            return {}, {"client_id": client_id}


def _statement(
    client_id: str,
    authentication: PrivateKeyJwt,
    endpoints: Endpoints,
    environ: Mapping[str, str],
    now: float,
) -> str:
    password = authentication.password
    claims = {
        "iss": client_id,
        "sub": client_id,
        "aud": endpoints.issuer or endpoints.token,
        "jti": token_urlsafe(16),
        "iat": int(now),
        "exp": int(now) + 60,
    }
    return sign_jwt(
        claims,
        text(authentication.key, environ).reveal(),
        None if password is None else text(password, environ).reveal(),
        authentication.algorithm,
        authentication.key_id,
    )
