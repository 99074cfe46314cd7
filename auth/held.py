"""What each scheme works with, made from what was given for it."""

from collections.abc import Mapping
from typing import TypeAlias, TypeGuard

from .errors import CredentialError
from .flow import Prover
from .mtls import Certificate
from .schemes import (
    HttpBasic,
    HttpBearer,
    HttpDigest,
    MutualTls,
    OAuth2,
    OpenIdConnect,
    Scheme,
    Unsupported,
    title,
)
from .secret import Secret
from .sources import OverHttp, Pair, Supplier, Text, Unavailable, is_pair, pair, split_pair, text

Given: TypeAlias = Text | Mapping[str, Text] | Supplier | Prover | Certificate
"""What can be given for a scheme."""

Credential: TypeAlias = Given | OverHttp | None
"""What a user may write in `credentials=`; None is the same as leaving it out."""

Held: TypeAlias = Secret | Pair | Supplier | Prover | Certificate
"""What is applied to a request; a function is called first, at each call."""


def check(scheme: Scheme, value: Credential) -> None:
    """Refuse a value of a kind that the scheme can never use; the message shows no value."""
    given = value.value if isinstance(value, OverHttp) else value
    fits = True
    if isinstance(scheme, Unsupported):
        raise CredentialError(f"{title(scheme)}: toolmint cannot send it")
    if is_pair(given):
        fits = _takes_pair(scheme) and set(given) == {"username", "password"}
    elif isinstance(given, Certificate):
        fits = isinstance(scheme, MutualTls)
    elif isinstance(given, Prover):
        fits = isinstance(scheme, (HttpBearer, OAuth2, OpenIdConnect))
    elif given is not None:
        is_text = isinstance(given, Text) or callable(given)
        fits = is_text and not isinstance(scheme, MutualTls)
    if not fits:
        raise CredentialError(f"{title(scheme)} takes {_wanted(scheme)}, not {_kind(given)}")


def hold(scheme: Scheme, given: Given, environ: Mapping[str, str]) -> Held:
    """What the scheme works with. Raises `Unavailable` when there is nothing."""
    if _comes_later(given):
        return given
    if is_pair(given):
        return secret_for(scheme, given, environ)
    if isinstance(given, Text):
        return secret_for(scheme, given, environ)
    raise CredentialError(f"{title(scheme)} takes {_wanted(scheme)}, not {_kind(given)}")


def secret_for(
    scheme: Scheme, given: Text | Mapping[str, Text], environ: Mapping[str, str]
) -> Secret | Pair:
    """The secret in the form its scheme sends."""
    if isinstance(given, Mapping):
        check(scheme, given)
        return pair(given, environ)
    secret = text(given, environ)
    if _takes_pair(scheme):
        return split_pair(secret)
    if not secret:
        raise Unavailable("it is empty")
    return secret


def _comes_later(given: Given) -> TypeGuard[Supplier | Prover | Certificate]:
    if isinstance(given, Secret):  # nearly always, and a protocol is slow to ask
        return False
    return isinstance(given, (Certificate, Prover)) or callable(given)


def _takes_pair(scheme: Scheme) -> bool:
    return isinstance(scheme, (HttpBasic, HttpDigest))


def _wanted(scheme: Scheme) -> str:
    match scheme:
        case HttpBasic() | HttpDigest():
            return '{"username": …, "password": …}'
        case MutualTls():
            return "a Certificate"
        case HttpBearer() | OAuth2() | OpenIdConnect():
            return "an access token, a function that returns one, or an OAuth 2 client"
        case _:
            return "a text, or a function that returns one"


def _kind(value: object) -> str:
    if is_pair(value):
        return "a mapping with other keys" if value else "an empty mapping"
    return type(value).__name__
