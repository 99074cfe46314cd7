"""A person signs in with a browser, which comes back to a loopback port with a code.

The authorization code grant with PKCE (RFC 6749, RFC 7636, RFC 8252, RFC 9207).
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from secrets import token_urlsafe
from time import monotonic
from urllib.parse import parse_qs, urlsplit

from ..errors import CredentialError
from ..request import is_web_address, origin, safe_address
from .endpoints import Endpoints
from .grants import AuthorizationCode
from .login import SECONDS, Login
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
    answers: list[dict[str, str]] = []
    listener = _listener(grant, state, answers)
    redirect = f"http://127.0.0.1:{listener.server_port}{grant.path}"
    query = _question(server, scopes, redirect, state, verifier)

    def obtain() -> Token:
        with listener:
            answer = _await_answer(listener, answers)
        members = {
            "grant_type": "authorization_code",
            "code": _code(answer, server),
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


def _listener(grant: AuthorizationCode, state: str, answers: list[dict[str, str]]) -> HTTPServer:
    class Return(BaseHTTPRequestHandler):
        """Takes the one request that carries our state; others change nothing."""

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            ours = hmac.compare_digest(query.get("state", "").encode(), state.encode())
            if parts.path != grant.path or not ours:
                self._say(404, "This is not the sign-in that is waited for.")
                return
            answers.append(query)
            self._say(200, "You can close this window and go back.")

        def _say(self, status: int, text: str) -> None:
            body = f"<!doctype html><title>toolmint</title><p>{text}</p>".encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the request line holds the code."""

    listener = HTTPServer(("127.0.0.1", grant.redirect_port), Return)
    listener.timeout = 1.0
    return listener


def _await_answer(listener: HTTPServer, answers: list[dict[str, str]]) -> dict[str, str]:
    deadline = monotonic() + SECONDS
    while not answers:
        if monotonic() > deadline:
            raise CredentialError("nobody signed in in time: call again for a new address")
        listener.handle_request()
    return answers[0]


def _code(answer: dict[str, str], server: Server) -> str:
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
