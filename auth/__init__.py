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
    from .choice import Choice, Exchange
    from .choose import Missing, Security
    from .credentials import Credentials
    from .environment import environment_variables
    from .errors import AuthorizationNeeded, CredentialError
    from .held import Credential
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

__all__ = [
    "Answer",
    "ApiKey",
    "AuthorizationNeeded",
    "Choice",
    "Credential",
    "CredentialError",
    "Credentials",
    "Exchange",
    "HttpBasic",
    "HttpBearer",
    "HttpDigest",
    "HttpScheme",
    "Missing",
    "MutualTls",
    "OAuth2",
    "OAuthFlow",
    "OpenIdConnect",
    "Outgoing",
    "Redactor",
    "Scheme",
    "Secret",
    "Security",
    "Unsupported",
    "allow_http",
    "env",
    "environment_variables",
    "file",
]

_HOMES = {
    name: module
    for module, names in {
        "choice": "Choice Exchange",
        "choose": "Missing Security",
        "credentials": "Credentials",
        "environment": "environment_variables",
        "errors": "AuthorizationNeeded CredentialError",
        "held": "Credential",
        "redact": "Redactor",
        "request": "Answer Outgoing",
        "schemes": "ApiKey HttpBasic HttpBearer HttpDigest HttpScheme MutualTls OAuth2 OAuthFlow"
        " OpenIdConnect Scheme Unsupported",
        "secret": "Secret",
        "sources": "allow_http env file",
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
