"""Whether what was read from a request is what its arguments were."""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolmint.runtime import HttpOperation, Tool
from toolmint.runtime import arguments as declared
from toolmint.runtime.wire.values import is_array, is_object, text_of

from .parsed import Parsed


def http(tool: Tool) -> HttpOperation:
    """How a tool of an OpenAPI document travels."""
    assert isinstance(tool.operation, HttpOperation)
    return tool.operation


def differences(tool: Tool, arguments: Mapping[str, Any], parsed: Parsed) -> Iterator[str]:
    """What was read otherwise than it was given."""
    expected = places(tool, arguments)
    for place, values in expected.items():
        found = parsed.places[place]
        names = {name.lower(): name for name in found} if place == "header" else {}
        for name, value in values.items():
            key = names.get(name.lower(), name)
            if key not in found:
                yield f"{place} {name} is missing, given {value!r}"
            elif not same(value, found[key]):
                yield f"{place} {name} is {found[key]!r}, given {value!r}"
    yield from body_differences(tool, arguments, parsed.body)


def places(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The given parameters by place and wire name; what RFC 6570 leaves out is left out."""
    expected: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}, "cookie": {}}
    kinds: dict[type, str] = {
        declared.Path: "path",
        declared.Query: "query",
        declared.Header: "header",
        declared.Cookie: "cookie",
    }
    for row in http(tool).arguments:
        value = pruned(arguments.get(declared.argument_name(row)))
        place = kinds.get(type(row))
        if place is not None and value not in (None, [], {}):
            assert not isinstance(row, declared.WholeBody)
            expected[place][row.name] = value
    return expected


def body_differences(tool: Tool, arguments: Mapping[str, Any], found: Any) -> Iterator[str]:
    """The same for the body and its members."""
    body = http(tool).body
    rows = [one for one in http(tool).arguments if isinstance(one, declared.Member)]
    given = {
        row.name: arguments[declared.argument_name(row)]
        for row in rows
        if declared.argument_name(row) in arguments
    }
    if not rows:
        whole = next(
            (one for one in http(tool).arguments if isinstance(one, declared.WholeBody)), None
        )
        if whole is None or whole.argument not in arguments:
            return
        value = arguments[whole.argument]
        if not is_object(value) or not isinstance(body, declared.Form | declared.Multipart):
            if not same(bytes_of(body, value), found):
                yield f"the body is {found!r}, given {value!r}"
            return
        given = dict(value)
    if isinstance(body, declared.Form | declared.Multipart):
        for name, value in pruned(given).items():
            if value in (None, [], {}):
                continue
            if not is_object(found) and not hasattr(found, "keys"):
                yield f"the body is {found!r}"
            elif name not in found:
                yield f"body {name} is missing, given {value!r}"
            elif not same(as_sent(value), found[name]):
                yield f"body {name} is {found[name]!r}, given {value!r}"
    elif (given or found) and given != found:
        yield f"the body is {found!r}, given {given!r}"


def pruned(value: Any) -> Any:
    """Without what RFC 6570 calls undefined: null, and arrays and objects with nothing in them."""
    if is_object(value):
        members = {name: pruned(member) for name, member in value.items()}
        return {name: member for name, member in members.items() if member not in (None, [], {})}
    if is_array(value):
        return [item for item in map(pruned, value) if item not in (None, [], {})]
    return value


def bytes_of(body: Any, value: Any) -> Any:
    return as_sent(value) if isinstance(body, declared.Binary) else value


def as_sent(value: Any) -> Any:
    """Files as the bytes that they are."""
    if is_object(value) and "data_base64" in value:
        return base64.b64decode(value["data_base64"])
    return [as_sent(item) for item in value] if is_array(value) else value


def same(given: Any, found: Any) -> bool:
    """Equal; where the document names no single type, what travels as text is only text."""
    if isinstance(found, bytes) and not isinstance(given, bytes):
        found = found.decode("utf-8", "replace")
    if is_array(given) and is_array(found):
        return len(given) == len(found) and all(map(same, given, found))
    if is_object(given) and is_object(found):
        kept = {name: value for name, value in given.items() if value is not None}
        return all(name in found and same(kept[name], found[name]) for name in kept)
    if isinstance(found, str) and not isinstance(given, str):
        return text_of(given) == found or json.dumps(given) == found
    return bool(given == found)
