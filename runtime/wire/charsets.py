"""From a body's bytes to its text: byte order mark, then the label, then UTF-8."""

import codecs
import json
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOTATIONS = frozenset(("idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7"))
_XML_LABEL = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._\-]+)["']""")


def text_from(body: bytes, charset: str | None) -> str:
    """The text, never failing: a wrong label gives replacement characters, none gives Latin-1."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    known = _known(charset)
    if known:
        return body.decode(known, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("latin-1")


def xml_charset(body: bytes) -> str | None:
    """What an XML declaration says of the document's encoding."""
    found = _XML_LABEL.match(body[:200])
    return found[1].decode("ascii") if found else None


def json_from(body: bytes, charset: str | None) -> str:
    """The text of a JSON body, which is Unicode whatever its label says (RFC 8259, 8.1).

    The label counts only where the bytes are no Unicode. Raises UnicodeDecodeError.
    """
    detected = json.detect_encoding(body)
    try:
        return body.decode(detected)
    except UnicodeDecodeError:
        known = _known(charset)
        if known is None:
            raise
        return body.decode(known)


def _known(charset: str | None) -> str | None:
    """The codec that a label names, if it is a character set and not a notation for one."""
    if not charset:
        return None
    try:
        "".encode(charset)  # LookupError for a codec that is not of text
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return None
    return None if name in _NOTATIONS else name
