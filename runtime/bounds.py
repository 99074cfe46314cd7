"""How long a call may take and how much may come back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Bounds of one call. A read timeout is for each wait, `total_seconds` for the whole.

    An answer larger than `response_bytes` is an error; a stream is cut there, and at its own
    bounds, and what came before is the result.
    """

    connect_seconds: float = 5.0
    read_seconds: float = 30.0
    total_seconds: float = 300.0
    response_bytes: int = 16 * 1024 * 1024  # after content decoding
    stream_seconds: float = 15.0  # of events or JSON lines, which may never end
    stream_events: int = 500
    redirects: int = 5  # of GET and HEAD; nothing else is ever redirected
