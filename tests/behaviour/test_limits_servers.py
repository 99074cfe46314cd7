"""Against real servers that enforce 20 requests a second: never refused, hardly ever idle."""

import asyncio

from tests.behaviour.limiting import (
    CALLS,
    FixedWindow,
    Kind,
    Server,
    TokenBucket,
    draft_8,
    epoch_seconds,
    floored_delta,
    next_token,
    require_well_used,
)
from toolmint.runtime.clock import SystemClock
from toolmint.runtime.limits import Limiter

WORKERS = 30


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


def test_a_rush_is_never_refused_and_uses_what_the_server_allows() -> None:
    kinds: list[Kind] = [
        (FixedWindow, draft_8),
        (FixedWindow, epoch_seconds),
        (FixedWindow, floored_delta),
        (TokenBucket, draft_8),
        (TokenBucket, epoch_seconds),
        (TokenBucket, next_token),
    ]
    require_well_used(rush, kinds)
