"""The ticket desk over real HTTP on loopback, with its token checked and problems reported."""

import hmac
import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..plain import is_object
from .desk import Desk, Problem

BASE = "/v1"


@contextmanager
def serve(desk: Desk, token: str) -> Generator[str, None, None]:
    """The desk's base URL, on a free port of this machine, until the block ends."""

    class Handler(_Handler):
        pass

    Handler.desk, Handler.token, Handler.guard = desk, token, Lock()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{BASE}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    desk: Desk
    token: str
    guard: Lock

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self._check_token()
            with self.guard:
                status, data = self._route(body)
            self._send(status, "application/json", data)
        except Problem as problem:
            data = {"title": "Problem", "status": problem.status, "detail": problem.detail}
            self._send(problem.status, "application/problem+json", data)

    do_GET = do_POST = do_PATCH = do_DELETE = _answer

    def _check_token(self) -> None:
        given = self.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            raise Problem(401, "the desk does not know this token")

    def _route(self, body: bytes) -> tuple[int, Any]:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        for method, pattern, status, act in _ROUTES:
            if method == self.command and (match := re.fullmatch(BASE + pattern, path)):
                return status, act(self.desk, match, query, _object(body))
        raise Problem(404, f"there is no {self.command} {path}")

    def _send(self, status: int, media_type: str, data: Any) -> None:
        content = b"" if status == 204 else json.dumps(data).encode()
        self.send_response(status)
        if content:
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """The story prints what matters."""


Query = dict[str, list[str]]
Act = Callable[[Desk, re.Match[str], Query, dict[str, Any]], Any]

_TICKET = r"/tickets/(\d+)"
_ROUTES: tuple[tuple[str, str, int, Act], ...] = (
    ("GET", "/tickets", 200, lambda desk, _, query, __: desk.newest(_states(query), _limit(query))),
    ("POST", "/tickets", 201, lambda desk, _, __, body: desk.open(body)),
    ("POST", "/tickets/search", 200, lambda desk, _, __, body: desk.search(body.get("words", []))),
    ("GET", _TICKET, 200, lambda desk, at, _, __: desk.get(int(at[1]))),
    ("PATCH", _TICKET, 200, lambda desk, at, _, body: desk.update(int(at[1]), body)),
    ("DELETE", _TICKET, 204, lambda desk, at, _, __: desk.delete(int(at[1]))),
    ("POST", f"{_TICKET}/comments", 201, lambda desk, at, _, body: desk.comment(int(at[1]), body)),
    ("GET", "/agents", 200, lambda desk, _, __, ___: desk.agents()),
)


def _states(query: Query) -> list[str]:
    return [state for text in query.get("status", []) for state in text.split(",")]


def _limit(query: Query) -> int:
    text = query.get("limit", ["20"])[-1]
    if not text.isdecimal() or not 1 <= int(text) <= 50:
        raise Problem(422, "limit is a number from 1 to 50")
    return int(text)


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body or b"{}")
    except ValueError as error:
        raise Problem(400, "the body is not JSON") from error
    if not is_object(data):
        raise Problem(422, "the body is not an object")
    return dict(data)
