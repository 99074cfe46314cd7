"""Header and cookie text: what may stand there, and what is refused."""

import re

from .refusal import Unwritable

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def header_name(name: str) -> str:
    """The name itself, when RFC 9110 takes it (a token); it comes from the description."""
    if _TOKEN.fullmatch(name):
        return name
    raise Unwritable(f"the header name {name!r} cannot be sent")


def header_value(text: str) -> str:
    """The value without blanks around it, which a receiver would drop.

    Line breaks and control characters are refused: they would end the header and begin
    another. So are characters beyond Latin-1: HTTP has no encoding for them, and OpenAPI
    (appendix D) forbids to percent-encode headers. Transports send the value as Latin-1.
    """
    text = text.strip(" \t")
    if _FORBIDDEN.search(text):
        raise Unwritable("holds a line break or control character, which no header may carry")
    if any(ord(character) > 0xFF for character in text):
        raise Unwritable("holds a character beyond Latin-1, which no header can carry")
    return text


def cookie_text(text: str) -> str:
    """A cookie's name or value that is sent unencoded (3.2 style `cookie`)."""
    if text.isascii() and text.isprintable() and ";" not in text:
        return text
    raise Unwritable("holds a character that a cookie cannot carry; give it in escaped form")
