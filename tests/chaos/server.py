"""A server that at random delays, drops, fails, refuses, truncates and lies; it logs what it does."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import Random
from typing import Self
from urllib.parse import unquote

JSON = "application/json"
MOODS = {
    "fine": 60,
    "late": 8,
    "dropped": 8,  # after it acted
    "broken": 6,  # 500
    "busy": 5,  # 503 with Retry-After
    "gateway": 3,  # 502 after it acted
    "too many": 5,  # 429 without acting
    "truncated": 5,  # after it acted
    "mislabelled": 6,  # JSON called a text
    "no JSON": 4,  # a page called JSON, after it acted
}


class Server:
    """`requests` counts what came in and `acted` what was done, by the mark in the request."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self.requests: Counter[str] = Counter()
        self.acted: Counter[str] = Counter()
        self.moods: Counter[str] = Counter()
        self.url = ""
        self.connections: set[asyncio.Task[object]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until a mood ends it."""
        task = asyncio.current_task()
        assert task is not None
        self.connections.add(task)
        try:
            while await self._answer(reader, writer):
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.connections.discard(task)
            writer.close()

    def mood(self) -> str:
        """How the next request is answered."""
        return self._chance.choices([*MOODS], [*MOODS.values()])[0]

    def note(self, mark: str, mood: str) -> None:
        """Log a request, and what is done about it."""
        self.requests[mark] += 1
        self.moods[mood] += 1
        if mood not in ("broken", "busy", "too many"):
            self.acted[mark] += 1

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[Self]:
        """The server on a free port of loopback."""
        async with await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=1024) as listener:
            self.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
            yield self
            await asyncio.gather(*self.connections)  # they end with their clients

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = _header(head, "content-length")
        body = await reader.readexactly(int(length)) if length else b""
        mark = _mark(head, body)
        mood = self.mood()
        self.note(mark, mood)
        if mood == "late":
            await asyncio.sleep(self._chance.uniform(0.0, 0.05))
        return _write(writer, mood, mark)


def _write(writer: asyncio.StreamWriter, mood: str, mark: str) -> bool:
    """Send the answer; whether the connection goes on."""
    whole = f'{{"id":1,"name":"{mark}"}}'.encode()
    if mood == "dropped":
        return False
    if mood == "truncated":
        writer.write(_head(200, len(whole), JSON) + whole[:9])
        return False
    status, kind, body, more = {
        "broken": (500, JSON, b'{"message":"broken"}', ""),
        "busy": (503, JSON, b"{}", "Retry-After: 1\r\n"),
        "gateway": (502, "text/html", b"<h1>Bad gateway</h1>", ""),
        "too many": (429, JSON, b"{}", "retry-after-ms: 200\r\n"),
        "mislabelled": (200, "text/plain", whole, ""),
        "no JSON": (200, JSON, b"<h1>Welcome</h1>", ""),
    }.get(mood, (200, JSON, whole, ""))
    writer.write(_head(status, len(body), kind, more) + body)
    return True


def _head(status: int, length: int, kind: str, more: str = "") -> bytes:
    lines = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{more}\r\n"
    return lines.encode()


def _header(head: str, name: str) -> str:
    for line in head.split("\r\n")[1:]:
        key, _, value = line.partition(":")
        if key.lower() == name:
            return value.strip()
    return ""


def _mark(head: str, body: bytes) -> str:
    """What tells the calls apart: the name in a body, the number in a path, or a header."""
    if body:
        return body.decode().split('"')[3]
    if key := _header(head, "idempotency-key"):
        return key
    return unquote(head.split(" ")[0] + " " + head.split(" ")[1].rpartition("/")[2])
