"""Digest against a server on loopback that checks every answer."""

import hashlib
import re
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import cast

import httpx

from toolmint.auth import Choice, Credential, Credentials, HttpDigest


class Checking(ThreadingHTTPServer):
    """Knows ann's password; takes each nonce so many times, and each count once."""

    def __init__(self, uses: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.uses = uses
        self.nonces: dict[str, int] = {}
        self.statuses: list[int] = []


class Handler(BaseHTTPRequestHandler):
    @property
    def checking(self) -> Checking:
        return cast(Checking, self.server)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, stale = self.check(self.headers.get("Authorization"))
        self.checking.statuses.append(status)
        self.send_response(status)
        if status == 401:
            nonce = f"nonce-{len(self.checking.nonces)}"
            self.checking.nonces[nonce] = 0
            for algorithm in ("MD5", "SHA-256"):
                self.send_header(
                    "WWW-Authenticate",
                    f'Digest realm="here", qop="auth", algorithm={algorithm}, '
                    f'nonce="{nonce}", opaque="o", stale={str(stale).lower()}',
                )
        self.send_header("Content-Length", str(len(body) if status == 200 else 0))
        self.end_headers()
        if status == 200:
            self.wfile.write(body)

    do_GET = do_POST

    def check(self, header: str | None) -> tuple[int, bool]:
        if header is None:
            return 401, False
        given = {name: quoted or bare for name, quoted, bare in _FIELD.findall(header)}
        assert given["algorithm"] == "SHA-256"
        count = int(given["nc"], 16)
        fresh = count == self.checking.nonces[given["nonce"]] + 1 and count <= self.checking.uses
        if not fresh:
            return 401, True
        first, second = sha("ann:here:pw"), sha(f"{self.command}:{self.path}")
        right = sha(
            f"{first}:{given['nonce']}:{given['nc']}:{given['cnonce']}:{given['qop']}:{second}"
        )
        if given["response"] != right or given["uri"] != self.path:
            return 401, False
        self.checking.nonces[given["nonce"]] = count
        return 200, False

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


_FIELD = re.compile(r'(\w+)=(?:"([^"]*)"|([^\s,]+))')


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def checking(uses: int = 100) -> Generator[tuple[str, Checking]]:
    server = Checking(uses)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def auth(credential: Credential) -> httpx.Auth:
    choice = Credentials({"it": HttpDigest()}, {"it": credential}).choose([{"it": []}])
    assert isinstance(choice, Choice)
    return choice.as_httpx_auth()


def ann() -> dict[str, str]:
    return {"username": "ann", "password": "pw"}


ANN: Credential = {**ann()}


def test_the_first_call_is_challenged_and_later_ones_are_not() -> None:
    with checking() as (url, server), httpx.Client(auth=auth(ANN)) as client:
        answers = [client.post(f"{url}/a?b=c", content=b"body").text for _ in range(3)]
    assert answers == ["body"] * 3
    assert server.statuses == [401, 200, 200, 200]


def test_a_stale_nonce_is_answered_anew() -> None:
    with checking(uses=1) as (url, server), httpx.Client(auth=auth(ANN)) as client:
        assert [client.get(url).status_code for _ in range(2)] == [200, 200]
    assert server.statuses == [401, 200, 401, 200]


def test_a_wrong_password_is_tried_once() -> None:
    wrong: Credential = {"username": "ann", "password": "wrong"}
    with checking() as (url, server), httpx.Client(auth=auth(wrong)) as client:
        assert client.get(url).status_code == 401
    assert server.statuses == [401, 401]


def test_a_function_may_give_the_password() -> None:
    with checking() as (url, _), httpx.Client(auth=auth(ann)) as client:
        assert client.get(url).status_code == 200
