"""Request bodies: the media type that is sent, and the arguments that make the body."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...model.arguments import Argument, ArrayFormat, Encoding, Member, WholeBody
from ...model.calls import Body, BodyKind
from ...model.nodes import Schema
from ...plain import as_object, is_object
from ...pointers import Place
from .contents import Content, contents, spelled
from .encodings import EncodingReader
from .examples import with_examples
from .files import as_file, is_binary
from .findings import Findings
from .flatten import Members, members
from .media_types import body_kind, essence, sendable
from .merge_patch import is_merge_patch, merge_patch
from .objects import complaint
from .references import BrokenReference, References
from .scalars import prose, switch
from .schemas import SchemaReader

_FLAT: tuple[BodyKind, ...] = ("json", "form", "multipart")
_POSITIONAL = ("prefixEncoding", "itemEncoding")  # 3.2
_NEVER_STRUCTURED = ("image", "audio", "video", "font")


@dataclass(frozen=True, slots=True)
class Request:
    """A body and its arguments; `together` are those a partly given optional body needs."""

    body: Body | None = None
    arguments: tuple[Argument, ...] = ()
    together: tuple[str, ...] = ()


class BodyReader:
    """Reads Request Body Objects into arguments."""

    def __init__(
        self,
        references: References,
        findings: Findings,
        schemas: SchemaReader,
        arrays: ArrayFormat,
    ) -> None:
        self._references = references
        self._encodings = EncodingReader(findings, schemas, arrays)
        self._findings = findings
        self._schemas = schemas

    def read(self, request_body: Any, place: Place, prefer: str | None = None) -> Request:
        """What an operation sends; `prefer` is a media type to take before all others."""
        if request_body is None:
            return Request()
        try:
            described, at = self._references.follow(request_body, place)
        except BrokenReference as problem:
            self._findings.lose(place, f"the request body cannot be read: {problem}")
            return Request()
        entries = contents(
            self._references,
            self._findings,
            spelled(self._findings, described, at),
            (at, "content"),
        )
        if not entries:
            why = complaint("request body", described) or "`content` is empty"
            self._findings.lose(at, f"the request body cannot be read: {why}; none is sent")
            return Request()
        chosen = next((one for one in entries if one.media_type == prefer), entries[0])
        required = switch(self._findings, described, "required", at) is True
        request = self._content(chosen, required, described)
        if chosen.media_type == prefer or request.body is None or request.body.kind != "binary":
            return request
        others = tuple(
            one.media_type for one in entries[1:] if body_kind(one.media_type) == "binary"
        )
        return replace(request, body=replace(request.body, alternatives=others))

    def _content(self, content: Content, required: bool, described: Mapping[str, Any]) -> Request:
        held, place = content.held, content.place
        here = (place, "schema")
        schema = self._schema(held, place)
        for key in filter(held.__contains__, _POSITIONAL):
            self._findings.lose(
                (place, key), f"`{key}` is for parts without names, which are not sent"
            )
        if is_merge_patch(content.media_type):
            schema = merge_patch(self._schemas, schema)
        followed = self._schemas.followed(schema)
        kind = _kind(content.media_type, followed)
        sent = sendable(content.media_type, kind)
        if kind == "binary":
            body = Body(kind=kind, media_type=sent, required=required, binary=True)
            return self._whole(body, as_file(followed), held, here, described)
        flat = members(self._schemas, schema) if kind in _FLAT else None
        if flat is not None:
            return self._flat(kind, sent, flat, required, held, place)
        if kind == "text" and followed in ({}, True):
            schema = {"type": "string"}
        elif kind in ("form", "multipart") and not _holds_object(followed):
            self._findings.lose(here, f"a {kind} body that is no object has no names for its parts")
            schema = {"type": "object"}
        elif kind == "json_lines" and is_object(followed) and followed.get("type") != "array":
            schema = {"type": "array", "items": schema}
        written: dict[str, Encoding] = {}
        if kind in ("form", "multipart"):
            schema, written = self._parts(kind, schema, held, place)
        body = Body(kind=kind, media_type=sent, required=required, encodings=written)
        return self._whole(body, schema, held, here, described)

    def _schema(self, held: Mapping[str, Any], place: Place) -> Schema:
        if "itemSchema" in held and "schema" not in held:  # 3.2: one entry of a sequence
            items = self._schemas.read(held["itemSchema"], (place, "itemSchema"))
            return {"type": "array", "items": items}
        return self._schemas.read(held.get("schema", {}), (place, "schema"))

    def _with_words(self, schema: Schema, described: Mapping[str, Any], place: Place) -> Schema:
        """The schema of a whole body with the body's description, unless it has its own."""
        description = prose(self._findings, described, "description", place)
        known = as_object(schema)
        if not description.strip() or "description" in known or schema is False:
            return schema
        return {**known, "description": description}

    def _whole(
        self,
        body: Body,
        schema: Schema,
        held: Mapping[str, Any],
        place: Place,
        described: Mapping[str, Any],
    ) -> Request:
        argument = Argument(
            name="body",
            carrier=WholeBody(),
            required=body.required,
            schema=with_examples(
                self._references, self._with_words(schema, described, place), held, place
            ),
            location=self._findings.location(place),
        )
        return Request(body, (argument,))

    def _flat(
        self,
        kind: BodyKind,
        media_type: str,
        flat: Members,
        required: bool,
        held: Mapping[str, Any],
        place: Place,
    ) -> Request:
        schemas, written = self._encodings.read(kind, flat.schemas, held.get("encoding"), place)
        location = ((place, "schema"), "properties")
        arguments = tuple(
            Argument(
                name=name,
                carrier=Member(name=name, encoding=written.get(name)),
                required=required and name in flat.required,
                schema=schema,
                location=self._findings.location((location, name)),
            )
            for name, schema in schemas.items()
        )
        body = Body(kind=kind, media_type=media_type, required=required)
        return Request(body, arguments, () if required else flat.required)

    def _parts(
        self, kind: BodyKind, schema: Schema, held: Mapping[str, Any], place: Place
    ) -> tuple[Schema, dict[str, Encoding]]:
        """A whole form or multipart body: its files replaced, its encodings by name."""
        followed = self._schemas.followed(schema)
        properties = as_object(as_object(followed).get("properties"))
        schemas, written = self._encodings.read(kind, properties, held.get("encoding"), place)
        if not is_object(followed) or schemas == properties:
            return schema, written
        return {**followed, "properties": schemas}, written


def _kind(media_type: str, schema: Schema) -> BodyKind:
    """The kind by media type; the schema decides where the media type leaves it open."""
    kind = body_kind(media_type)
    name = essence(media_type)
    if kind == "json_lines" and as_object(schema).get("type") == "string":
        return "text"  # the lines as they are
    if is_binary(schema) and kind in ("json", "text", "xml"):
        return "binary" if kind != "json" or "*" in name else kind
    structured = is_object(schema) and (
        schema.get("type") in ("object", "array") or "properties" in schema
    )
    if not structured or name.partition("/")[0] in _NEVER_STRUCTURED:
        return kind
    # A vendor's own type, or text, that the schema describes as data: JSON is what is meant.
    return "json" if kind == "text" or (kind == "binary" and "octet-stream" not in name) else kind


def _holds_object(schema: Schema) -> bool:
    if not is_object(schema):
        return schema is True
    types = schema.get("type")
    return types is None or types == "object" or (isinstance(types, list) and "object" in types)
