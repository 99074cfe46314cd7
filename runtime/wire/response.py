"""From an answer's headers and bytes to data: its media type decides, its content has a veto."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import unquote

from .binary import File, file_block
from .charsets import json_from, text_from, xml_charset
from .events import events
from .json_reader import read_json
from .media import MediaType, header_parameters, media_type
from .values import is_object

OutputSchema: TypeAlias = Callable[[], Mapping[str, Any] | bool | None]
"""Gives a tool's output schema, closed over its `$defs`; only XML asks for it."""

_EXCERPT = 200  # characters of a body that a problem quotes


class ResponseProblem(Exception):
    """An answer that is not what its media type says; the text quotes a little of it."""


def decode(
    headers: Mapping[str, str],
    body: bytes,
    *,
    accept: Sequence[str] = (),
    schema: OutputSchema | None = None,
) -> Any:
    """The data of an answer; None for an empty body, an empty list for an empty stream.

    JSON is parsed, JSON lines and server-sent events are lists, XML is read by the output
    schema where that asks for an object or array, other text is a string, and anything else a
    block `{filename?, content_type?, data_base64}`. `accept` are the media types the operation
    describes: where JSON is among them, an object or array that came under another label is
    JSON too. Raises ResponseProblem for JSON or described XML that is none.
    """
    kind = media_type(_header(headers, "content-type"))
    if not body:
        return [] if kind.is_stream else None
    charset = kind.parameters.get("charset")
    if kind.is_json:
        return _json(body, charset)
    if kind.is_json_lines:
        return _json_lines(text_from(body, charset))
    if kind.is_events:
        return list(events(text_from(body, charset)))
    if _may_be_json(kind, accept) and (found := _mislabelled(body, charset)) is not None:
        return found
    if kind.is_xml:
        return _xml(body, charset, schema)
    if kind.is_text:
        return text_from(body, charset)
    if not kind.essence and (text := _plain(body)) is not None:
        return text
    return file_block(File(body, _filename(headers), kind.essence or None))


def _json(body: bytes, charset: str | None) -> Any:
    try:
        return read_json(json_from(body, charset))
    except ValueError as error:
        excerpt = " ".join(text_from(body[: 4 * _EXCERPT], charset).split())[:_EXCERPT]
        raise ResponseProblem(
            f"the answer says it is JSON, but cannot be read as that ({error});"
            f" it begins: {excerpt}"
        ) from None


def _xml(body: bytes, charset: str | None, schema: OutputSchema | None) -> Any:
    """A value where the description says which; the text otherwise."""
    described = schema() if schema else None
    if is_object(described):
        from .xml_reader import is_structured, read_xml
        from .xml_tree import NoXml

        definitions = described.get("$defs", {})
        if is_structured(described, definitions):
            try:
                return read_xml(body, described, definitions, charset)
            except NoXml as problem:
                raise ResponseProblem(
                    f"the answer says it is XML, but cannot be read as that: {problem}"
                ) from None
    return text_from(body, charset or xml_charset(body))


def _json_lines(text: str) -> list[Any]:
    """One value a line, or a record after each RS (RFC 7464)."""
    rows = text.split("\x1e") if "\x1e" in text else text.split("\n")
    values: list[Any] = []
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            values.append(read_json(row))
        except ValueError as error:
            raise ResponseProblem(f"record {number} of the answer is not JSON: {error}") from None
    return values


def _may_be_json(kind: MediaType, accept: Sequence[str]) -> bool:
    """The label is none, or one that the operation does not describe while it describes JSON."""
    if not kind.essence:
        return True
    described = [media_type(entry) for entry in accept]
    return any(entry.is_json for entry in described) and not any(
        entry.covers(kind.essence) for entry in described if entry.essence != "*/*"
    )


def _mislabelled(body: bytes, charset: str | None) -> Any:
    """The object or array that the body is, else None; a bare word or number stays text."""
    if not body.lstrip(b" \t\r\n\xef\xbb\xbf\xfe\xff\0")[:1] in (b"{", b"["):
        return None
    try:
        return read_json(json_from(body, charset))
    except ValueError:
        return None


def _plain(body: bytes) -> str | None:
    """The text of an unlabelled body, None when it is no text."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _filename(headers: Mapping[str, str]) -> str | None:
    """The name that Content-Disposition gives (RFC 6266), without any folder."""
    parameters = header_parameters(_header(headers, "content-disposition"))
    name = parameters.get("filename", "")
    charset, quote, encoded = parameters.get("filename*", "").partition("''")
    if quote:
        is_latin = charset.lower() == "iso-8859-1"
        name = unquote(encoded, encoding="latin-1" if is_latin else "utf-8")
    name = re.split(r"[/\\]", name)[-1]
    name = "".join(character for character in name if character.isprintable())
    return None if name in ("", ".", "..") else name


def _header(headers: Mapping[str, str], name: str) -> str:
    if name in headers:  # as a `Reply` has them
        return headers[name]
    return next((value for key, value in headers.items() if key.lower() == name), "")
