"""Answers that come record by record and may never end: what comes within the bounds is the answer."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from ..bounds import Bounds
from .media import media_type
from .reply import SendFailure

_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE_END = re.compile(rb"\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """The whole records that were read, and why reading stopped; "" at the stream's own end."""

    body: bytes
    cut: str = ""


def record_end(headers: Mapping[str, str]) -> re.Pattern[bytes] | None:
    """What ends a record of this answer: an event or a line; None for what is no stream."""
    kind = media_type(headers.get("content-type", ""))
    if kind.is_events:
        return _EVENT_END
    return _LINE_END if kind.is_json_lines else None


async def bounded(chunks: AsyncIterator[bytes], end: re.Pattern[bytes], bounds: Bounds) -> Piece:
    """Read until the stream ends or a bound is met; a record that is not whole is left out.

    A connection that is lost after the first record is a bound as well. Raises `SendFailure`
    where nothing whole came before the connection was lost.
    """
    import asyncio

    body = bytearray()
    ended = records = 0  # where the last whole record ends, and how many there are
    cut = f"after {bounds.stream_seconds:g} seconds"
    most = bounds.stream_events if end is _EVENT_END else None
    try:
        async with asyncio.timeout(bounds.stream_seconds):
            async for chunk in chunks:
                looked = max(ended, len(body) - 3)  # an end may lie across two chunks
                body += chunk
                for match in end.finditer(body, looked):
                    ended, records = match.end(), records + 1
                    if records == most:
                        return Piece(bytes(body[:ended]), f"after {records} events")
                if len(body) > bounds.response_bytes:
                    return Piece(bytes(body[:ended]), f"after {bounds.response_bytes} bytes")
        return Piece(bytes(body))
    except TimeoutError:
        return Piece(bytes(body[:ended]), cut)
    except SendFailure as failure:
        if not ended:
            raise
        return Piece(bytes(body[:ended]), f"because the connection was lost ({failure})")
