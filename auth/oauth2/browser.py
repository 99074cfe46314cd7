"""A person signs in with a browser, which comes back to a loopback port with a code.

The authorization code grant with PKCE (RFC 6749, RFC 7636, RFC 8252, RFC 9207).
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from secrets import token_urlsafe
from threading import Event
from urllib.parse import urlsplit

from ..errors import CredentialError
from ..request import is_web_address, origin, safe_address
from .endpoints import Endpoints
from .grants import AuthorizationCode
from .listener import listen
from .login import Login
from .requests import encoded
from .server import Server
from .token import Token


def begin_code(
    server: Server, grant: AuthorizationCode, scopes: frozenset[str], keep: Callable[[Token], None]
) -> Login:
    """Listen on loopback for the browser's return, and say where to send the person."""
    if not server.endpoints.authorization:
        raise CredentialError("the authorization server has no authorization endpoint")
    base = safe_address(server.endpoints.authorization, "a sign-in")
    state, verifier = token_urlsafe(32), token_urlsafe(64)
    listener = listen(grant, state)
    redirect = f"http://127.0.0.1:{listener.port}{grant.path}"
    query = _question(server, scopes, redirect, state, verifier)

    def obtain(abandoned: Event) -> Token:
        members = {
            "grant_type": "authorization_code",
            "code": _code(listener.wait(abandoned), server),
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        return server.redeemed(members, scopes)

    url = f"{base}{'&' if urlsplit(base).query else '?'}{encoded(query)}"
    return Login(url, None).start(obtain, keep)


def _question(
    server: Server, scopes: frozenset[str], redirect: str, state: str, verifier: str
) -> dict[str, str]:
    """What the authorization endpoint is asked."""
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": server.client_id,
        "redirect_uri": redirect,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    if scopes:
        query["scope"] = " ".join(sorted(scopes))
    if server.resource:
        query["resource"] = server.resource
    if server.audience:
        query["audience"] = server.audience
    return query


def _code(answer: Mapping[str, str], server: Server) -> str:
    """The code, once it is clear that the right server gave it."""
    if not _from_right_server(answer.get("iss"), server.endpoints):
        raise CredentialError("the sign-in was answered by another authorization server")
    if "error" in answer:
        raise CredentialError(f"the sign-in was refused: {answer['error'][:60]!r}")
    if "code" not in answer:
        raise CredentialError("the sign-in came back without a code")
    return answer["code"]


def _from_right_server(stated: str | None, endpoints: Endpoints) -> bool:
    """RFC 9207; where a description gives only addresses, by the origin of the one opened."""
    if stated is None:
        return not endpoints.states_issuer
    if endpoints.issuer:
        return stated == endpoints.issuer
    return is_web_address(stated) and origin(stated) == origin(endpoints.authorization or "")
