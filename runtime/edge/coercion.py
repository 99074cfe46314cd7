"""Give arguments the types their schema asks for, where that loses nothing.

A value changes its type only where the schema does not allow the one it has, and only if
no digit is lost. Whether the result is valid is for validation to say.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..validation import pointer
from ..wire.values import is_array, is_object
from .repair import DEEPEST, Repaired, repair_json


def coerce(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Repaired:
    """Arguments with the types their closed schema asks for, where that loses nothing.

    "3" becomes 3 where a number is wanted and no text is, "true" becomes true, 3 becomes
    "3" where only a text is wanted, and JSON text becomes the array or object it spells.
    """
    changes: list[str] = []
    value = _coerced(dict(arguments), schema, schema, [], changes)
    return Repaired(value, tuple(changes))


def _coerced(value: Any, schema: Any, root: Any, path: list[str | int], changes: list[str]) -> Any:
    if len(path) > DEEPEST:
        return value
    nodes = _nodes(schema, root)
    allowed = _types(nodes, root)
    if allowed is not None and not _type_of(value) & allowed:
        found = _converted(value, allowed)
        if found is not _NOTHING:
            changes.append(f"{pointer(path) or '/'}: {_name(value)} became {_name(found)}")
            value = found
    if is_object(value):
        return {
            name: _below(
                item, [_member(node, name) for node in nodes], root, [*path, name], changes
            )
            for name, item in value.items()
        }
    if is_array(value):
        inner = [node["items"] for node in nodes if "items" in node and "prefixItems" not in node]
        return [_below(v, inner, root, [*path, n], changes) for n, v in enumerate(value)]
    return value


def _below(
    value: Any, schemas: list[Any], root: Any, path: list[str | int], changes: list[str]
) -> Any:
    known = [schema for schema in schemas if is_object(schema)]
    return _coerced(value, {"allOf": known}, root, path, changes) if known else value


def _nodes(schema: Any, root: Any) -> list[Mapping[str, Any]]:
    """The schemas that all hold at a place: itself, references, `allOf`, a union's only form."""
    found: list[Mapping[str, Any]] = []
    waiting: list[tuple[Any, bool]] = [(schema, True)]
    seen: set[int] = set()
    while waiting:
        node, typed = waiting.pop()
        if not is_object(node) or id(node) in seen:
            continue
        seen.add(id(node))
        found.append(node if typed else {k: v for k, v in node.items() if k not in _TYPING})
        if isinstance(node.get("$ref"), str):
            waiting.append((_referred(node["$ref"], root), typed))
        waiting.extend((inner, typed) for inner in node.get("allOf", ()))
        for union in _UNIONS:
            forms = [form for form in node.get(union, ()) if form != {"type": "null"}]
            if len(forms) == 1:  # or null: the type is the union's to say
                waiting.append((forms[0], False))
    return found


DEEPEST_UNION = 4  # unions in unions beyond which any type may be meant
_UNIONS = ("anyOf", "oneOf")
_TYPING = frozenset(("type", "enum", "const"))


def _referred(reference: str, root: Any) -> Any:
    name = reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
    definitions = root.get("$defs") if is_object(root) else None
    return definitions.get(name) if is_object(definitions) else None


def _member(node: Mapping[str, Any], name: str) -> Any:
    properties = node.get("properties")
    if is_object(properties) and name in properties:
        return properties[name]
    return node.get("additionalProperties")


def _types(
    nodes: list[Mapping[str, Any]], root: Any, within: frozenset[int] = frozenset()
) -> frozenset[str] | None:
    """The types a value may have at a place, None when any will do.

    `within` are the unions that are being looked at: in itself, a union adds nothing.
    """
    allowed: frozenset[str] | None = None
    for node in nodes:
        for types in _said_types(node, root, within):
            allowed = types if allowed is None else allowed & types
    return allowed


def _said_types(
    node: Mapping[str, Any], root: Any, within: frozenset[int]
) -> Iterator[frozenset[str]]:
    types = node.get("type")
    if types is not None:
        names = frozenset([types] if isinstance(types, str) else types)
        yield names | {"integer"} if "number" in names else names
    elif "enum" in node:
        yield frozenset().union(*(_type_of(value) for value in node["enum"]))
    elif "const" in node:
        yield _type_of(node["const"])
    for forms in (node[union] for union in _UNIONS if union in node):
        if id(forms) in within:
            yield frozenset()
            continue
        if len(within) == DEEPEST_UNION:
            continue
        inner = within | {id(forms)}
        types_of = [_types(_nodes(form, root), root, inner) for form in forms]
        if None not in types_of:
            yield frozenset().union(*(form for form in types_of if form is not None))


def _type_of(value: Any) -> frozenset[str]:
    if value is None:
        return frozenset({"null"})
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return frozenset({"integer", "number"})
    if isinstance(value, float):
        return frozenset({"number"})
    if isinstance(value, str):
        return frozenset({"string"})
    return frozenset({"array"} if is_array(value) else {"object"})


_NOTHING = object()
_PLAIN_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}")
_PLAIN_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,14})\.\d{1,15}")


def _converted(value: Any, allowed: frozenset[str]) -> Any:
    if isinstance(value, str):
        return _read(value, allowed)
    if isinstance(value, int) and not isinstance(value, bool) and allowed <= {"string", "null"}:
        return str(value) if "string" in allowed else _NOTHING
    return _NOTHING


def _read(text: str, allowed: frozenset[str]) -> Any:
    """What a text spells, if that is a value of an allowed type and spells the text again."""
    if allowed & {"integer", "number"}:
        if _PLAIN_INTEGER.fullmatch(text):
            return int(text)
        digits = text.lstrip("-0.").replace(".", "")
        if "number" in allowed and _PLAIN_DECIMAL.fullmatch(text) and len(digits) <= 15:
            return float(text)
    if "boolean" in allowed and text in ("true", "false"):
        return text == "true"
    if allowed & {"array", "object"} and text.lstrip()[:1] in ("[", "{"):
        try:
            value = repair_json(text).value
        except (ValueError, RecursionError):
            return _NOTHING
        return value if _type_of(value) & allowed else _NOTHING
    return _NOTHING


def _name(value: Any) -> str:
    (name, *_) = sorted(_type_of(value))
    return "a text" if name == "string" else f"{'an' if name[0] in 'aio' else 'a'} {name}"
