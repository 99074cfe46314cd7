"""From what a caller wrote to valid arguments: read, mend, take ours off, validate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..operation import GraphQLOperation
from ..shown.ours import FIELDS, OURS, PAGE
from ..tool import Tool
from ..validation import Problem
from . import pages, projection
from .arguments import read_arguments
from .coercion import coerce
from .failures import invalid
from .pages import PageRequest
from .paging import ByArguments, Step
from .repair import repair_json

FIRST_PAGE = PageRequest()


@dataclass(frozen=True, slots=True)
class Taken:
    """Valid arguments, and what was asked for beside them."""

    arguments: Mapping[str, Any]
    paths: tuple[projection.Path, ...] = ()
    page: PageRequest = FIRST_PAGE
    step: Step | None = None  # where to go on, instead of at the beginning
    changes: tuple[str, ...] = ()  # what was mended, one sentence each


def take(tool: Tool, given: object, *, repair: bool, key: Callable[[], bytes]) -> Taken:
    """The arguments of a call. `key` signs page tokens. Raises `ToolError`.

    `_fields` and `_page` are taken off first, unless the operation has such arguments itself.
    """
    arguments, changes = _read(tool, given, repair)
    arguments = _respelled(tool, arguments)
    paths: tuple[projection.Path, ...] = ()
    page, step = FIRST_PAGE, None
    if FIELDS in arguments or PAGE in arguments:
        names = tool.argument_names
        asked = {n: arguments.pop(n) for n in OURS if n in arguments and n not in names}
        paths = _paths(tool, asked)
        page, step = _page(tool, asked, names, key)
        if isinstance(step, ByArguments):
            arguments.update(step.arguments)
    problems = tool.problems(arguments)
    if problems and repair:
        mended = coerce(arguments, tool.input_schema)
        arguments, changes = mended.value, (*changes, *mended.changes)
        problems = tool.problems(arguments)
    if problems:
        raise invalid(tool.name, problems)
    return Taken(arguments, paths, page, step, changes)


def _read(tool: Tool, given: object, repair: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    try:
        return read_arguments(given), ()
    except ValueError as error:
        reason = str(error)
    if repair and isinstance(given, str):
        try:
            mended = repair_json(given)
            return read_arguments(mended.value), mended.changes
        except (ValueError, RecursionError) as error:
            reason = str(error)
    raise invalid(tool.name, [Problem("", None, reason)])


def _respelled(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Under their own names: a provider that does not take one was sent it in another spelling."""
    names = tool.argument_names
    if arguments.keys() <= names.union(OURS):
        return arguments
    from ..dialects import names as spelling

    return spelling.own_names(names, arguments)


def _paths(tool: Tool, asked: Mapping[str, Any]) -> tuple[projection.Path, ...]:
    if FIELDS not in asked:
        return ()
    paths = projection.paths_of(asked[FIELDS])
    if isinstance(paths, Problem):
        raise invalid(tool.name, [paths])
    if isinstance(tool.operation, GraphQLOperation) and not tool.operation.by_hand:
        return tuple(paths)  # held against the field map when the document is made of them
    schema = tool.output_schema
    problems = projection.check(paths, True if schema is None else schema)
    if problems:
        raise invalid(tool.name, problems)
    return tuple(paths)


def _page(
    tool: Tool, asked: Mapping[str, Any], names: Collection[str], key: Callable[[], bytes]
) -> tuple[PageRequest, Step | None]:
    if PAGE not in asked:
        return FIRST_PAGE, None
    request = pages.page_request(asked[PAGE])
    if isinstance(request, PageRequest) and not tool.effects.pure:
        request = Problem(f"/{PAGE}", PAGE, "is only for tools that read")
    if isinstance(request, Problem):
        raise invalid(tool.name, [request])
    if request.after is None:
        return request, None
    step = pages.step_of(request.after, key(), names, tool.name)
    if isinstance(step, Problem):
        raise invalid(tool.name, [step])
    return request, step
