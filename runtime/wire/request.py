"""From an operation and its arguments to the exact request: a pure function, nothing sent."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, assert_never

from ...auth.request import Outgoing
from ..arguments import (
    Argument,
    Cookie,
    Header,
    Member,
    Path,
    Query,
    QueryString,
    WholeBody,
    argument_name,
)
from ..operation import HttpOperation
from ..unset import UNSET
from . import servers
from .bodies import InputSchema, write_body
from .forms import form_text
from .headers import cookie_text, header_name, header_value
from .media import is_sendable, media_type
from .percent import COOKIE_VALUE, PATH, QUERY, QUERY_VALUE, decode_fully, encode, encode_except
from .refusal import RequestProblem, Unwritable, blaming
from .styles import is_left_out, line, pairs
from .values import is_array, is_object, json_text, text_of
from .xml import write_xml

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SEGMENT_END = re.compile(r"/(?![^{}]*\})")


def build(
    operation: HttpOperation,
    arguments: Mapping[str, Any],
    server: str,
    *,
    schema: InputSchema | None = None,
    boundary: str | None = None,
) -> Outgoing:
    """The request that these validated arguments make on a server (see `servers.resolve`).

    Credentials, User-Agent and idempotency key are not yet on it. Raises RequestProblem when
    an argument is unknown or has no place on the wire, and when the URL would leave the server.
    """
    given = _with_xml(operation, _known(operation, arguments), schema)
    base, _, base_query = server.partition("?")
    path = _path(operation, given)
    url = base.rstrip("/") + (path if path.startswith("/") else "/" + path)
    if not servers.contains(base, url):
        raise RequestProblem(None, f"the path of {operation.name} leads away from its server")
    query = "&".join(filter(None, (base_query, *_query(operation, given))))
    content = write_body(operation, given, schema=schema, boundary=boundary)
    headers = {"Accept": accept(operation), **_headers(operation, given)}
    if content is not None:
        headers["Content-Type"] = content.media_type
    return Outgoing(
        operation.method,
        f"{url}?{query}" if query else url,
        headers,
        None if content is None else content.data,
    )


def accept(operation: HttpOperation) -> str:
    """The Accept header: the described media types, best first."""
    return _accept(operation.accept)


@lru_cache(maxsize=1024)
def _accept(described: tuple[str, ...]) -> str:
    return ", ".join(filter(is_sendable, described)) or "*/*"


def _known(operation: HttpOperation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given; an unknown one must not be dropped in silence."""
    names = {argument_name(row) for row in operation.arguments}
    for name in arguments:
        if name not in names:
            raise RequestProblem(name, f"{operation.name} has no such argument")
    return {name: value for name, value in arguments.items() if value is not UNSET}


def _with_xml(
    operation: HttpOperation, given: dict[str, Any], schema: InputSchema | None
) -> dict[str, Any]:
    """The arguments with those as XML text whose `content` says so."""
    for row in operation.arguments:
        if isinstance(row, Member | WholeBody) or row.content is None:
            continue
        if not media_type(row.content).is_xml:
            continue
        name = argument_name(row)
        value = given.get(name)
        if is_object(value) or is_array(value):
            closed: Mapping[str, Any] = schema() if schema else {}
            own = closed.get("properties", {}).get(name, True)
            with blaming(name):
                text = write_xml(value, own, closed.get("$defs", {}), name=row.name)
            given = {**given, name: text}
    return given


# ── path ────────────────────────────────────────────────────────────────────────────


def _path(operation: HttpOperation, given: Mapping[str, Any]) -> str:
    """The path, piece by piece: literal text is the author's, values are the caller's."""
    return "".join(
        piece if isinstance(piece, str) else _segment(piece, operation.arguments, given)
        for piece in _template(operation.path)
    )


@lru_cache(maxsize=4096)
def _template(path: str) -> tuple[str | tuple[str, ...], ...]:
    """Literal text, encoded, and between it the segments that hold placeholders.

    Of these the texts are at even places, the names at odd ones.
    """
    pieces: list[str | tuple[str, ...]] = []
    text = ""
    for count, segment in enumerate(_SEGMENT_END.split(path)):
        text += "/" if count else ""
        parts = _PLACEHOLDER.split(segment)
        parts[::2] = [encode_except(literal, PATH) for literal in parts[::2]]
        if len(parts) == 1:
            text += parts[0]
        else:
            pieces += [text, tuple(parts)]
            text = ""
    return (*pieces, text)


def _segment(template: Sequence[str], rows: Sequence[Argument], given: Mapping[str, Any]) -> str:
    pieces = list(template)
    for index in range(1, len(pieces), 2):
        pieces[index] = _path_value(_path_row(pieces[index], rows), given)
    segment = "".join(pieces)
    if any(map(_is_dots, segment.split("/"))):
        first = _path_row(template[1], rows)
        raise RequestProblem(argument_name(first), "makes a path segment that is . or ..")
    return segment


