"""Names the tools; the rule is wire.md's: an operationId in snake_case, or verb and noun.

A name depends on its own operation and on those it collides with, never on the order.
"""

import hashlib
import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, assert_never

from ..runtime.shown.closure import is_node, target
from .model.api import Operation
from .model.calls import GraphQLCall, HttpCall
from .model.findings import Warning
from .model.nodes import Schema
from .words import singular, snake, words

Naming: TypeAlias = Literal["operation_id", "verb_noun"]

NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
"""What every name matches whole: the strictest of the providers' rules."""

_LONGEST = 64
_LONGEST_STEM = 50  # leaves room for `_subscription`
_RESERVED = re.compile(r"describe_type|load_\w+_tools")  # helpers that a toolset adds
_VERBS = {"GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update"}
_PIECE = re.compile(r"(\{[^{}]*\})|/")
_PAGING_WORDS = """
after before cursor limit marker max_results next_token offset page page_number page_size
page_token per_page skip start starting_after top
"""
_PAGING = frozenset(_PAGING_WORDS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The tool's name of each operation, by its key."""

    by_key: Mapping[str, str]
    warnings: tuple[Warning, ...] = ()


def tool_names(
    operations: Sequence[Operation],
    *,
    naming: Naming = "operation_id",
    chosen: Mapping[str, str] | None = None,
    results: Mapping[str, Schema] | None = None,
) -> Names:
    """A unique name for every operation.

    `chosen` are names that the user gave, by operation key: they are kept, and others make
    way. `results` are the definitions that output schemas refer to.
    """
    chosen = chosen or {}
    stems = {
        operation.key: chosen.get(operation.key) or _stem(operation, naming, results or {})
        for operation in operations
    }
    groups = _groups(operations, stems)
    names: dict[str, str] = {}
    warnings: list[Warning] = []
    for stem, group in groups.items():
        free = [operation for operation in group if operation.key not in chosen]
        if len(group) == 1 and len(stem) <= _LONGEST and not is_reserved(stem):
            free = []
        names.update({operation.key: stem for operation in group})
        names.update(_apart(stem, free))
        if free:
            warnings.append(_warning(stem, group, free, names))
    return Names(by_key=_unique(names), warnings=tuple(warnings))


def is_reserved(name: str) -> bool:
    """Whether a toolset keeps a name for its helpers."""
    return _RESERVED.fullmatch(name) is not None


def verb_noun(call: HttpCall, *, many: bool = False) -> str:
    """A name made of the method and the literal segments of the path.

    `many` says that the result is a list or a page of one.
    """
    pieces = [piece for piece in _PIECE.split(call.path) if piece]
    ends_in_parameter = bool(pieces) and pieces[-1].startswith("{")
    verb = _VERBS.get(call.method, snake(call.method) or "call")
    if call.method == "GET" and many and not ends_in_parameter:
        verb = "list"
    nouns = [verb]
    for index, piece in enumerate(pieces):
        if piece.startswith("{"):
            continue
        spoken = words(piece)
        last = index == len(pieces) - 1
        before_parameter = not last and pieces[index + 1].startswith("{")
        if spoken and (before_parameter or (last and call.method == "POST")):
            spoken[-1] = singular(spoken[-1])
        nouns.extend(spoken)
    return "_".join(nouns)


def _stem(operation: Operation, naming: Naming, results: Mapping[str, Schema]) -> str:
    """The name of an operation on its own; it may be too long."""
    named = operation.operation_id or ""
    match operation.call:
        case GraphQLCall():
            stem = snake(named.partition(".")[2] or named) or snake(operation.key)
        case HttpCall() as call:
            stem = snake(named) if naming == "operation_id" else ""
            stem = stem or verb_noun(call, many=_is_many(operation, results))
        case _:
            assert_never(operation.call)
    return _spelled(stem)


def _spelled(stem: str) -> str:
    if not stem or stem[0].isdigit():
        return f"op_{stem}".rstrip("_")
    return f"{stem}_" if keyword.iskeyword(stem) else stem


def _is_many(operation: Operation, results: Mapping[str, Schema]) -> bool:
    """Whether an operation answers with an array, or with a page of one."""
    schema = _resolved(operation.output_schema, results)
    if _has_type(schema, "array"):
        return True
    members: Mapping[str, Any] = schema.get("properties", {})
    has_list = any(_has_type(_resolved(member, results), "array") for member in members.values())
    return has_list and _is_paged(operation)


def _is_paged(operation: Operation) -> bool:
    asked = {snake(argument.name) for argument in operation.arguments}
    return not asked.isdisjoint(_PAGING) or any(
        key.endswith("pageable") for key in operation.extensions
    )


def _resolved(schema: Any, results: Mapping[str, Schema]) -> Mapping[str, Any]:
    for _ in range(8):  # a chain of references may be a ring
        if not is_node(schema):
            break
        name = target(schema)
        if name is None:
            return schema
        schema = results.get(name)
    return {}


def _has_type(schema: Mapping[str, Any], kind: str) -> bool:
    kinds = schema.get("type")
    return kinds == kind or (isinstance(kinds, list) and kind in kinds)


# ── keeping names apart ─────────────────────────────────────────────────────────────


def _groups(
    operations: Iterable[Operation], stems: Mapping[str, str]
) -> dict[str, list[Operation]]:
    groups: dict[str, list[Operation]] = {}
    for operation in operations:
        groups.setdefault(stems[operation.key], []).append(operation)
    return groups


def _apart(stem: str, group: Sequence[Operation]) -> dict[str, str]:
    kinds = [operation.call.kind for operation in group if isinstance(operation.call, GraphQLCall)]
    if len(kinds) == len(set(kinds)) == len(group) > 1 and len(stem) <= _LONGEST_STEM:
        return {
            operation.key: f"{stem}_{kind}" for operation, kind in zip(group, kinds, strict=True)
        }
    return {operation.key: _suffixed(stem, operation.key) for operation in group}


def _suffixed(stem: str, key: str, digits: int = 6) -> str:
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{stem[: _LONGEST - 1 - digits]}_{digest[:digits]}"


def _unique(names: Mapping[str, str]) -> dict[str, str]:
    """The names, once more apart: somebody may have called an operation like another's hash."""
    counts = Counter(names.values())
    return {
        key: name if counts[name] == 1 else _suffixed(name, key, 12) for key, name in names.items()
    }


def _warning(
    stem: str, group: Sequence[Operation], free: Sequence[Operation], names: Mapping[str, str]
) -> Warning:
    first = free[0]
    given = ", ".join(names[operation.key] for operation in free)
    if len(group) > 1:
        others = ", ".join(operation.key for operation in group)
        why = f'"{stem}" would name {len(group)} tools ({others})'
    elif is_reserved(stem):
        why = f'"{stem}" is kept for a helper'
    else:
        why = f'"{stem}" is longer than {_LONGEST} characters'
    text = f'{why}; named {given}. Choose with tools."{first.key}".name.'
    return Warning(location=first.location, text=text)
