"""Credentials with plain httpx and httpx2 clients, against a server on loopback."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import httpx2
import pytest

from toolmint.auth import (
    ApiKey,
    Choice,
    Credential,
    Credentials,
    HttpBearer,
    Scheme,
    acting_for,
    principal,
)

Seen = list[tuple[str, str, str | None, str | None, bytes]]


@contextmanager
def server(accepts: str) -> Generator[tuple[str, Seen]]:
    """Answers 200 to one value of Authorization, 401 to others; keeps what it saw."""
    seen: Seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = self.headers.get("Authorization")
            seen.append((self.command, self.path, given, self.headers.get("Cookie"), body))
            self.send_response(200 if given == accepts else 401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=listening.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.server_port}", seen
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def choice(values: dict[str, Credential]) -> Choice:
    schemes: dict[str, Scheme] = {
        "token": HttpBearer(),
        "key": ApiKey("api_key", "query"),
        "session": ApiKey("sid", "cookie"),
    }
    chosen = Credentials(schemes, values).choose([{name: [] for name in values}])
    assert isinstance(chosen, Choice)
    return chosen


def test_every_place_is_signed_by_a_blocking_client() -> None:
    auth = choice({"token": "tok", "key": "k&1", "session": "abc"}).as_httpx_auth()
    with server("Bearer tok") as (url, seen), httpx.Client() as client:
        response = client.post(f"{url}/x?a=1", content=b"body", auth=auth)
    assert response.status_code == 200
    assert seen == [("POST", "/x?a=1&api_key=k%261", "Bearer tok", "sid=abc", b"body")]


def test_every_place_is_signed_by_an_asynchronous_client() -> None:
    auth = choice({"token": "tok", "key": "k&1", "session": "abc"}).as_httpx_auth()

    async def call(url: str) -> int:
        async with httpx.AsyncClient(auth=auth) as client:
            return (await client.get(f"{url}/x")).status_code

    with server("Bearer tok") as (url, seen):
        assert asyncio.run(call(url)) == 200
    assert seen == [("GET", "/x?api_key=k%261", "Bearer tok", "sid=abc", b"")]


def test_clients_of_httpx2_work_too() -> None:
    auth = choice({"token": "tok"}).as_httpx_auth(httpx2)

    async def call(url: str) -> int:
        async with httpx2.AsyncClient() as client:
            return (await client.get(f"{url}/x", auth=auth)).status_code

    with server("Bearer tok") as (url, seen):
        with httpx2.Client() as client:
            assert client.get(f"{url}/x", auth=auth).status_code == 200
        assert asyncio.run(call(url)) == 200
    assert len(seen) == 2


@pytest.mark.parametrize("is_async", [False, True])
def test_a_function_is_asked_again_after_a_401_and_the_request_repeated_whole(
    is_async: bool,
) -> None:
    tokens = iter(["stale", "fresh", "unused"])

    async def later() -> str:
        return next(tokens)

    auth = choice({"token": later if is_async else lambda: next(tokens)}).as_httpx_auth()
    with server("Bearer fresh") as (url, seen), httpx.Client() as client:
        assert client.post(f"{url}/x", content=b"body", auth=auth).status_code == 200
    assert seen == [
        ("POST", "/x", "Bearer stale", None, b"body"),
        ("POST", "/x", "Bearer fresh", None, b"body"),
    ]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("key", ("/x?a=1&api_key=stale", None), ("/x?a=1&api_key=fresh", None)),
        ("session", ("/x?a=1", "b=2; sid=stale"), ("/x?a=1", "b=2; sid=fresh")),
    ],
)
def test_a_fresh_credential_takes_the_place_of_the_stale_one(
    name: str, first: tuple[str, str | None], second: tuple[str, str | None]
) -> None:
    values = iter(["stale", "fresh"])
    auth = choice({name: lambda: next(values)}).as_httpx_auth()
    cookies = {"Cookie": "b=2"} if name == "session" else {}
    with server("never") as (url, seen), httpx.Client() as client:
        client.get(f"{url}/x?a=1", auth=auth, headers=cookies)
    assert [(path, cookie) for _, path, _, cookie, _ in seen] == [first, second]


def test_a_401_stands_when_the_function_has_nothing_new() -> None:
    auth = choice({"token": lambda: "wrong"}).as_httpx_auth()
    with server("Bearer right") as (url, seen), httpx.Client() as client:
        assert client.get(f"{url}/x", auth=auth).status_code == 401
    assert len(seen) == 1


def test_a_blocking_client_serves_asynchronous_functions_inside_a_running_loop() -> None:
    async def token() -> str:
        await asyncio.sleep(0)
        return "tok"

    async def call(url: str) -> int:
        with httpx.Client() as client:
            return client.get(url, auth=choice({"token": token}).as_httpx_auth()).status_code

    with server("Bearer tok") as (url, _):
        assert asyncio.run(call(url)) == 200


@pytest.mark.parametrize("is_async", [False, True])
def test_a_function_can_ask_on_whose_behalf_it_is_called(is_async: bool) -> None:
    def token() -> str:
        return f"token of {principal()}".replace(" ", "-")

    async def later() -> str:
        return token()

    auth = choice({"token": later if is_async else token}).as_httpx_auth()
    with server("Bearer token-of-ann") as (url, seen), httpx.Client() as client:
        for name in ("ann", "bob"):
            with acting_for(name):
                client.get(f"{url}/x", auth=auth)
    assert [request[2] for request in seen] == [
        "Bearer token-of-ann",
        "Bearer token-of-bob",
    ]
