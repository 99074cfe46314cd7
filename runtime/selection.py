"""Which tools of a toolset are meant: by the operation, or by names, tags and effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from .validation import not_there

if TYPE_CHECKING:
    from .tool import Tool
    from .toolset import Toolset

Effect: TypeAlias = Literal[
    "pure", "consequential", "read_only", "destructive", "idempotent", "open_world"
]


def of_operation(toolset: Toolset, operation: str) -> Tool:
    """The one tool that is made of an operation; KeyError lists near ones."""
    found = [tool for tool in toolset if f"{tool.method} {tool.path}" == operation]
    found = found or [tool for tool in toolset if tool.operation_id == operation]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(tool.name for tool in found)
        raise KeyError(f"several tools are made of {operation!r}: {names}")
    known = [f"{tool.method} {tool.path}" for tool in toolset]
    known += [tool.operation_id for tool in toolset if tool.operation_id]
    raise KeyError(not_there("operation", operation, known))


def chosen(
    toolset: Toolset,
    tags: str | Iterable[str] | None,
    names: str | Iterable[str] | None,
    effects: Effect | Iterable[Effect] | None,
    predicate: Callable[[Tool], bool] | None,
) -> list[Tool]:
    """The tools with one of `names`, one of `tags` and all of `effects`, in the toolset's order.

    KeyError for a name or tag that no tool has, ValueError for an unknown effect.
    """
    tools = list(toolset)
    if names is not None:
        wanted = {toolset[name].name for name in _several(names)}
        tools = [tool for tool in tools if tool.name in wanted]
    if tags is not None:
        asked = _known_tags(toolset, tags)
        tools = [tool for tool in tools if asked.intersection(tool.tags)]
    for effect in () if effects is None else _several(effects):
        attribute = _known_effect(effect)
        tools = [tool for tool in tools if getattr(tool.effects, attribute)]
    return tools if predicate is None else [tool for tool in tools if predicate(tool)]


def _several(values: str | Iterable[str]) -> Iterable[str]:
    return (values,) if isinstance(values, str) else values


def _known_tags(toolset: Toolset, tags: str | Iterable[str]) -> set[str]:
    asked = set(_several(tags))
    known = {tag for tool in toolset for tag in tool.tags}
    for tag in sorted(asked - known):
        raise KeyError(not_there("tag", tag, sorted(known)))
    return asked


def _known_effect(name: str) -> str:
    known = get_args(Effect)
    if name not in known:
        raise ValueError(not_there("effect", name, sorted(known)))
    return name
