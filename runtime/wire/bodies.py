"""Request bodies: from the arguments that make one to its media type and bytes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

from ..arguments import (
    Binary,
    Body,
    Encoding,
    Form,
    Json,
    JsonLines,
    Member,
    Multipart,
    Text,
    WholeBody,
    Xml,
    argument_name,
)
from ..operation import HttpOperation
from ..unset import UNSET
from .binary import read_file
from .forms import PLAIN, form_pairs
from .media import MediaType, is_sendable, media_type
from .multipart import parts, write_multipart
from .refusal import RequestProblem, Unwritable, blaming, pointer_to
from .values import encoded, is_array, is_object, json_text, text_of, utf8
from .xml import write_xml
from .xml_schema import XmlSchemas

InputSchema: TypeAlias = Callable[[], Mapping[str, Any]]
"""Gives a tool's full input schema, closed over its `$defs`; only XML asks for it."""


@dataclass(frozen=True, slots=True)
class Content:
    """A body and what its Content-Type says."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class _Field:
    """A member of an object body, and the argument it came from or lies in."""

    argument: str
    pointer: str
    name: str
    value: Any
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class _Given:
    """What the arguments say of the body; `argument` is the one that is it, None: flattened."""

    value: Any
    argument: str | None
    operation: HttpOperation

    def fields(self) -> list[_Field]:
        """The members of an object body, in the caller's order."""
        if self.argument is not None:
            return _members(self.operation.body, self.argument, self.value)
        encodings = {
            row.name: (argument_name(row), row.encoding or PLAIN)
            for row in self.operation.arguments
            if isinstance(row, Member)
        }
        fields: list[_Field] = []
        for name, value in self.value.items():
            key, encoding = encodings[name]
            fields.append(_Field(key, pointer_to(key), name, value, encoding))
        return fields


def write_body(
    operation: HttpOperation,
    arguments: Mapping[str, Any],
    *,
    schema: InputSchema | None = None,
    boundary: str | None = None,
) -> Content | None:
    """The body of a request, None when it has none.

    An optional body with no argument given is not sent; a required one is empty: `{}`.
    Raises RequestProblem for a value that the media type cannot carry.
    """
    if operation.body is None:
        return None
    given = _given(operation, operation.body, arguments)
    return None if given is None else _write(operation.body, given, schema, boundary)


def _given(operation: HttpOperation, body: Body, arguments: Mapping[str, Any]) -> _Given | None:
    whole = next((row for row in operation.arguments if isinstance(row, WholeBody)), None)
    if whole is None:
        value = _flattened(operation, arguments)
        return _Given(value, None, operation) if value or body.required else None
    value = arguments.get(whole.argument, UNSET)
    if value is not UNSET:
        return _Given(value, whole.argument, operation)
    if body.required:
        raise RequestProblem(whole.argument, "is required")
    return None


