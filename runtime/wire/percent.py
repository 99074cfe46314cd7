"""Percent-encoding: RFC 3986, stricter than it asks, so that nobody else need decide."""

import re
from urllib.parse import quote, unquote

from .values import utf8

PATH = ":/@!$&'()*+,;="
"""What may stand raw in an author's path, or in a value with `allowReserved` there.

RFC 3986 reserves `?`, `#`, `[` and `]` too; the first two would end the path.
"""

QUERY = ":/?@!$&'()*+,;="
"""What may stand raw in an author's query."""

QUERY_VALUE = ":/?@!$'()*,;="
"""What `allowReserved` leaves raw in a query value: not the `&` and `+` that forms give a meaning."""

COOKIE_VALUE = ":/?@!$'()*="
"""What `allowReserved` leaves raw in a cookie: not the `;` and `,` that end one either."""

_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]*")
_TRIPLE = re.compile("(%[0-9A-Fa-f]{2})")


def encode(text: str) -> str:
    """Every byte outside `A-Z a-z 0-9 - . _ ~` as %XX."""
    if _UNRESERVED.fullmatch(text):
        return text
    return quote(utf8(text), safe="")


def encode_except(text: str, raw: str) -> str:
    """As `encode`, but the characters of `raw` and what is a %XX already stay (RFC 6570 3.2.3)."""
    if _UNRESERVED.fullmatch(text):
        return text
    pieces = _TRIPLE.split(text)
    pieces[::2] = [quote(utf8(piece), safe=raw) for piece in pieces[::2]]
    return "".join(pieces)


def decode_fully(text: str) -> str:
    """The text after as many decodings as a chain of servers may do."""
    while (decoded := unquote(text)) != text:
        text = decoded
    return text


def encode_bytes(data: bytes) -> str:
    """As `encode`, for what is not text."""
    return quote(data, safe="")
