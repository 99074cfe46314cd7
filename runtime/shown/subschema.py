"""Finds the schema of one place in a tool's arguments, small enough to show to a model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..wire.values import is_object
from .advertise import split, stub
from .closure import LISTED, NAMED, SINGLE, Definitions, children, target
from .tokens import tokens

DEEPEST = 6  # levels of nesting shown at most when the whole is too large


def subschema(full: Mapping[str, Any], place: str, most: int) -> dict[str, Any] | bool:
    """The schema at `filter.author` or `/filter/author` of a closed schema, in `most` tokens.

    What does not fit is shown to the depth that does, the rest open as in an advertised
    schema. Raises LookupError, naming what is there, for a place that is not.
    """
    definitions: Mapping[str, Any] = full.get("$defs", {})
    node = _found(full, _steps(place), definitions)
    if not is_object(node):
        return bool(node)
    whole = Definitions(definitions).close(node)
    if tokens(whole) <= most:
        return whole
    for depth in range(DEEPEST, 0, -1):
        shown: dict[str, Any] = _unfolded(node, definitions, depth)
        if tokens(shown) <= most:
            return shown
    return _names_only(node, definitions, most)


def _steps(place: str) -> list[str]:
    if place.startswith(("/", "#/")):
        return [step for step in split(place.removeprefix("#")) if step]
    return [step for step in place.replace("[]", "").split(".") if step]


def _found(node: Any, steps: Sequence[str], definitions: Mapping[str, Any]) -> Any:
    """Walk down; a member's name may hold dots, so the longest name that fits is taken."""
    rest = list(steps)
    while rest:
        for count in range(len(rest), 0, -1):
            below = _member(node, ".".join(rest[:count]), definitions)
            if below is not None:
                node, rest = below, rest[count:]
                break
        else:
            node, rest = _unnamed(node, rest[0], definitions), rest[1:]
    return node


def _unnamed(node: Any, step: str, definitions: Mapping[str, Any]) -> Any:
    """What a step means that is no member's name: an item, or a member of a map."""
    if step.isdigit() or step in ("items", "*"):
        return node  # items describe the same place already
    parts = _parts(node, definitions, frozenset())
    below = _merged(filter(is_object, (part.get("additionalProperties") for part in parts)))
    if below is None:
        known = sorted(set(_names(node, definitions)))
        there = f"there are {', '.join(known)}" if known else "nothing is below"
        raise LookupError(f"leads nowhere at {step!r}: {there}"[:400])
    return below


def _parts(node: Any, definitions: Mapping[str, Any], seen: frozenset[str]) -> Iterator[Any]:
    """The schemas that describe the same value, or an item of it: itself, its target, branches."""
    if not is_object(node):
        return
    yield node
    name = target(node)
    if name is not None and name in definitions and name not in seen:
        seen |= {name}
        yield from _parts(definitions[name], definitions, seen)
    for keyword in LISTED:
        for branch in node.get(keyword, ()):
            yield from _parts(branch, definitions, seen)
    yield from _parts(node.get("items"), definitions, seen)


def _member(node: Any, name: str, definitions: Mapping[str, Any]) -> Any:
    parts = _parts(node, definitions, frozenset())
    return _merged(part.get("properties", {}).get(name) for part in parts)


def _merged(schemas: Iterable[Any]) -> Any:
    """The one schema of several for the same place; None when there is none."""
    found: list[Any] = []
    for schema in schemas:
        if schema is not None and schema not in found:
            found.append(schema)
    if len(found) > 1:
        return {"anyOf": found}
    return found[0] if found else None


def _names(node: Any, definitions: Mapping[str, Any]) -> list[str]:
    parts = _parts(node, definitions, frozenset())
    return [name for part in parts for name in part.get("properties", {})]


def _unfolded(node: Any, definitions: Mapping[str, Any], depth: int) -> Any:
    """The schema with references replaced by what they lead to, `depth` levels of it."""
    if not is_object(node):
        return node
    if (name := target(node)) is not None and name in definitions:
        beside = {key: value for key, value in node.items() if key not in ("$ref", "$defs")}
        if depth == 0:
            return {**stub(node, definitions), **beside}
        goal = definitions[name]
        is_chain = is_object(goal) and target(goal) is not None  # which may be a ring
        below = _unfolded(goal, definitions, depth - 1 if is_chain else depth)
        return {**below, **beside} if is_object(below) else below
    if depth == 0 and next(children(node), None) is not None:
        return stub(node, definitions)
    shown: dict[str, Any] = {}
    for keyword, value in node.items():
        if keyword == "$defs":
            continue
        if keyword in NAMED:
            value = {
                name: _unfolded(child, definitions, depth - 1) for name, child in value.items()
            }
        elif keyword in LISTED:
            value = [_unfolded(child, definitions, depth - 1) for child in value]
        elif keyword in SINGLE:
            value = _unfolded(value, definitions, depth - 1)
        shown[keyword] = value
    return shown


def _names_only(node: Any, definitions: Mapping[str, Any], most: int) -> dict[str, Any]:
    """The last resort: what it is, and as many of its members' names as fit."""
    shown = stub(node, definitions)
    names = list(dict.fromkeys(_names(node, definitions)))
    while names and tokens(names) > most // 2:
        names = names[: len(names) // 2]
    return {**shown, "properties": {name: {} for name in names}} if names else shown