def _path_row(name: str, rows: Sequence[Argument]) -> Path:
    for row in rows:
        if isinstance(row, Path) and row.name == name:
            return row
    raise RequestProblem(None, f"the path has no argument for {{{name}}}")


def _path_value(row: Path, given: Mapping[str, Any]) -> str:
    name = argument_name(row)
    value = given.get(name)
    with blaming(name):
        if value is None:
            raise Unwritable("is part of the path and needs a value")
        if value == "" or (isinstance(value, str) and _is_dots(value)):
            raise Unwritable("is part of the path and cannot be empty, . or ..")
        write = _keeping(PATH) if row.allow_reserved else encode
        if row.content is not None:
            return write(_content(value, row.content))
        if isinstance(value, str) and row.style == "simple":
            return write(value)
        text = line(row.name, value, row.style, row.explode, write)
        if not text:
            raise Unwritable("is part of the path and cannot be empty")
        return text


def _is_dots(segment: str) -> bool:
    """A dot segment, for any server: encoded, or with a `;parameter` that some servers cut off."""
    if "." not in segment and "%" not in segment:
        return False
    return decode_fully(segment).partition(";")[0] in (".", "..")


# ── query ───────────────────────────────────────────────────────────────────────────


def _query(operation: HttpOperation, given: Mapping[str, Any]) -> Iterator[str]:
    """The author's literal query, then the parameters in the order of their declaration."""
    yield encode_except(operation.query, QUERY)
    for row in operation.arguments:
        value = given.get(argument_name(row))
        if value is None or not isinstance(row, Query | QueryString):
            continue
        with blaming(argument_name(row)):
            match row:
                case Query():
                    yield from _query_pairs(row, value)
                case QueryString():
                    yield _query_string(row, value)
                case _:
                    assert_never(row)


def _query_pairs(row: Query, value: Any) -> list[str]:
    write = _keeping(QUERY_VALUE) if row.allow_reserved else encode
    if row.content is not None:
        return [f"{encode(row.name)}={write(_content(value, row.content))}"]
    laid_out = pairs(row.name, value, row.style, row.explode, row.arrays)
    return [pair.encoded(write) for pair in laid_out]


def _query_string(row: QueryString, value: Any) -> str:
    """The whole query as one value: a form is its own encoding, anything else is encoded."""
    if media_type(row.content).essence == "application/x-www-form-urlencoded":
        return (
            encode_except(value, QUERY) if isinstance(value, str) else _content(value, row.content)
        )
    return encode(_content(value, row.content))


def _content(value: Any, declared: str) -> str:
    """The text of a `content` parameter."""
    kind = media_type(declared)
    if kind.is_json:
        return json_text(value)
    if kind.essence == "application/x-www-form-urlencoded" and is_object(value):
        return form_text(value)
    return text_of(value)


def _keeping(raw: str) -> Callable[[str], str]:
    return lambda text: encode_except(text, raw)


# ── headers and cookies ─────────────────────────────────────────────────────────────


def _headers(operation: HttpOperation, given: Mapping[str, Any]) -> dict[str, str]:
    headers: dict[str, str] = {}
    cookies: list[str] = []
    for row in operation.arguments:
        name = argument_name(row)
        value = given.get(name)
        if value is None or not isinstance(row, Header | Cookie):
            continue
        with blaming(name):
            match row:
                case Header():
                    headers.update(_header(row, value))
                case Cookie():
                    cookies += _cookies(row, value)
                case _:
                    assert_never(row)
    return _with_cookies(headers, cookies) if cookies else headers


def _with_cookies(headers: Mapping[str, str], cookies: Sequence[str]) -> dict[str, str]:
    """One Cookie header (RFC 6265, 5.4): what an argument of that name says comes first."""
    said = [value for name, value in headers.items() if name.lower() == "cookie" and value]
    others = {name: value for name, value in headers.items() if name.lower() != "cookie"}
    return {**others, "Cookie": "; ".join((*said, *cookies))}


def _header(row: Header, value: Any) -> dict[str, str]:
    if row.content is not None:
        is_json = media_type(row.content).is_json
        text = json_text(value, ascii_only=True) if is_json else _content(value, row.content)
    elif is_left_out(value):
        return {}
    else:
        text = line(row.name, value, row.style, row.explode, str)
    return {header_name(row.name): header_value(text)}


def _cookies(row: Cookie, value: Any) -> list[str]:
    """One `name=value` a cookie. Style `cookie` (3.2) escapes nothing, style `form` everything."""
    write = _keeping(COOKIE_VALUE) if row.allow_reserved else encode
    if row.content is not None:
        return [f"{encode(row.name)}={write(_content(value, row.content))}"]
    laid_out = pairs(row.name, value, row.style, row.explode)
    if row.style == "cookie":
        return [f"{cookie_text(pair.name)}={cookie_text(pair.text)}" for pair in laid_out]
    return [pair.encoded(write) for pair in laid_out]
