"""From the request that a scenario expects to the tool and the arguments that should make it.

A reader of its own, so that a fault of the runtime's writer cannot hide in it: it knows the
suite's form of a request, the declared place and style of each argument, and its schema.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from toolmint.auth.schemes import ApiKey, HttpBearer, HttpScheme, OAuth2, Scheme
from toolmint.runtime import Tool
from toolmint.runtime.arguments import (
    Body,
    Cookie,
    Header,
    JsonLines,
    Member,
    Path,
    Query,
    QueryString,
    Text,
    WholeBody,
    argument_name,
)
from toolmint.runtime.operation import Server
from toolmint.runtime.wire.values import is_array, is_object

from .services import Service
from .suite import Exchange

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_KINDS = {"str": "string", "bool": "boolean"}
_SPLIT = {"spaceDelimited": " ", "pipeDelimited": "|"}


@dataclass(frozen=True, slots=True)
class Found:
    """The tool that answers to a request line, and what the line says of its arguments."""

    service: Service
    tool: Tool
    path: Mapping[str, str]  # texts of the path's arguments
    variables: Mapping[str, str]  # texts of the server's variables


def find(services: Sequence[Service], exchange: Exchange) -> Found | None:
    """The most literal tool whose server and path fit, of the version that the request names."""
    fitting = [found for service in services for found in _fitting(service, exchange)]
    said = f"{exchange.uri} {exchange.query}"
    return max(
        fitting,
        key=lambda found: (
            -len(found.path),
            found.service.version in said,
            found.service.version,
        ),
        default=None,
    )


def _fitting(service: Service, exchange: Exchange) -> Iterator[Found]:
    for tool in service.toolset(credentials={}):
        if tool.method != exchange.method:
            continue
        servers = tool.operation.servers or service.toolset.package.servers
        base = _base(servers)
        pattern, names = _pattern(base, tool.path)
        matched = re.fullmatch(pattern, exchange.uri.replace("\\:", ":"))
        if matched is None:
            continue
        texts = dict(zip(names, matched.groups(), strict=True))
        variables = {name: texts.pop(name) for name in _PLACEHOLDER.findall(base)}
        yield Found(service, tool, texts, variables)


def _base(servers: Sequence[Server]) -> str:
    """What stands before the path: of a server that is a variable, what follows it."""
    url = servers[0].url if servers else ""
    return url.removeprefix("{endpoint}") if url.startswith("{") else ""


def _pattern(base: str, path: str) -> tuple[str, list[str]]:
    """The request line that server and path make, and the names of its groups."""
    # A path that is nothing but the server's own address comes with or without its slash.
    pattern = "/?" if path == "/" else _filled(path, "(.+)")
    return _filled(base, "([^/]+)") + pattern, _PLACEHOLDER.findall(base + path)


def _filled(template: str, group: str) -> str:
    pieces = _PLACEHOLDER.split(template)
    pieces[::2] = map(re.escape, pieces[::2])
    pieces[1::2] = [group] * len(pieces[1::2])
    return "".join(pieces)


def credentials(schemes: Mapping[str, Scheme], exchange: Exchange) -> dict[str, str]:
    """What the expected request shows of each scheme's credential."""
    headers = {name.lower(): str(value) for name, value in exchange.headers.items()}
    found: dict[str, str] = {}
    for name, scheme in schemes.items():
        carrier = scheme.parameter.lower() if isinstance(scheme, ApiKey) else "authorization"
        text = headers.get(carrier)
        if text is None:
            continue
        if isinstance(scheme, HttpBearer | HttpScheme | OAuth2):
            text = text.partition(" ")[2]
        found[name] = text
    return found


def arguments(found: Found, exchange: Exchange) -> dict[str, Any]:
    """The arguments that make the expected request, where it shows them."""
    reader = _Reader(found, exchange)
    return {
        argument_name(row): value
        for row in found.tool.operation.arguments
        for value in reader.values(row)
    }


