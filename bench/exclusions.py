"""What a round trip through `openapi-core` cannot say anything of, by kind and by whose fault.

Each kind has its minimal reproduction in `tests/behaviour/test_round_trip.py`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from toolmint.runtime import Tool
from toolmint.runtime.arguments import (
    Argument,
    Cookie,
    Header,
    Path,
    Query,
    WholeBody,
    Xml,
    argument_name,
)
from toolmint.runtime.wire.values import is_array, is_object

from .compared import http
from .parsed import Request

IGNORED = "openapi-core asks for headers that are not a caller's: the standard says to ignore them"
XML = "openapi-core does not read XML"
NESTED = "an array or object inside a parameter's: the standard leaves its form open"
UNTYPED = "openapi-core reads one text where a schema's type stands in a branch"
EMPTY = "an empty object has no form in a parameter (RFC 6570); openapi-core asks for it"
OBJECT = "openapi-core reads no exploded object in a query"
DELIMITED = "openapi-core splits by `%20` what it has decoded before"
PLACEHOLDER = "openapi-core cannot have such a name in a path"
ADJACENT = "two placeholders side by side: nothing says where one value ends"
NOWHERE = "the document has its path parameter elsewhere than in the path"
UNDECLARED = (
    "the query of a path key asks for what nothing declares: the standard has no such place"
)

_HEADERS = frozenset(("accept", "content-type", "content-length", "authorization"))


def excluded(
    document: Mapping[str, Any],
    path: str,
    tool: Tool,
    arguments: Mapping[str, Any],
    request: Request,
) -> str:
    """Why a trip would not say anything of us, "" where it does."""
    described = {
        (one.get("name"), one.get("in")): one
        for one in _parameters(document, path, tool.method.lower())
    }
    if "}{" in path:
        return ADJACENT
    unsent = _HEADERS - {name.lower() for name in request.headers}
    for (name, place), parameter in described.items():
        if place == "header" and str(name).lower() in unsent and parameter.get("required"):
            return IGNORED
        if place == "path" and f"{{{name}}}" not in re.split("[?#]", path)[0]:
            return NOWHERE
    asked = set(re.findall(r"\{(\w+)\}", path.partition("?")[2]))
    if asked - {name for name, _ in described}:
        return UNDECLARED
    for row in http(tool).arguments:
        value = arguments.get(argument_name(row))
        if value is not None and (reason := _row(document, described, row, value)):
            return reason
    if isinstance(http(tool).body, Xml) and _has_body(tool, arguments):
        return XML
    return ""


def _row(
    document: Mapping[str, Any], described: Mapping[Any, Any], row: Argument, value: Any
) -> str:
    if isinstance(row, Path) and not re.fullmatch(r"\w[\w.-]*", row.name):
        return PLACEHOLDER
    if not isinstance(row, Path | Query | Header | Cookie) or row.content is not None:
        return ""
    places = {Path: "path", Query: "query", Header: "header", Cookie: "cookie"}
    parameter = described.get((row.name, places[type(row)]), {})
    if value == {}:
        return EMPTY
    if isinstance(row, Query) and row.style == "deepObject":
        return ""
    if any(
        map(_is_nested, value.values() if is_object(value) else value if is_array(value) else ())
    ):
        return NESTED
    schema = _followed(document, parameter.get("schema", {}))
    if _is_nested(value) and not isinstance(schema.get("type"), str):
        return UNTYPED
    if isinstance(row, Query | Cookie) and is_object(value) and row.explode:
        return OBJECT
    if isinstance(row, Query) and row.style == "spaceDelimited" and _is_nested(value):
        return DELIMITED
    return ""


def _is_nested(value: Any) -> bool:
    return is_object(value) or is_array(value)


def _has_body(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    rows = http(tool).arguments
    return any(isinstance(row, WholeBody) and argument_name(row) in arguments for row in rows)


def _parameters(document: Mapping[str, Any], path: str, method: str) -> Iterator[Mapping[str, Any]]:
    item = _followed(document, document["paths"][path])
    for holder in (item, item[method]):
        for parameter in holder.get("parameters", ()):
            yield _followed(document, parameter)


def _followed(document: Mapping[str, Any], node: Any) -> Mapping[str, Any]:
    """What a reference inside the document points to."""
    for _ in range(20):
        target = node.get("$ref") if is_object(node) else None
        if not isinstance(target, str) or not target.startswith("#/"):
            break
        node = document
        for word in map(unquote, target[2:].split("/")):
            if is_array(node):
                node = node[int(word)]
            elif is_object(node):
                node = node.get(word.replace("~1", "/").replace("~0", "~"))
    return node if is_object(node) else {}
