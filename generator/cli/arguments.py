"""`ARG=VALUE` words as arguments of a tool: each text read as its schema asks.

`ARG=VALUE` is read by the argument's types, `ARG:=JSON` as it stands; an array takes one
JSON array, or its items as repeated words.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...runtime.validation import did_you_mean
from ..errors import InputError
from ..plain import is_array, is_object

_MISSING = object()


def read_arguments(
    words: Sequence[str], text: str | None, schema: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments object: `text` is a JSON object, `words` add to it and override it.

    Raises InputError for a word that is no argument of the schema, or does not read as its type.
    """
    arguments = _json_object(text) if text is not None else {}
    repeated: dict[str, list[str]] = {}
    for word in words:  # members travel in the order in which they are given
        name, sign, value = word.partition("=")
        if not sign or name in ("", ":"):
            raise InputError(f"{word!r}: write an argument as NAME=VALUE, or NAME:=JSON.")
        if name.endswith(":") and name not in schema.get("properties", {}):
            name = name[:-1]
            arguments[_known(name, schema)] = _json(name, value)
        else:
            texts = repeated.setdefault(_known(name, schema), [])
            texts.append(value)
            arguments[name] = _value(name, texts, schema["properties"][name], schema)
    return arguments


def _json_object(text: str) -> dict[str, Any]:
    value = _json("--json", text)
    if not is_object(value):
        raise InputError("--json: the arguments are one JSON object.")
    return dict(value)


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}.") from error


def _known(name: str, schema: Mapping[str, Any]) -> str:
    properties: Mapping[str, Any] = schema.get("properties", {})
    if name in properties:
        return name
    hint = did_you_mean(name, list(properties)) or f"; it takes {_listed(properties)}."
    raise InputError(f"{name}: no such argument{hint}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "no arguments"


def _value(name: str, texts: Sequence[str], schema: Any, root: Mapping[str, Any]) -> Any:
    allowed = _resolved(schema, root)
    types = {kind for one in allowed for kind in _types(one)}
    if "array" in types and not (len(texts) == 1 and texts[0].lstrip().startswith("[")):
        items = next((one["items"] for one in allowed if "items" in one), True)
        return [_value(name, [text], items, root) for text in texts]
    if len(texts) > 1:
        raise InputError(f"{name}: given {len(texts)} times, but it is no array.")
    if (value := _scalar(texts[0], types)) is not _MISSING:
        return value
    raise InputError(f"{name}: {texts[0]!r} is no {' or '.join(sorted(types))}.")


def _scalar(text: str, types: set[str]) -> Any:
    """The text as the first type that takes it; a string is taken when nothing else is asked."""
    try:
        value = json.loads(text)
    except ValueError:
        value = _MISSING
    if "string" in types:
        return text
    if not types:
        return text if value is _MISSING else value
    return value if value is not _MISSING and _kind(value) & types else _MISSING


def _kind(value: object) -> set[str]:
    match value:
        case None:
            return {"null"}
        case bool():
            return {"boolean"}
        case int():
            return {"integer", "number"}
        case float():
            return {"number", "integer"} if value.is_integer() else {"number"}
        case str():
            return {"string"}
        case list():
            return {"array"}
        case _:
            return {"object"}


def _resolved(schema: Any, root: Mapping[str, Any], depth: int = 0) -> list[Mapping[str, Any]]:
    """The schema objects that a value may fit: references followed, alternatives listed."""
    if not is_object(schema) or depth > 8:
        return []
    found: list[Mapping[str, Any]] = [schema]
    if isinstance(target := schema.get("$ref"), str):
        name = target.removeprefix("#/$defs/")
        found += _resolved(root.get("$defs", {}).get(name), root, depth + 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(keyword, ()):
            found += _resolved(part, root, depth + 1)
    return found


def _types(schema: Mapping[str, Any]) -> set[str]:
    declared: object = schema.get("type")
    if isinstance(declared, str):
        return {declared}
    if is_array(declared):
        return set(declared)
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return {kind for value in values for kind in _kind(value)}