class _Reader:
    """Reads one exchange by one tool's declarations."""

    def __init__(self, found: Found, exchange: Exchange) -> None:
        self._found = found
        self._exchange = exchange
        self._schema = found.tool.input_schema
        self._headers = {name.lower(): value for name, value in exchange.headers.items()}

    def values(self, row: Any) -> Iterator[Any]:
        """The value of one argument, or nothing where the request does not show it."""
        schema = self._schema["properties"][argument_name(row)]
        match row:
            case Path() if row.name in self._found.path:
                text = unquote(self._found.path[row.name])
                yield self._text(_bare(row, text), schema, _delimiter(row), row.explode)
            case Query():
                yield from self._query(row, schema)
            case Header() if row.name.lower() in self._headers:
                yield self._text(self._headers[row.name.lower()], schema, ",", row.explode)
            case Member() | WholeBody() if self._exchange.body is not None:
                yield from self._body(row, schema, self._exchange.body)
            case Path() | Header() | Cookie() | QueryString() | Member() | WholeBody() | _:
                return

    def _query(self, row: Query, schema: Any) -> Iterator[Any]:
        query = self._exchange.query
        if row.name in query:
            yield self._text(query[row.name], schema, _SPLIT.get(row.style, ","), False)
        elif self._kinds(schema) == {"object"} and row.explode and query:
            others = {argument_name(one) for one in self._found.tool.operation.arguments}
            texts = {name: text for name, text in query.items() if name not in others}
            yield self._object(texts, schema)

    def _body(self, row: Member | WholeBody, schema: Any, body: Mapping[str, Any]) -> Iterator[Any]:
        value = _content(body, getattr(self._found.tool.operation, "body", None))
        if isinstance(row, WholeBody):
            yield value
        elif is_object(value) and row.name in value:
            yield self._member(value[row.name], schema)

    def _member(self, value: Any, schema: Any) -> Any:
        """A part is written as data where its schema may ask for text, or for a list of one."""
        if isinstance(value, int | float) and self._kinds(schema) == {"string"}:
            return json.dumps(value)
        return [value] if self._kinds(schema) == {"array"} and _is_file(value) else value

    def _text(self, text: Any, schema: Any, delimiter: str, explode: bool) -> Any:
        """A value from its text, by the types that its schema allows."""
        kinds = self._kinds(schema)
        if "array" in kinds:
            items = text if is_array(text) else str(text).split(delimiter)
            return [self._scalar(item, self._resolved(schema).get("items", {})) for item in items]
        if "object" in kinds:
            words = str(text).split(delimiter)
            if explode:
                return self._object(dict(word.split("=", 1) for word in words), schema)
            return self._object(dict(zip(words[::2], words[1::2], strict=True)), schema)
        return self._scalar(text, schema)

    def _object(self, texts: Mapping[str, Any], schema: Any) -> dict[str, Any]:
        resolved = self._resolved(schema)
        members = resolved.get("properties", {})
        others = resolved.get("additionalProperties", resolved.get("unevaluatedProperties", {}))
        return {name: self._scalar(text, members.get(name, others)) for name, text in texts.items()}

    def _scalar(self, text: Any, schema: Any) -> Any:
        kinds = self._kinds(schema)
        if isinstance(text, str) and not kinds & {"string", "any"}:
            with suppress(ValueError):  # what is no such value is refused by the tool
                return json.loads(text)
        return text if isinstance(text, str) or "string" not in kinds else str(text)

    def _kinds(self, schema: Any) -> set[str]:
        resolved = self._resolved(schema)
        branches = resolved.get("anyOf", []) + resolved.get("oneOf", [])
        if branches:
            return {kind for branch in branches for kind in self._kinds(branch)}
        kinds = resolved.get("type", [])
        if not kinds and "const" in resolved:
            kinds = _KINDS.get(type(resolved["const"]).__name__, "number")
        return set([kinds] if isinstance(kinds, str) else kinds) or {"any"}

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        if not is_object(schema):
            return {}
        if "$ref" not in schema:
            return schema
        name = schema["$ref"].removeprefix("#/$defs/")
        return self._resolved(self._schema["$defs"][name])


def _bare(row: Path, text: str) -> str:
    """The text of a path's value without what its style puts around it."""
    if row.style == "label":
        return text.removeprefix(".")
    if row.style == "matrix":
        return text.removeprefix(";").replace(f"{row.name}=", "")
    return text


def _delimiter(row: Path) -> str:
    return {"label": ".", "matrix": ";"}.get(row.style, ",") if row.explode else ","


def _content(body: Mapping[str, Any], declared: Body | None) -> Any:
    """A body's value: data, text, or files as an argument holds them."""
    if "fields" in body:
        return _parts(body)
    if "json" in body:
        return body["json"]
    if "text" in body:
        return body["text"]
    if isinstance(declared, JsonLines):
        return [json.loads(line) for line in b64decode(body["base64"]).splitlines() if line]
    if isinstance(declared, Text):
        return b64decode(body["base64"]).decode()
    return {"content_type": body["type"], "data_base64": body["base64"]}


def _is_file(value: Any) -> bool:
    return is_object(value) and "data_base64" in value


def _parts(body: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a multipart body; files that share a field are a list."""
    found: dict[str, Any] = dict(body["fields"])
    for part in body["files"]:
        file = {
            "filename": part["name"],
            "content_type": part["type"],
            "data_base64": part["base64"],
        }
        before = found.get(part["field"])
        if before is None:
            found[part["field"]] = file
        else:
            found[part["field"]] = [*(before if is_array(before) else [before]), file]
    return found
