"""How long a call may take and how much may come back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Bounds of one call. A read timeout is for each wait, `total_seconds` for the whole."""

    connect_seconds: float = 5.0
    read_seconds: float = 30.0
    total_seconds: float = 300.0
    response_bytes: int = 16 * 1024 * 1024  # after content decoding
    redirects: int = 5  # of GET and HEAD; nothing else is ever redirected
