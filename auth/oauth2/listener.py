"""The loopback port to which a browser comes back from a sign-in (RFC 8252 section 7.3)."""

import hmac
import os
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Event
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

from ..errors import CredentialError
from .grants import AuthorizationCode
from .login import SECONDS

LOOK_SECONDS = 0.1
"""How often is looked whether a sign-in was abandoned."""


class Listener:
    """Waits for the one request that carries our state; others change nothing.

    Each connection has a thread: a browser opens some on which it says nothing.
    """

    def __init__(self, server: "_Server") -> None:
        self._server = server
        self.port: int = server.server_address[1]

    def wait(self, abandoned: Event) -> Mapping[str, str]:
        """What the browser brought. Raises `CredentialError` when nobody came in time."""
        deadline = monotonic() + SECONDS
        with self._server as server:
            while monotonic() < deadline and not abandoned.is_set():
                server.handle_request()
                if server.answers:
                    return server.answers[0]
        raise CredentialError("nobody signed in in time: call again for a new address")


def listen(grant: AuthorizationCode, state: str) -> Listener:
    """Take the port. Raises `CredentialError` when another program has it."""
    try:
        return Listener(_Server(grant, state))
    except (OSError, OverflowError):
        raise CredentialError(
            f"port {grant.redirect_port} on loopback cannot be listened on: end what uses it (a "
            "sign-in of somebody else, perhaps), or give AuthorizationCode another redirect_port"
        ) from None


class _Server(ThreadingTCPServer):
    """`answers` holds the query of the request that was waited for."""

    daemon_threads = True
    timeout = LOOK_SECONDS
    allow_reuse_address = os.name == "posix"  # elsewhere it would share a port that is taken

    def __init__(self, grant: AuthorizationCode, state: str) -> None:
        self.path, self.state = grant.path, state
        self.answers: list[Mapping[str, str]] = []
        super().__init__(("127.0.0.1", grant.redirect_port), _Return)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a browser that has gone is no fault."""


class _Return(BaseHTTPRequestHandler):
    timeout = SECONDS

    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, _Server)
        path, _, query = self.path.partition("?")
        answer = {name: values[-1] for name, values in parse_qs(query).items()}
        ours = hmac.compare_digest(answer.get("state", "").encode(), server.state.encode())
        if path != server.path or not ours:
            self._say(404, "This is not the sign-in that is waited for.")
            return
        try:
            self._say(200, "You can close this window and go back.")
        finally:
            server.answers.append(answer)

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
