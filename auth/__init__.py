"""Credentials: where secrets come from, how they are applied, which are chosen.

credentials = Credentials(schemes, {"bearerAuth": env("TOKEN")})
chosen = credentials.choose(operation_security)  # a Choice, or Missing
signed, pending = chosen.static(request)  # what can be said without waiting

exchange = chosen.exchange()  # or chosen.as_httpx_auth() for any httpx client
signed = await exchange.apply(request)
again = await exchange.again(signed, answer)  # a request to send once more, or None
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .acting import acting_for, principal
    from .choice import Choice
    from .choose import Missing, Security
    from .credentials import Credentials
    from .environment import environment_variables
    from .errors import AuthorizationNeeded, CredentialError
    from .exchange import Exchange
    from .held import Credential
    from .hosts import Unreachable
    from .mtls import Certificate
    from .oauth2.client import OAuthClient
    from .oauth2.client_auth import (
        ClientSecretBasic,
        ClientSecretPost,
        PrivateKeyJwt,
        TlsClientAuth,
    )
    from .oauth2.errors import TokenRefused
    from .oauth2.grants import (
        AuthorizationCode,
        ClientCredentials,
        DeviceCode,
        Password,
        RefreshToken,
        TokenExchange,
    )
    from .oauth2.locate import Target
    from .oauth2.login import Login
    from .redact import Redactor
    from .request import Answer, Outgoing
    from .schemes import (
        ApiKey,
        HttpBasic,
        HttpBearer,
        HttpDigest,
        HttpScheme,
        MutualTls,
        OAuth2,
        OAuthFlow,
        OpenIdConnect,
        Scheme,
        Unsupported,
    )
    from .secret import Secret
    from .sources import allow_http, env, file
    from .store import Store
    from .store.file import FileStore
    from .store.keyring import KeyringStore
    from .store.memory import MemoryStore
    from .store.redis import RedisStore

__all__ = [
    "Answer",
    "ApiKey",
    "AuthorizationCode",
    "AuthorizationNeeded",
    "Certificate",
    "Choice",
    "ClientCredentials",
    "ClientSecretBasic",
    "ClientSecretPost",
    "Credential",
    "CredentialError",
    "Credentials",
    "DeviceCode",
    "Exchange",
    "FileStore",
    "HttpBasic",
    "HttpBearer",
    "HttpDigest",
    "HttpScheme",
    "KeyringStore",
    "Login",
    "MemoryStore",
    "Missing",
    "MutualTls",
    "OAuth2",
    "OAuthClient",
    "OAuthFlow",
    "OpenIdConnect",
    "Outgoing",
    "Password",
    "PrivateKeyJwt",
    "Redactor",
    "RedisStore",
    "RefreshToken",
    "Scheme",
    "Secret",
    "Security",
    "Store",
    "Target",
    "TlsClientAuth",
    "TokenExchange",
    "TokenRefused",
    "Unreachable",
    "Unsupported",
    "acting_for",
    "allow_http",
    "env",
    "environment_variables",
    "file",
    "principal",
]

_HOMES = {
    name: module
    for module, names in {
        "acting": "acting_for principal",
        "choice": "Choice",
        "choose": "Missing Security",
        "credentials": "Credentials",
        "environment": "environment_variables",
        "errors": "AuthorizationNeeded CredentialError",
        "exchange": "Exchange",
        "held": "Credential",
        "mtls": "Certificate",
        "hosts": "Unreachable",
        "oauth2.client": "OAuthClient",
        "oauth2.client_auth": "ClientSecretBasic ClientSecretPost PrivateKeyJwt TlsClientAuth",
        "oauth2.errors": "TokenRefused",
        "oauth2.grants": "AuthorizationCode ClientCredentials DeviceCode Password RefreshToken "
        "TokenExchange",
        "oauth2.locate": "Target",
        "oauth2.login": "Login",
        "redact": "Redactor",
        "request": "Answer Outgoing",
        "schemes": "ApiKey HttpBasic HttpBearer HttpDigest HttpScheme MutualTls OAuth2 "
        "OAuthFlow OpenIdConnect Scheme Unsupported",
        "secret": "Secret",
        "sources": "allow_http env file",
        "store": "Store",
        "store.file": "FileStore",
        "store.keyring": "KeyringStore",
        "store.memory": "MemoryStore",
        "store.redis": "RedisStore",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    """Import an exported name at its first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
