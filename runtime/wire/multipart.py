"""Multipart bodies (RFC 7578, with the quoting that browsers use)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ..arguments import Encoding
from .binary import read_file
from .forms import is_styled, styled_pairs
from .headers import header_name, header_value
from .media import media_type
from .values import encoded, is_array, is_object, json_text, text_of, utf8


@dataclass(frozen=True, slots=True)
class _Part:
    """One part; without a name it has no Content-Disposition (multipart/mixed)."""

    name: str | None
    data: bytes
    filename: str | None = None
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def parts(
    name: str | None, value: Any, encoding: Encoding, as_xml: Callable[[Any], str] = text_of
) -> Iterator[bytes]:
    """The parts of one member, head and data: none for null, one an item for an array.

    `as_xml` writes the object or array that a part holds whose type is XML.
    """
    return (_head(part) + part.data for part in _laid_out(name, value, encoding, as_xml))


def write_multipart(
    written: Sequence[bytes], declared: str, boundary: str | None
) -> tuple[str, bytes]:
    """The Content-Type, with its boundary, and the bytes.

    Without a given boundary it is made from the content: the same call is the same bytes, and
    nobody who supplies a part can know the boundary before.
    """
    boundary = boundary or _boundary(written)
    mark = b"--" + utf8(boundary)
    body = b"".join(mark + b"\r\n" + block + b"\r\n" for block in written) + mark + b"--\r\n"
    return f"{declared.partition(';')[0].strip()}; boundary={boundary}", body


def _laid_out(
    name: str | None, value: Any, encoding: Encoding, as_xml: Callable[[Any], str]
) -> Iterator[_Part]:
    if is_styled(encoding) and name is not None:
        for pair in styled_pairs(name, value, encoding):
            yield _Part(pair.name, utf8(pair.text), headers=encoding.headers)
    elif is_array(value):
        for item in value:
            yield from _part(name, item, encoding, as_xml)
    else:
        yield from _part(name, value, encoding, as_xml)


def _part(
    name: str | None, value: Any, encoding: Encoding, as_xml: Callable[[Any], str]
) -> Iterator[_Part]:
    if value is None:
        return
    if encoding.binary:
        file = read_file(value)
        binary = _content_type(encoding, file.content_type) or "application/octet-stream"
        # Servers take a part without a filename for a field, not a file.
        yield _Part(name, file.data, file.filename or name, binary, encoding.headers)
        return
    nested = is_object(value) or is_array(value)
    kind = _content_type(encoding, "application/json" if nested else None)
    written = media_type(kind or "")
    write = json_text if written.is_json else as_xml if nested and written.is_xml else text_of
    charset = written.parameters.get("charset", "utf-8") if write is text_of else "utf-8"
    data = encoded(write(value), charset)
    yield _Part(name, data, content_type=kind, headers=encoding.headers)


def _content_type(encoding: Encoding, preferred: str | None) -> str | None:
    """The preferred type when the declared list allows it, otherwise the list's first concrete.

    None is left to the default of RFC 7578, text/plain: a part that says so is no different,
    and some servers take it for a file.
    """
    declared = [entry.strip() for entry in (encoding.content_type or "").split(",")]
    declared = [entry for entry in declared if entry]
    if preferred and (not declared or any(media_type(d).covers(preferred) for d in declared)):
        return preferred
    return next((entry for entry in declared if not media_type(entry).is_range), preferred)


def _head(part: _Part) -> bytes:
    lines: list[str] = []
    if part.name is not None:
        filename = "" if part.filename is None else f'; filename="{_quoted(part.filename)}"'
        lines.append(f'Content-Disposition: form-data; name="{_quoted(part.name)}"{filename}')
    if part.content_type:
        lines.append(f"Content-Type: {header_value(part.content_type)}")
    for name, value in part.headers.items():
        if name.lower() not in ("content-type", "content-disposition"):
            lines.append(f"{header_name(name)}: {header_value(value)}")
    return utf8("".join(line + "\r\n" for line in lines) + "\r\n")


def _quoted(text: str) -> str:
    """As browsers write a name (WHATWG, "multipart/form-data encoding algorithm")."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _boundary(blocks: Sequence[bytes]) -> str:
    digest = sha256()
    for block in blocks:
        digest.update(len(block).to_bytes(8, "big") + block)
    return f"toolmint-{digest.hexdigest()[:32]}"
