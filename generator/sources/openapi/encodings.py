"""How the members of form and multipart bodies are written (Encoding Objects)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...model.arguments import ArrayFormat, Encoding
from ...model.calls import BodyKind
from ...model.nodes import Schema
from ...plain import as_array, as_object, is_object
from ...pointers import Place
from .array_formats import array_format
from .contents import is_field_name
from .files import as_file, is_binary
from .findings import Findings
from .scalars import held_object, switch, text
from .schemas import SchemaReader

_STYLES = ("form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject")


class EncodingReader:
    """Reads the Encoding Objects of one document."""

    def __init__(self, findings: Findings, schemas: SchemaReader, arrays: ArrayFormat) -> None:
        self._findings = findings
        self._schemas = schemas
        self._arrays: ArrayFormat = arrays

    def read(
        self, kind: BodyKind, schemas: Mapping[str, Schema], declared: Any, place: Place
    ) -> tuple[dict[str, Schema], dict[str, Encoding]]:
        """Schemas of the members with bytes as files, and the encodings that say something."""
        if kind not in ("form", "multipart"):
            return dict(schemas), {}
        held: dict[str, Schema] = {}
        written: dict[str, Encoding] = {}
        encodings = held_object(self._findings, {"encoding": declared}, "encoding", place)
        for name, schema in schemas.items():
            said = held_object(self._findings, encodings, name, (place, "encoding"))
            encoding = self._encoding(said, ((place, "encoding"), name))
            file = _as_files(self._schemas, schema, encoding) if kind == "multipart" else None
            held[name] = schema if file is None else file
            encoding = replace(encoding, binary=file is not None)
            if encoding != Encoding():
                written[name] = encoding
        return held, written

    def _encoding(self, said: Mapping[str, Any], place: Place) -> Encoding:
        style = said.get("style")
        if style is not None and style not in _STYLES:
            self._findings.lose((place, "style"), f"{style!r} is no style of a body's member")
            style = None
        encoding = Encoding(
            style=style,
            explode=switch(self._findings, said, "explode", place),
            allow_reserved=switch(self._findings, said, "allowReserved", place) is True,
            content_type=text(self._findings, said, "contentType", place) or None,
            headers=_headers(
                self._findings,
                held_object(self._findings, said, "headers", place),
                (place, "headers"),
            ),
        )
        if style != "deepObject":
            return encoding
        return replace(encoding, arrays=array_format(said, self._arrays, self._findings, place))


def _headers(findings: Findings, headers: Any, place: Place) -> dict[str, str]:
    """Headers of a part that have one possible value; others have nobody to give them."""
    fixed: dict[str, str] = {}
    for name in sorted(as_object(headers)):
        if name.lower() == "content-type":  # `contentType` says that
            continue
        value = _fixed(headers[name]) if is_field_name(name) else None
        if value is None:
            findings.lose((place, name), f"the part's header {name!r} has no fixed value")
        else:
            fixed[name] = value
    return fixed


def _fixed(header: Any) -> str | None:
    schema = as_object(as_object(header).get("schema"))
    enum = as_array(schema.get("enum"))
    candidates = [schema.get("const"), schema.get("default")]
    candidates += enum if len(enum) == 1 else []
    return next((str(one) for one in candidates if isinstance(one, str | int | float)), None)


def _as_files(reader: SchemaReader, schema: Schema, encoding: Encoding) -> Schema | None:
    """The schema with files instead of bytes, or None when it stands for no bytes."""
    followed = reader.followed(schema)
    nothing = _says_nothing(followed)
    if is_binary(followed) or (nothing and _is_bytes(encoding.content_type, reader.modern)):
        said = schema if is_object(schema) and "$ref" not in schema else followed
        return as_file(said)
    if not is_object(followed) or followed.get("type") != "array" or "items" not in followed:
        return None
    items = _as_files(reader, followed["items"], encoding)
    return None if items is None else {**followed, "items": items}


def _says_nothing(schema: Schema) -> bool:
    return schema is True or (is_object(schema) and not schema.keys() - {"title", "description"})


def _is_bytes(content_type: str | None, modern: bool) -> bool:
    """Whether a part with an empty schema is bytes: since 3.1 that is how files are described.

    There `application/octet-stream` is the default of a schema without a type.
    """
    if content_type is None or "*/*" in content_type:
        return modern
    kind = content_type.partition("/")[0].strip().lower()
    return kind in ("image", "audio", "video", "font") or "octet-stream" in content_type
