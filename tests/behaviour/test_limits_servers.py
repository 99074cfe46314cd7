"""Against real servers that enforce 20 requests a second: never refused, hardly ever idle."""

import asyncio
import math
import time
from collections.abc import Callable
from typing import Protocol

from toolmint.runtime.clock import SystemClock
from toolmint.runtime.limits import Limiter

RATE = 20
CALLS = 80
WORKERS = 30


class Allowance(Protocol):
    """A server's own limit."""

    def take(self) -> tuple[bool, int, float]:
        """Whether a request passes, how many more would, and the seconds to a full allowance."""
        ...


class FixedWindow:
    """20 in each whole second of the clock."""

    def __init__(self) -> None:
        self.window, self.used = 0, 0

    def take(self) -> tuple[bool, int, float]:
        now = time.time()
        if int(now) != self.window:
            self.window, self.used = int(now), 0
        allowed = self.used < RATE
        self.used += allowed
        return allowed, RATE - self.used, self.window + 1 - now


class TokenBucket:
    """20 tokens that grow back at 20 a second."""

    def __init__(self) -> None:
        self.tokens, self.at = float(RATE), time.monotonic()

    def take(self) -> tuple[bool, int, float]:
        now = time.monotonic()
        self.tokens = min(RATE, self.tokens + (now - self.at) * RATE)
        self.at = now
        allowed = self.tokens >= 1
        self.tokens -= allowed
        return allowed, int(self.tokens), (RATE - self.tokens) / RATE


Dialect = Callable[[int, float], dict[str, str]]


def draft_8(remaining: int, reset: float) -> dict[str, str]:
    return {
        "RateLimit-Policy": '"default";q=20;w=1',
        "RateLimit": f'"default";r={remaining};t={math.ceil(reset)}',
    }


def epoch_seconds(remaining: int, reset: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": "20",
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": str(math.ceil(time.time() + reset - 1e-4)),
    }


def floored_delta(remaining: int, reset: float) -> dict[str, str]:
    return {
        "RateLimit-Limit": "20",
        "RateLimit-Remaining": str(remaining),
        "RateLimit-Reset": str(int(reset)),
    }


def next_token(remaining: int, reset: float) -> dict[str, str]:
    """A bucket that tells when the next token comes, not when it is full."""
    return {
        "x-ratelimit-limit-requests": "20",
        "x-ratelimit-remaining-requests": str(remaining),
        "x-ratelimit-reset-requests": "50ms",
    }


class Server:
    """A loopback HTTP server that answers 200 or 429, and counts both."""

    def __init__(self, allowance: Allowance, dialect: Dialect) -> None:
        self.allowance = allowance
        self.dialect = dialect
        self.passed: list[float] = []
        self.refused = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(self.answer())
        except asyncio.IncompleteReadError:
            writer.close()

    def answer(self) -> bytes:
        allowed, remaining, reset = self.allowance.take()
        if allowed:
            self.passed.append(time.monotonic())
        else:
            self.refused += 1
        lines = [f"HTTP/1.1 {'200 OK' if allowed else '429 Too Many Requests'}"]
        lines += [f"{name}: {value}" for name, value in self.dialect(remaining, reset).items()]
        date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
        lines += [f"Date: {date}", "Content-Length: 0", "", ""]
        return "\r\n".join(lines).encode()


async def worker(port: int, limiter: Limiter, jobs: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while jobs:
            jobs.pop()
            with await limiter.acquire() as permit:
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                headers = [line.partition(": ") for line in head[1:] if line]
                permit.answered(
                    int(head[0].split()[1]), [(name, value) for name, _, value in headers]
                )
    finally:
        writer.close()


async def rush(server: Server) -> None:
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with listener:
        port: int = listener.sockets[0].getsockname()[1]
        limiter = Limiter(SystemClock())
        jobs = list(range(CALLS))
        await asyncio.gather(*(worker(port, limiter, jobs) for _ in range(WORKERS)))


SERVERS = [
    Server(FixedWindow(), draft_8),
    Server(FixedWindow(), epoch_seconds),
    Server(FixedWindow(), floored_delta),
    Server(TokenBucket(), draft_8),
    Server(TokenBucket(), epoch_seconds),
    Server(TokenBucket(), next_token),
]


async def rush_at_all() -> None:
    await asyncio.gather(*map(rush, SERVERS))


def test_a_rush_is_never_refused_and_uses_what_the_server_allows() -> None:
    asyncio.run(rush_at_all())
    for server in SERVERS:
        seconds = server.passed[-1] - server.passed[0]
        # A whole allowance was there at the start, and 20 a second came since.
        used = len(server.passed) / (RATE + RATE * seconds)
        print(
            f"{type(server.allowance).__name__}, {server.dialect.__name__}:"
            f" {len(server.passed)} calls in {seconds:.2f} s,"
            f" {used:.0%} of what is allowed, {server.refused} refused"
        )
        assert (len(server.passed), server.refused) == (CALLS, 0)
        assert used >= 0.85
