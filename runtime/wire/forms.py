"""Members of a form body, laid out by their Encoding Objects as `name=value` pairs."""

from collections.abc import Callable, Mapping
from typing import Any

from ..arguments import Encoding
from .binary import read_file
from .media import media_type
from .percent import QUERY_VALUE, encode, encode_bytes, encode_except
from .styles import Pair, pairs
from .values import is_array, is_object, json_text

PLAIN = Encoding()


def is_styled(encoding: Encoding) -> bool:
    """A style was given; it then rules instead of the content type (OpenAPI 3.1, 4.8.15.1.2)."""
    return encoding.style is not None or encoding.explode is not None or encoding.allow_reserved


def styled_pairs(name: str, value: Any, encoding: Encoding) -> list[Pair]:
    """The pairs of a member whose style was given."""
    style = encoding.style or "form"
    explode = style == "form" if encoding.explode is None else encoding.explode
    return pairs(name, value, style, explode, encoding.arrays)


def form_pairs(
    name: str,
    value: Any,
    encoding: Encoding = PLAIN,
    as_xml: Callable[[Any], str] = json_text,
) -> list[str]:
    """One member of a form, encoded like a query; null is left out.

    Without a style an object is JSON text, or what `as_xml` makes of it where its content type
    asks for that, and an array repeats its name.
    """
    if value is None:
        return []
    if encoding.binary:
        files = value if is_array(value) else [value]
        return [f"{encode(name)}={encode_bytes(read_file(file).data)}" for file in files]
    if is_styled(encoding):
        write = _reserved if encoding.allow_reserved else encode
        return [pair.encoded(write) for pair in styled_pairs(name, value, encoding)]
    kind = media_type(encoding.content_type or "")
    if kind.is_xml:
        items = value if is_array(value) else [value]
        written = [as_xml(item) if is_object(item) else item for item in items]
        return [pair.encoded() for pair in pairs(name, written, "form", True)]
    if is_object(value) or kind.is_json:
        return [f"{encode(name)}={encode(json_text(value))}"]
    return [pair.encoded() for pair in pairs(name, value, "form", True)]


def form_text(members: Mapping[str, Any]) -> str:
    """A whole object as a form."""
    return "&".join(text for name, value in members.items() for text in form_pairs(name, value))


def _reserved(text: str) -> str:
    return encode_except(text, QUERY_VALUE)
