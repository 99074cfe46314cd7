"""Headers that only the sender of a message may write: they frame it, or are for one connection."""

_FRAMING = frozenset(
    (
        *("host", "content-length", "transfer-encoding", "connection", "keep-alive", "te"),
        *("trailer", "upgrade", "expect", "http2-settings"),
    )
)


def is_framing(name: str) -> bool:
    """Whether a header frames the message (RFC 9112, 6 and 9; RFC 9110, 7.2, 7.6.1 and 10.1.1).

    Somebody else's value there smuggles a second request, or sends this one elsewhere.
    """
    return name.lower() in _FRAMING or name.lower().startswith("proxy-")