def _flattened(operation: HttpOperation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The members among the arguments by their own names, in the caller's order."""
    names = {argument_name(row): row.name for row in operation.arguments if isinstance(row, Member)}
    return {
        names[key]: value for key, value in arguments.items() if key in names and value is not UNSET
    }


def _members(body: Body | None, argument: str, value: Any) -> list[_Field]:
    if not is_object(value):
        return []
    encodings: Mapping[str, Encoding] = {}
    if isinstance(body, Form | Multipart):
        encodings = body.encodings
    return [
        _Field(argument, pointer_to(argument, name), name, member, encodings.get(name, PLAIN))
        for name, member in value.items()
    ]


def _write(body: Body, given: _Given, schema: InputSchema | None, boundary: str | None) -> Content:
    if not is_sendable(body.media_type):
        raise RequestProblem(None, f"the media type {body.media_type!r} cannot be sent")
    kind = media_type(body.media_type)
    match body:
        case Multipart():
            return _multipart(body, given, schema, boundary)
        case Form():
            return Content(body.media_type, _form(given, schema))
        case Binary():
            return _binary(body, given)
        case Json():
            return Content(body.media_type, _json(given))
        case Text():
            return Content(body.media_type, _text(kind, given))
        case Xml():
            return Content(body.media_type, _xml(kind, given, schema))
        case JsonLines():
            return Content(body.media_type, _json_lines(kind, given))
        case _:
            assert_never(body)


def _json(given: _Given) -> bytes:
    try:
        return utf8(json_text(given.value))
    except Unwritable:
        _blame_a_member(given)
        raise


def _blame_a_member(given: _Given) -> None:
    """Raise for the first member that is no JSON, else for the body."""
    for field in given.fields():
        with blaming(field.argument, field.pointer):
            utf8(json_text(field.value))
    with blaming(given.argument or "body"):
        utf8(json_text(given.value))


def _form(given: _Given, schema: InputSchema | None) -> bytes:
    with blaming(given.argument or "body"):
        if isinstance(given.value, str):
            return utf8(given.value)  # encoded by whoever wrote it
        if not is_object(given.value):
            raise Unwritable("must be an object to travel as a form")
    written: list[str] = []
    for field in given.fields():
        with blaming(field.argument, field.pointer):
            as_xml = _xml_writer(field, given, schema)
            written += form_pairs(field.name, field.value, field.encoding, as_xml)
    return utf8("&".join(written))


def _multipart(
    body: Multipart, given: _Given, schema: InputSchema | None, boundary: str | None
) -> Content:
    written: list[bytes] = []
    for field in given.fields():
        with blaming(field.argument, field.pointer):
            as_xml = _xml_writer(field, given, schema)
            written += parts(field.name, field.value, field.encoding, as_xml)
    with blaming(given.argument or "body"):
        if is_array(given.value):  # multipart/mixed: parts that have no names
            written += parts(None, given.value, PLAIN)
        elif not is_object(given.value):
            raise Unwritable("must be an object to travel as multipart")
        return Content(*write_multipart(written, body.media_type, boundary))


def _binary(body: Binary, given: _Given) -> Content:
    """The bytes, under the declared type or, among several or a range, the file's own."""
    with blaming(given.argument or "body"):
        file = read_file(given.value)
        return Content(_chosen(body, file.content_type), file.data)


def _chosen(body: Binary, own: str | None) -> str:
    declared = media_type(body.media_type)
    if not declared.is_range and (own is None or not body.alternatives or declared.covers(own)):
        return body.media_type
    own = own or "application/octet-stream"
    if not is_sendable(own) or media_type(own).is_range:
        raise Unwritable(f"content_type {own!r} cannot be sent")
    allowed = [declared, *map(media_type, body.alternatives)]
    if any(one.covers(own) for one in allowed):
        return own
    names = " or ".join(one.essence for one in allowed)
    raise Unwritable(f"needs a content_type that is {names}, not {own}")


def _text(kind: MediaType, given: _Given) -> bytes:
    with blaming(given.argument or "body"):
        return encoded(text_of(given.value), kind.parameters.get("charset", "utf-8"))


def _json_lines(kind: MediaType, given: _Given) -> bytes:
    """One JSON text a line; a record of RFC 7464 (`json-seq`) begins with RS."""
    lead = "\x1e" if kind.essence.endswith("json-seq") else ""
    rows = given.value if is_array(given.value) else [given.value]
    with blaming(given.argument or "body"):
        return utf8("".join(f"{lead}{json_text(row)}\n" for row in rows))


def _xml(kind: MediaType, given: _Given, schema: InputSchema | None) -> bytes:
    with blaming(given.argument or "body"):
        if isinstance(given.value, str):
            return encoded(given.value, kind.parameters.get("charset", "utf-8"))
        closed: Mapping[str, Any] = schema() if schema else {}
        definitions: Mapping[str, Any] = closed.get("$defs", {})
        return utf8(write_xml(given.value, _body_schema(given, closed), definitions))


def _xml_writer(field: _Field, given: _Given, schema: InputSchema | None) -> Callable[[Any], str]:
    """Writes a member, or an item of one that is an array, as XML by its own schema."""

    def write(value: Any) -> str:
        closed: Mapping[str, Any] = schema() if schema else {}
        schemas = XmlSchemas(closed.get("$defs", {}))
        own = schemas.property(_body_schema(given, closed), field.name)
        if is_array(field.value):
            own = schemas.find(own, "items")
        return write_xml(value, own, schemas.definitions, name=field.name)

    return write


def _body_schema(given: _Given, closed: Mapping[str, Any]) -> Any:
    """The body's part of a tool's input schema, put together again where it was flattened."""
    properties: Mapping[str, Any] = closed.get("properties", {})
    if given.argument is not None:
        return properties.get(given.argument, True)
    return {
        "properties": {
            row.name: properties.get(argument_name(row), True)
            for row in given.operation.arguments
            if isinstance(row, Member)
        }
    }
