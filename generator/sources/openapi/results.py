"""Described answers: what each status holds, what a call returns, what is accepted."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...model.api import Result
from ...model.nodes import Schema
from ...plain import as_object, is_object
from ...pointers import Place
from .contents import contents, spelled
from .files import FILE, is_binary
from .findings import Findings
from .media_types import body_kind, essence, ranked
from .nullable import NULL
from .references import BrokenReference, References
from .scalars import held_object, prose
from .schemas import SchemaReader

_STATUS = re.compile(r"[1-5](?:[0-9]{2}|XX)")


class ResultReader:
    """Reads Responses Objects; a response that many operations refer to is read once."""

    def __init__(self, references: References, findings: Findings, schemas: SchemaReader) -> None:
        self._references = references
        self._findings = findings
        self._schemas = schemas
        self._shared: dict[tuple[str, str], tuple[Result, ...]] = {}

    def read(self, responses: Any, place: Place) -> tuple[Result, ...]:
        """One result for each status and media type, by status, the best media type first."""
        if not is_object(responses):
            if responses is not None:
                self._findings.lose(place, "`responses` is no object; no result is described")
            return ()
        results: list[Result] = []
        for key in sorted(responses):
            status = "default" if key.lower() == "default" else key.upper()
            if key.startswith("x-"):
                continue
            if status != "default" and not _STATUS.fullmatch(status):
                self._findings.lose((place, key), f"{key!r} is no status; it is dropped")
                continue
            results += self._response(status, responses[key], (place, key))
        return tuple(results)

    def _response(self, status: str, response: Any, place: Place) -> tuple[Result, ...]:
        reference = response.get("$ref") if is_object(response) else None
        if not isinstance(reference, str) or len(response) > 1:
            return self._followed(status, response, place)
        key = self._references.key(reference, place)
        part = (f"response {status}", key)
        self._findings.reach(part)
        if (status, key) not in self._shared:
            with self._findings.within(part):
                results = self._followed(status, response, place)
            if not self._references.is_settled(key):
                return results
            self._shared[status, key] = results
        return self._shared[status, key]

    def _followed(self, status: str, response: Any, place: Place) -> tuple[Result, ...]:
        try:
            described, at = self._references.follow(response, place)
        except BrokenReference as problem:
            self._findings.lose(place, f"a response cannot be read: {problem}")
            return (Result(status=status, media_type=None, schema=None),)
        told = prose(self._findings, described, "description", at)
        names = tuple(sorted(held_object(self._findings, described, "headers", at)))
        entries = contents(
            self._references,
            self._findings,
            spelled(self._findings, described, at),
            (at, "content"),
        )
        if not entries:
            return (
                Result(
                    status=status, media_type=None, schema=None, description=told, headers=names
                ),
            )
        return tuple(
            Result(
                status=status,
                media_type=content.media_type,
                schema=self._schema(content.held, content.place),
                description=told,
                headers=names,
            )
            for content in entries
        )

    def _schema(self, held: Mapping[str, Any], place: Place) -> Schema | None:
        if "itemSchema" in held:  # 3.2: one entry of a stream
            items = self._schemas.read(held["itemSchema"], (place, "itemSchema"))
            return {"type": "array", "items": items}
        if held.get("schema") is None:
            return None
        return self._schemas.read(held["schema"], (place, "schema"))


def output_schema(results: Sequence[Result]) -> Schema | None:
    """What a successful call returns: the union of the 2XX results, `default` without one.

    Of a status with several media types the best kind counts. None: at least one of them
    is not described, or all that is said is a status whose content nobody cared to describe.
    """
    chosen = [one for one in results if one.status.startswith("2")]
    chosen = chosen or [one for one in results if one.status == "default"]
    schemas: list[Schema] = []
    for status in dict.fromkeys(one.status for one in chosen):
        for result in _best([one for one in chosen if one.status == status]):
            schema = _returned(result)
            if schema is None:
                return None
            if schema not in schemas:
                schemas.append(schema)
    if not schemas or (schemas == [NULL] and not any(_is_empty(one) for one in chosen)):
        return None
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def accepted(results: Sequence[Result]) -> tuple[str, ...]:
    """Media types of the described answers, best first."""
    named = {one.media_type for one in results if one.media_type is not None}
    return tuple(ranked(named))


def _best(results: Sequence[Result]) -> Sequence[Result]:
    kinds = [body_kind(one.media_type) for one in results if one.media_type is not None]
    if not kinds:
        return results
    return [one for one in results if one.media_type and body_kind(one.media_type) == kinds[0]]


def _is_empty(result: Result) -> bool:
    """Whether the status itself says that no content comes (RFC 9110, 15.3.5 and 15.3.6)."""
    return result.status in ("204", "205")


def _returned(result: Result) -> Schema | None:
    """What the runtime makes of an answer with this media type."""
    if result.media_type is None:
        return NULL
    match body_kind(result.media_type):
        case "json":
            return FILE if _is_unnamed_binary(result) else result.schema
        case "text" if essence(result.media_type) == "text/event-stream":
            return {"type": "array", "items": {"type": "object"}}
        case "text":
            return {"type": "string"}
        case "xml":  # the runtime reads it by this schema
            return result.schema if as_object(result.schema) else {"type": "string"}
        case "binary":
            return FILE
        case "json_lines":
            return _lines(result.schema)
        case "form" | "multipart":
            return None


def _is_unnamed_binary(result: Result) -> bool:
    """Bytes under a range such as `*/*`, which would be JSON by default."""
    return (
        "*" in (result.media_type or "") and result.schema is not None and is_binary(result.schema)
    )


def _lines(schema: Schema | None) -> Schema:
    if schema is None or as_object(schema).get("type") == "string":  # the lines as one text
        return {"type": "array"}
    if isinstance(schema, Mapping) and schema.get("type") == "array":
        return schema
    return {"type": "array", "items": schema}
