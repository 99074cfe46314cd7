"""What `openapi-core` reads from a request by the original document: a judge nobody here wrote."""

import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from jsonschema_path import SchemaPath
from openapi_core.datatypes import RequestParameters
from openapi_core.deserializing.styles import style_deserializers
from openapi_core.deserializing.styles.factories import StyleDeserializersFactory
from openapi_core.validation.request.validators import V30RequestValidator, V31RequestValidator
from werkzeug.datastructures import Headers, ImmutableMultiDict

from toolmint.auth.request import Outgoing
from toolmint.runtime import PreparedRequest
from toolmint.runtime.wire.media import media_type

from .brackets import deep_object

BASE = "https://round.trip"


@dataclass(frozen=True, slots=True)
class Parsed:
    """Values by place and wire name; `raw` are the names that the request itself holds."""

    places: Mapping[str, Mapping[str, Any]]
    body: Any
    raw: frozenset[str]


@dataclass(frozen=True, slots=True)
class Request:
    """A request as data."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None

    @classmethod
    def of(cls, made: PreparedRequest | Outgoing) -> "Request":
        """What was prepared, with or without credentials."""
        return cls(made.method, made.url, made.headers, made.body)


class _Sent:
    """A request as openapi-core wants it."""

    def __init__(self, request: Request) -> None:
        parts = urlsplit(request.url)
        headers = dict(request.headers)
        cookies = [pair.split("=", 1) for pair in headers.get("Cookie", "").split("; ") if pair]
        self.host_url = BASE
        self.path = parts.path
        self.method = request.method.lower()
        self.body = request.body
        self.content_type = headers.get("Content-Type", "")
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(parse_qsl(parts.query, keep_blank_values=True)),
            header=Headers(headers),
            cookie=ImmutableMultiDict((name, unquote(value)) for name, value in cookies),
        )


def parse(document: Mapping[str, Any], path: str, request: Request) -> Parsed:
    """Read a request by the document, of which only the one path is looked at.

    Raises whatever openapi-core raises for a request that it cannot read.
    """
    item = {key: value for key, value in document["paths"][path].items() if key != "servers"}
    method = request.method.lower()
    item[method] = {key: value for key, value in item[method].items() if key != "servers"}
    plain = re.split("[?#]", path)[0]  # a query has no place in a path's key
    # Other paths are only in the way, unless something refers into one.
    others: Mapping[str, Any] = document["paths"] if _mentions_paths(item) else {}
    paths: dict[str, Any] = {
        plain: item,
        **{key: one for key, one in others.items() if key != path},
    }
    narrowed = {**document, "servers": [{"url": BASE}], "paths": paths}
    kind = _Reader30 if str(document["openapi"]).startswith("3.0") else _Reader31
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec = SchemaPath.from_dict(narrowed)
        casters = kind.schema_casters_factory
        styles = StyleDeserializersFactory(casters, style_deserializers=_STYLES)
        return kind(spec, style_deserializers_factory=styles).read(_Sent(request))


def _mentions_paths(item: Mapping[str, Any]) -> bool:
    return '"#/paths/' in json.dumps(item, default=str)


class _Reading:
    """Reads without judging: that values fit their schemas is checked before they are sent."""

    def _validate_schema(self, schema: Any, value: Any) -> None:
        """Any value is taken."""

    def read(self, sent: _Sent) -> Parsed:
        """The parameters and the body."""
        reader: Any = self
        item, operation, _, found, _ = reader._find_path(sent)
        sent.parameters.path = {name: unquote(text) for name, text in found.variables.items()}
        parameters = reader._get_parameters(sent.parameters, operation, item)
        body = (
            reader._get_body(sent.body, sent.content_type, operation)
            if sent.body  # an empty form is an empty body
            else None
        )
        if isinstance(body, bytes):
            body = _data(body, sent.content_type)
        places = {place: getattr(parameters, place) for place in _PLACES}
        raw = {*sent.parameters.query, *sent.parameters.header.keys(), *sent.parameters.cookie}
        return Parsed(places, body, frozenset(raw))


def _data(body: bytes, content_type: str) -> Any:
    """JSON that openapi-core leaves as bytes: under a range such as `*/*`, and line by line."""
    kind = media_type(content_type)
    if kind.is_json:
        return json.loads(body)
    return [json.loads(line) for line in body.splitlines()] if kind.is_json_lines else body


_STYLES = {**style_deserializers, "deepObject": deep_object}
_PLACES = ("path", "query", "header", "cookie")


class _Reader30(_Reading, V30RequestValidator):
    """OpenAPI 3.0."""


class _Reader31(_Reading, V31RequestValidator):
    """OpenAPI 3.1."""
