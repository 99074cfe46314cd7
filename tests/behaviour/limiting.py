"""Loopback servers that enforce 20 requests a second, each in its own way, and say so."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

RATE = 20
CALLS = 80  # of a rush
RUSHES = 3
LEAST_USED = 0.85


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


Dialect: TypeAlias = Callable[[int, float], dict[str, str]]
Kind: TypeAlias = tuple[Callable[[], Allowance], Dialect]
"""A server: how it limits, and how it says so."""


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

    @property
    def used(self) -> float:
        """The share of what it allowed that was used, between the first call and the last."""
        seconds = self.passed[-1] - self.passed[0]
        # A whole allowance was there at the start, and 20 a second came since.
        return len(self.passed) / (RATE + RATE * seconds)

    def __str__(self) -> str:
        return (
            f"{type(self.allowance).__name__}, {self.dialect.__name__}: {len(self.passed)} calls,"
            f" {self.used:.0%} of what is allowed, {self.refused} refused"
        )


def require_well_used(
    rush: Callable[[Server], Awaitable[None]],
    kinds: Sequence[Kind],
) -> None:
    """Each rush is never refused, and one in three leaves hardly any of what is allowed.

    A machine that is busy with other things can only take from the share that is used, so the
    best of three rushes tells what the limiter does.
    """
    left = list(kinds)
    for _ in range(RUSHES):
        servers = {kind: Server(kind[0](), kind[1]) for kind in left}
        asyncio.run(_all(rush, servers.values()))
        for server in servers.values():
            print(server)
            assert (len(server.passed), server.refused) == (CALLS, 0)
        left = [kind for kind, server in servers.items() if server.used < LEAST_USED]
    assert not left


async def _all(rush: Callable[[Server], Awaitable[None]], servers: Iterable[Server]) -> None:
    await asyncio.gather(*map(rush, servers))
