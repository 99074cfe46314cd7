"""Chooses operations by patterns: `tag:issues`, `GET /repos/**`, `/repos/*`, `repos/get`.

In a path `*` is one segment or a part of one and `**` any number of them; in a tag, an
operationId, a key or a tool's name `*` is anything. `{` and `}` are themselves.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from .model import HttpCall, Operation

Test: TypeAlias = Callable[[Operation], bool]

_TAG = "tag:"
_PATH = re.compile(r"(?:(?P<method>[A-Za-z*]+)\s+)?(?P<path>/.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The chosen operations in their order, and the patterns that meant nothing."""

    operations: tuple[Operation, ...]
    unmatched: tuple[str, ...] = ()


def select(
    operations: Sequence[Operation],
    names: Mapping[str, str],
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Selection:
    """The operations that some `include` matches (all, without one) and no `exclude`.

    `names` are the tools' names by operation key.
    """
    kept = list(operations)
    unmatched: list[str] = []
    if include:
        matches = {pattern: _matching(pattern, operations, names) for pattern in include}
        unmatched += [pattern for pattern, keys in matches.items() if not keys]
        wanted = frozenset[str]().union(*matches.values())
        kept = [operation for operation in kept if operation.key in wanted]
    for pattern in exclude:
        gone = _matching(pattern, operations, names)
        unmatched += [] if gone else [pattern]
        kept = [operation for operation in kept if operation.key not in gone]
    return Selection(operations=tuple(kept), unmatched=tuple(dict.fromkeys(unmatched)))


def find(
    key: str, operations: Sequence[Operation], names: Mapping[str, str]
) -> tuple[Operation, ...]:
    """What a settings key names: a `METHOD path`, else an operationId, else a tool's name."""
    readings: tuple[Test, ...] = (
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


def _matching(
    pattern: str, operations: Sequence[Operation], names: Mapping[str, str]
) -> frozenset[str]:
    matches = _test(pattern.strip(), names)
    return frozenset(operation.key for operation in operations if matches(operation))


def _test(pattern: str, names: Mapping[str, str]) -> Test:
    if pattern.startswith(_TAG):
        tag = _glob(pattern.removeprefix(_TAG))
        return lambda operation: any(map(tag.fullmatch, operation.tags))
    path = _PATH.fullmatch(pattern)
    if path:
        return _path_test(path["method"] or "*", path["path"])
    name = _glob(pattern)
    return lambda operation: any(
        name.fullmatch(text)
        for text in (operation.operation_id, operation.key, names[operation.key])
        if text
    )


def _path_test(method: str, path: str) -> Test:
    methods, paths = _glob(method.upper()), _path_glob(path)

    def matches(operation: Operation) -> bool:
        call = operation.call
        return (
            isinstance(call, HttpCall)
            and methods.fullmatch(call.method) is not None
            and paths.fullmatch(call.path) is not None
        )

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
