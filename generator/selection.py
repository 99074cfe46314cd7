"""Chooses operations by patterns: `tag:issues`, `GET /repos/**`, `/repos/*`, `repos/get`.

In a path `*` is one segment or a part of one and `**` any number of them; in a tag, an
operationId, a key or a tool's name `*` is anything. `{` and `}` are themselves.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from .model.api import Operation
from .model.calls import HttpCall
from .model.findings import LeftOut


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What patterns look at, of an operation or of one that was left out."""

    key: str
    operation_id: str | None
    tags: tuple[str, ...]
    method: str = ""  # of an HTTP call; empty: the whole path is meant
    path: str = ""
    name: str = ""  # of the tool


Test: TypeAlias = Callable[[_Subject], bool]

_TAG = "tag:"
_PATH = re.compile(r"(?:(?P<method>[A-Za-z*]+)\s+)?(?P<path>/.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The chosen operations in their order, and the patterns that meant nothing."""

    operations: tuple[Operation, ...]
    left_out: tuple[LeftOut, ...] = ()
    unmatched: tuple[str, ...] = ()


def select(
    operations: Sequence[Operation],
    names: Mapping[str, str],
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
) -> Selection:
    """The operations that some `include` matches (all, without one) and no `exclude`.

    `names` are the tools' names by operation key. Those that were left out before are chosen in
    the same way, so that nobody is told of what was not asked for.
    """
    subjects = [_of_operation(one, names) for one in operations] + [*map(_of_left_out, left_out)]
    matches = {pattern: _matching(pattern, subjects) for pattern in (*include, *exclude)}
    wanted = frozenset[str]().union(*(matches[pattern] for pattern in include))
    unwanted = frozenset[str]().union(*(matches[pattern] for pattern in exclude))

    def kept(key: str) -> bool:
        return (not include or key in wanted) and key not in unwanted

    return Selection(
        operations=tuple(one for one in operations if kept(one.key)),
        left_out=tuple(one for one in left_out if kept(one.operation)),
        unmatched=tuple(pattern for pattern, keys in matches.items() if not keys),
    )


def find(
    key: str, operations: Sequence[Operation], names: Mapping[str, str]
) -> tuple[Operation, ...]:
    """What a settings key names: a `METHOD path`, else an operationId, else a tool's name."""
    readings: tuple[Callable[[Operation], bool], ...] = (
        lambda operation: operation.key == key,
        lambda operation: operation.operation_id == key,
        lambda operation: names[operation.key] == key,
    )
    for reads in readings:
        found = tuple(filter(reads, operations))
        if found:
            return found
    return ()


def nearest(text: str, known: Iterable[str]) -> str | None:
    """The known word most like a mistyped one, or None when none is like it."""
    lowered = {word.lower(): word for word in sorted(known)}
    import difflib  # for messages only

    close = difflib.get_close_matches(text.lower(), lowered, n=1, cutoff=0.6)
    return lowered[close[0]] if close else None


def spellings(operations: Sequence[Operation], names: Mapping[str, str]) -> set[str]:
    """Everything that `find` understands."""
    ids = {operation.operation_id for operation in operations if operation.operation_id}
    return ids | set(names.values()) | {operation.key for operation in operations}


def _of_operation(operation: Operation, names: Mapping[str, str]) -> _Subject:
    call = operation.call
    method, path = (call.method, call.path) if isinstance(call, HttpCall) else ("", "")
    return _Subject(
        key=operation.key,
        operation_id=operation.operation_id,
        tags=operation.tags,
        method=method,
        path=path,
        name=names[operation.key],
    )


def _of_left_out(gone: LeftOut) -> _Subject:
    """Its key says the method and path, or the path alone where that could not be read."""
    method, slash, path = gone.operation.partition("/")
    return _Subject(
        key=gone.operation,
        operation_id=gone.operation_id,
        tags=gone.tags,
        method=method.strip(),
        path=slash + path,
    )


def _matching(pattern: str, subjects: Sequence[_Subject]) -> frozenset[str]:
    matches = _test(pattern.strip())
    return frozenset(one.key for one in subjects if matches(one))


def _test(pattern: str) -> Test:
    if pattern.startswith(_TAG):
        tag = _glob(pattern.removeprefix(_TAG))
        return lambda one: any(map(tag.fullmatch, one.tags))
    path = _PATH.fullmatch(pattern)
    if path:
        return _path_test(path["method"] or "*", path["path"])
    name = _glob(pattern)
    return lambda one: any(
        name.fullmatch(text) for text in (one.operation_id, one.key, one.name) if text
    )


def _path_test(method: str, path: str) -> Test:
    methods, paths = _glob(method.upper()), _path_glob(path)

    def matches(one: _Subject) -> bool:
        method = not one.method or methods.fullmatch(one.method) is not None
        return method and paths.fullmatch(one.path) is not None

    return matches


@lru_cache(maxsize=256)
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)


@lru_cache(maxsize=256)
def _path_glob(pattern: str) -> re.Pattern[str]:
    segments = "".join(
        "(?:/.*)?" if segment == "**" else "/" + re.escape(segment).replace(r"\*", "[^/]*")
        for segment in pattern.split("/")[1:]
    )
    return re.compile(segments, re.DOTALL)
