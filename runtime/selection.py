"""Which tools of a toolset are meant: by the operation, or by names, tags and effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias, get_args

from .tool import Tool, named
from .validation import not_there

Effect: TypeAlias = Literal[
    "pure", "consequential", "read_only", "destructive", "idempotent", "open_world"
]


def of_operation(tools: Mapping[str, Tool], operation: str) -> Tool:
    """The one tool that is made of an operation; KeyError lists near ones."""
    found = [tool for tool in tools.values() if f"{tool.method} {tool.path}" == operation]
    found = found or [tool for tool in tools.values() if tool.operation_id == operation]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(tool.name for tool in found)
        raise KeyError(f"several tools are made of {operation!r}: {names}")
    known = [f"{tool.method} {tool.path}" for tool in tools.values()]
    known += [tool.operation_id for tool in tools.values() if tool.operation_id]
    raise KeyError(not_there("operation", operation, known))


def chosen(
    tools: Mapping[str, Tool],
    tags: str | Iterable[str] | None,
    names: str | Iterable[str] | None,
    effects: Effect | Iterable[Effect] | None,
    predicate: Callable[[Tool], bool] | None,
) -> list[Tool]:
    """The tools with one of `names`, one of `tags` and all of `effects`, in the toolset's order.

    KeyError for a name or tag that no tool has, ValueError for an unknown effect.
    """
    left = list(tools.values())
    if names is not None:
        wanted = {named(tools, name).name for name in _several(names)}
        left = [tool for tool in left if tool.name in wanted]
    if tags is not None:
        asked = _known_tags(tools, tags)
        left = [tool for tool in left if asked.intersection(tool.tags)]
    for effect in () if effects is None else _several(effects):
        attribute = _known_effect(effect)
        left = [tool for tool in left if getattr(tool.effects, attribute)]
    return left if predicate is None else [tool for tool in left if predicate(tool)]


def _several(values: str | Iterable[str]) -> Iterable[str]:
    return (values,) if isinstance(values, str) else values


def _known_tags(tools: Mapping[str, Tool], tags: str | Iterable[str]) -> set[str]:
    asked = set(_several(tags))
    known = {tag for tool in tools.values() for tag in tool.tags}
    for tag in sorted(asked - known):
        raise KeyError(not_there("tag", tag, sorted(known)))
    return asked


def _known_effect(name: str) -> str:
    known = get_args(Effect)
    if name not in known:
        raise ValueError(not_there("effect", name, sorted(known)))
    return name
