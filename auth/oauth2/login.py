"""A person signs in: with a browser that comes back to a loopback port, or with a device code."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from secrets import token_urlsafe
from threading import Event, Thread
from time import monotonic
from urllib.parse import parse_qs, urlencode, urlsplit

from ..errors import AuthorizationNeeded, CredentialError
from ..network import Unreachable
from ..request import Outgoing, origin, require_tls
from .endpoints import Endpoints
from .errors import TokenRefused
from .grants import AuthorizationCode
from .server import Server
from .token import Token

SECONDS = 600.0
"""How long a sign-in may take."""


@dataclass(eq=False)
class Login:
    """A sign-in under way: open `url`, and enter `code` when there is one.

    It goes on by itself; when the person is done, the token is kept and calls work.
    """

    url: str
    code: str | None
    finished: Event = field(default_factory=Event, repr=False)
    failure: CredentialError | None = field(default=None, repr=False)

    def wait(self, seconds: float | None = None) -> None:
        """Until the token is kept. Raises what went wrong; `AuthorizationNeeded` if time is up."""
        if not self.finished.wait(seconds):
            raise self.needed()
        if self.failure:
            raise self.failure

    def needed(self) -> AuthorizationNeeded:
        """What to tell a caller meanwhile."""
        code = f" and enter the code {self.code}" if self.code else ""
        return AuthorizationNeeded(
            f"somebody has to sign in: open {self.url}{code}, then call again",
            url=self.url,
            code=self.code,
        )

    def _run(self, obtain: Callable[[], Token], keep: Callable[[Token], None]) -> None:
        self.failure = CredentialError("the sign-in broke off")
        try:
            keep(obtain())
            self.failure = None
        except CredentialError as error:
            self.failure = error
        finally:
            self.finished.set()

    def start(self, obtain: Callable[[], Token], keep: Callable[[Token], None]) -> "Login":
        """Go on in the background; a program that ends does not wait for it."""
        Thread(target=self._run, args=(obtain, keep), daemon=True).start()
        return self


# ── authorization code with PKCE (RFC 6749, RFC 7636, RFC 8252, RFC 9207) ─────────────


def begin_code(
    server: Server, grant: AuthorizationCode, scopes: frozenset[str], keep: Callable[[Token], None]
) -> Login:
    """Listen on loopback for the browser's return, and say where to send the person."""
    if not server.endpoints.authorization:
        raise CredentialError("the authorization server has no authorization endpoint")
    base = _openable(server.endpoints.authorization)
    state, verifier = token_urlsafe(32), token_urlsafe(64)
    answers: list[dict[str, str]] = []
    listener = _listener(grant, state, answers)
    redirect = f"http://127.0.0.1:{listener.server_port}{grant.path}"
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

    url = f"{base}{'&' if urlsplit(base).query else '?'}{urlencode(query)}"
    return Login(url, None).start(obtain, keep)


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
    return origin(stated) == origin(endpoints.authorization or "")


# ── device code (RFC 8628) ──────────────────────────────────────────────────────────


def begin_device(server: Server, scopes: frozenset[str], keep: Callable[[Token], None]) -> Login:
    """Ask for a code, and poll until the person has entered it."""
    begun = server.device(scopes)
    device_code, user_code = begun.get("device_code"), begun.get("user_code")
    url = begun.get("verification_uri")
    if not (isinstance(device_code, str) and isinstance(user_code, str) and isinstance(url, str)):
        raise CredentialError("the device authorization endpoint's answer is incomplete")
    url = _openable(url)
    members = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": device_code,
    }
    lasts = min(_number(begun.get("expires_in"), SECONDS), SECONDS)
    pause = _number(begun.get("interval"), 5.0)
    asleep = Event()

    def obtain() -> Token:
        interval, deadline = pause, monotonic() + lasts
        while monotonic() < deadline:
            asleep.wait(interval)
            try:
                return server.redeemed(members, scopes)
            except Unreachable:
                interval *= 2  # RFC 8628 section 3.5: back off, the code stays good
            except TokenRefused as refusal:
                if refusal.code == "slow_down":
                    interval += 5.0
                elif refusal.code != "authorization_pending":
                    raise
        raise CredentialError("nobody entered the code in time: call again for a new one")

    return Login(url, user_code).start(obtain, keep)


def _openable(url: str) -> str:
    """An address that a browser may be sent to: a server must not make it open a file."""
    require_tls(Outgoing("GET", url), "a sign-in", plain_http=False)
    return url


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) and value >= 0 else otherwise
