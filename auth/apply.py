"""How a secret that is at hand gets onto a request, scheme by scheme."""

import re
from base64 import b64encode
from typing import TypeAlias

from .errors import CredentialError
from .request import Outgoing, with_cookie, with_header, with_query
from .schemes import (
    ApiKey,
    HttpBasic,
    HttpBearer,
    HttpDigest,
    HttpScheme,
    MutualTls,
    OAuth2,
    OpenIdConnect,
    Place,
    Scheme,
    Unsupported,
)
from .secret import Secret
from .sources import Pair

Carrier: TypeAlias = tuple[Place, str]
"""Where a credential stands; header names in lower case."""


def carrier(scheme: Scheme) -> Carrier | None:
    """The place a scheme writes to; None for one that works outside the request."""
    match scheme:
        case ApiKey(parameter, "header"):
            return "header", parameter.lower()
        case ApiKey(parameter, place):
            return place, parameter
        case MutualTls() | Unsupported():
            return None
        case _:
            return "header", "authorization"


def apply(scheme: Scheme, secret: Secret | Pair, request: Outgoing) -> Outgoing:
    """The request with the credential on it.

    Raises `CredentialError`, without the value, for one that cannot travel in its place.
    """
    match scheme, secret:
        case ApiKey(name, "header"), Secret():
            return with_header(request, name, secret.reveal())
        case ApiKey(name, "query"), Secret():
            return with_query(request, name, secret.reveal())
        case ApiKey(name, "cookie"), Secret():
            return with_cookie(request, name, secret.reveal())
        case HttpBasic(), Pair():
            return with_header(request, "Authorization", f"Basic {basic(secret)}")
        case ((HttpBearer() | OAuth2() | OpenIdConnect()), Secret()):
            return with_header(request, "Authorization", f"Bearer {_bearer(secret)}")
        case HttpScheme(name), Secret():
            return with_header(request, "Authorization", f"{_scheme(name)} {secret.reveal()}")
        case _:
            raise CredentialError("the credential is of another kind than its scheme")


def mark(scheme: Scheme, text: str, request: Outgoing) -> Outgoing:
    """The request with a text that is no secret where the scheme writes its credential."""
    match scheme:
        case ApiKey(name, "header"):
            return with_header(request, name, text)
        case ApiKey(name, "query"):
            return with_query(request, name, text, safe="*")
        case ApiKey(name, "cookie"):
            return with_cookie(request, name, text)
        case HttpBasic():
            return with_header(request, "Authorization", f"Basic {text}")
        case HttpDigest():
            return with_header(request, "Authorization", f"Digest {text}")
        case HttpScheme(name):
            return with_header(request, "Authorization", f"{_scheme(name)} {text}")
        case HttpBearer() | OAuth2() | OpenIdConnect():
            return with_header(request, "Authorization", f"Bearer {text}")
        case _:
            return request


def applies(scheme: Scheme) -> bool:
    """Whether `apply` writes this scheme: false where a challenge or a handshake does."""
    return carrier(scheme) is not None and not isinstance(scheme, HttpDigest)


def basic(pair: Pair) -> str:
    """`username:password` in UTF-8 and Base64 (RFC 7617)."""
    joined = f"{pair.username}:{pair.password.reveal()}"
    if _CONTROL.search(joined):
        raise CredentialError("a username or password cannot hold control characters (RFC 7617)")
    return b64encode(joined.encode("utf-8")).decode("ascii")


def _bearer(secret: Secret) -> str:
    token = secret.reveal()
    if " " in token:
        raise CredentialError("a bearer token holds no space: give the token without `Bearer`")
    return token


def _scheme(name: str) -> str:
    if not _SCHEME.fullmatch(name):
        raise CredentialError(f"{name!r} cannot be the name of an HTTP authentication scheme")
    return name


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
