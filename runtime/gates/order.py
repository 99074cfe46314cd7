"""Order: what must have run before a call, in this run and for the same thing.

Which thing is read from the two paths: `DELETE /pets/{pet_id}` is about the pet that
`GET /pets/{id}` read when both identifiers stand at the same place. After a list, the
identifier must be one of those that were listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..arguments import Path, argument_name
from ..operation import HttpOperation
from ..wire.values import is_array, is_object

MOST_VALUES = 20_000  # scalars of one result that are remembered
MOST_LOOKS = 10 * MOST_VALUES  # values of one result: what holds itself has no end


class Placed(Protocol):
    """A tool, as far as order looks at it."""

    @property
    def name(self) -> str:
        """Its name."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """A call that went well: its arguments, and every scalar of its result."""

    tool: str
    operation: HttpOperation | None
    arguments: Mapping[str, Any]
    values: frozenset[str]

    def to_data(self) -> dict[str, Any]:
        """As JSON data; the operation is looked up again by the tool's name."""
        told = {"tool": self.tool, "arguments": dict(self.arguments)}
        return {**told, "values": sorted(self.values)}


class History:
    """The calls of one run that went well. A new run has a new one, so that order re-arms."""

    def __init__(self, done: Sequence[Done] = ()) -> None:
        self._done = list(done)

    @property
    def done(self) -> Sequence[Done]:
        """What went well, first to last."""
        return tuple(self._done)

    def add(self, tool: Placed, arguments: Mapping[str, Any], data: object) -> None:
        """Note a call that went well."""
        values, given = frozenset(_scalars(data)), _effective(tool, arguments)
        self._done.append(Done(tool.name, operation_of(tool), given, values))

    def missing(
        self, tool: Placed, requires: Sequence[str], arguments: Mapping[str, Any]
    ) -> str | None:
        """What to do first, in words for a model; None when everything required was done."""
        target, arguments = operation_of(tool), _effective(tool, arguments)
        for required in requires:
            done = [one for one in self._done if one.tool == required]
            if not any(_is_same(one, target, arguments) for one in done):
                return _advice(tool.name, required, done)
        return None


def operation_of(tool: object) -> HttpOperation | None:
    """How a tool's call travels; None for a tool that is no operation."""
    operation = getattr(tool, "operation", None)
    return operation if isinstance(operation, HttpOperation) else None


def required_names(tool: object, name: str, requires: Sequence[str]) -> tuple[str, ...]:
    """The required tools by the names that their toolset's prefix gives them."""
    own = str(getattr(getattr(tool, "operation", None), "name", name))
    prefix = name.removesuffix(own) if name.endswith(own) else ""
    return tuple(f"{prefix}{required}" for required in requires)


def _advice(tool: str, required: str, done: Sequence[Done]) -> str:
    if done:
        return (
            f"{required} has run in this run, but for something else; "
            f"call {required} for the very thing that {tool} is to change, then call {tool} again"
        )
    return f"call {required} for the same thing first, then call {tool} again"


def _is_same(done: Done, target: HttpOperation | None, arguments: Mapping[str, Any]) -> bool:
    """Whether a call that went well was about the thing that another call is about."""
    if done.operation is None or target is None:
        return _agree(_named(done.arguments), _named(arguments))
    if not _path_names(target) and not _path_names(done.operation):
        return _agree(_plain(done.arguments), _plain(arguments))  # `records.get?id=7`
    pairs = list(_pairs(done.operation, target))
    if any(_text(done.arguments.get(ours)) != _text(arguments.get(its)) for ours, its in pairs):
        return False
    listed = _listed(done.operation, target)
    return listed is None or _text(arguments.get(listed)) in done.values


def _agree(ours: Mapping[str, Any], its: Mapping[str, Any]) -> bool:
    """Whether what two calls both name is the same."""
    return all(_text(ours[name]) == _text(its[name]) for name in ours.keys() & its.keys())


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The texts and numbers of a call, also those of its body: only they can name a thing."""
    named = _named(arguments)
    return {name: value for name, value in named.items() if _is_name(value)}


def _effective(tool: object, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments, and what a function takes where they say nothing."""
    usual: Mapping[str, Any] = getattr(tool, "defaults", {})
    return {**{name: value for name, value in usual.items() if _is_name(value)}, **arguments}


def _is_name(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _named(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by name, and those inside an object: mutations take theirs in an `input`."""
    inside = {
        name: value
        for holder in arguments.values()
        if is_object(holder)
        for name, value in holder.items()
        if not is_object(value)
    }
    return {**inside, **arguments}


def _pairs(done: HttpOperation, target: HttpOperation) -> Iterator[tuple[str, str]]:
    """Arguments of two operations that name the same thing: by place in the path, by name."""
    ours, its = _path_names(done), _path_names(target)
    paired: set[str] = set()
    for one, other in zip(_segments(done), _segments(target), strict=False):
        if _is_parameter(one) and _is_parameter(other):
            paired.add(one)
            if one[1:-1] in ours and other[1:-1] in its:
                yield ours[one[1:-1]], its[other[1:-1]]
        elif one != other:
            break
    given = {argument_name(argument) for argument in target.arguments}
    for name, key in ours.items():
        if f"{{{name}}}" not in paired and key in given:
            yield key, key


def _listed(done: HttpOperation, target: HttpOperation) -> str | None:
    """The argument that picks one of a list: `{id}` of `/pets/{id}`, after `/pets`."""
    ours, its = _segments(done), _segments(target)
    if its[:-1] == ours and _is_parameter(its[-1]):
        return _path_names(target).get(its[-1][1:-1])
    return None


def _segments(operation: HttpOperation) -> list[str]:
    return operation.path.strip("/").split("/")


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{") and segment.endswith("}")


def _path_names(operation: HttpOperation) -> dict[str, str]:
    """The path parameters: wire name → argument."""
    return {
        argument.name: argument_name(argument)
        for argument in operation.arguments
        if isinstance(argument, Path)
    }


def _text(value: object) -> str:
    """`7` and `"7"` are the same in a path."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _scalars(data: object) -> Iterator[str]:
    """Every text and number of a result, as it would stand in a path."""
    waiting, told, looked = [data], 0, 0
    while waiting and told < MOST_VALUES and looked < MOST_LOOKS:
        value, looked = waiting.pop(), looked + 1
        if is_object(value):
            waiting.extend(value.values())
        elif is_array(value):
            waiting.extend(value)
        elif isinstance(value, str | int | float):
            told += 1
            yield _text(value)
