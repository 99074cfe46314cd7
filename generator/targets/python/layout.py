"""Expressions laid out as `ruff format` lays them out: flat where they fit, else one item a line.

An exploded bracket always ends in a comma, which ruff respects, so that only the choice
"flat or exploded" must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias, cast

from .literals import WIDTH, scalar, width


@dataclass(frozen=True, slots=True)
class Bracket:
    """A call, tuple, list or dict: `open`, labelled items, `close`."""

    open: str
    items: tuple[tuple[str, Node], ...]  # ("name=" or "'key': " or "", value)
    close: str
    explode: bool = False  # even where it fits


Node: TypeAlias = str | Bracket


def call(
    name: str, positional: Iterable[Node], keywords: Mapping[str, Node], *, explode: bool = False
) -> Bracket:
    """`name(…)`."""
    items = [("", value) for value in positional]
    items += [(f"{key}=", value) for key, value in keywords.items()]
    return Bracket(f"{name}(", tuple(items), ")", explode)


def sequence(values: Iterable[Node], *, explode: bool = False) -> Bracket:
    """A tuple. One of a single item cannot be exploded by a comma: it is when it must."""
    items = tuple(("", value) for value in values)
    return Bracket("(", items, ")", explode and len(items) > 1)


def listing(values: Iterable[Node], *, explode: bool = False) -> Bracket:
    """A list."""
    items = tuple(("", value) for value in values)
    return Bracket("[", items, "]", explode and bool(items))


def mapping(values: Mapping[str, Node], *, explode: bool = True) -> Bracket:
    """A dict with string keys."""
    items = tuple((f"{scalar(key)}: ", value) for key, value in values.items())
    return Bracket("{", items, "}", explode and bool(items))


def value_of(value: Any, name: Callable[[str], str]) -> Node:
    """The expression that makes an equal value: plain data, or a dataclass of the runtime.

    `name` tells how a class is spelled where this is printed. A dataclass's fields are
    printed only where they differ from their defaults, a single needed one by position.
    """
    match value:
        case str() | bool() | int() | float() | None:  # most are, and an ABC is slow to ask
            return scalar(value)
        case Mapping():
            members = cast("Mapping[str, object]", value)
            return mapping(
                {key: value_of(one, name) for key, one in members.items()}, explode=False
            )
        case tuple():
            return sequence(value_of(one, name) for one in cast("tuple[object, ...]", value))
        case list():
            return listing(value_of(one, name) for one in cast("list[object]", value))
        case _ if is_dataclass(value):
            return _construction(value, name)
        case _:
            return scalar(value)


def _construction(value: Any, name: Callable[[str], str]) -> Node:
    keywords = changed_fields(value, name)
    needed = [part for part in _fields(value.__class__) if not _has_default(part)]
    by_position = len(needed) == 1 and not needed[0].kw_only
    first = (keywords.pop(needed[0].name),) if by_position else ()
    return call(name(type(value).__name__), first, keywords)


def changed_fields(value: Any, name: Callable[[str], str]) -> dict[str, Node]:
    """The fields of a dataclass that its constructor must be given."""
    changed: dict[str, Node] = {}
    for field_name, usual in _usual(value.__class__):
        given = getattr(value, field_name)
        if usual is MISSING or given != usual:
            changed[field_name] = value_of(given, name)
    return changed


@cache
def _usual(kind: Callable[..., Any]) -> tuple[tuple[str, object], ...]:
    """The fields of a class with their defaults, MISSING where there is none."""
    return tuple(
        (part.name, _default(part) if _has_default(part) else MISSING) for part in _fields(kind)
    )


def _default(part: Field[Any]) -> object:
    return part.default if part.default_factory is MISSING else part.default_factory()


@cache
def _fields(kind: Callable[..., Any]) -> tuple[Field[Any], ...]:
    return fields(cast(Any, kind))


def _has_default(part: Field[Any]) -> bool:
    return part.default is not MISSING or part.default_factory is not MISSING


def render(node: Node, indent: int, *, before: int = 0, after: int = 0) -> str:
    """The text of a node whose line starts at `indent`, with `before` columns in front of it.

    `after` are the columns that must still fit behind it, such as a comma.
    """
    if isinstance(node, str):
        return node
    flat = _flat(node)
    if flat is not None and (not node.items or indent + before + width(flat) + after <= WIDTH):
        return flat
    margin = " " * (indent + 4)
    lines = [
        f"{margin}{label}{render(value, indent + 4, before=width(label), after=1)},"
        for label, value in node.items
    ]
    return "\n".join([node.open, *lines, " " * indent + node.close])


def _flat(node: Node) -> str | None:
    """The node on one line, or None where something in it is to be exploded."""
    if isinstance(node, str):
        return node
    if node.explode:
        return None
    parts: list[str] = []
    for label, value in node.items:
        flat = _flat(value)
        if flat is None:
            return None
        parts.append(label + flat)
    single = len(parts) == 1 and node.open == "("
    return f"{node.open}{', '.join(parts)}{',' if single else ''}{node.close}"
