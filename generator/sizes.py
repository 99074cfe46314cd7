"""Measures schemas part by part, so that a budget can be spent without printing them again.

Sizes are bytes of compact JSON and never too low: commas are not counted as saved.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from ..runtime.shown.advertise import stub
from ..runtime.shown.closure import children, is_node, target
from ..runtime.shown.sentences import brief
from ..runtime.shown.tokens import size

Path: TypeAlias = tuple[str, ...]
"""A JSON pointer, unescaped."""

_EXAMPLES = frozenset(("$comment", "example", "examples", "externalDocs", "xml"))
_LABELS = frozenset(("default", "deprecated", "description", "title"))
_DEEP = frozenset(
    ("allOf", "anyOf", "if", "oneOf", "patternProperties", "prefixItems", "properties")
)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a schema can do without, and how many bytes go with it."""

    rank: int  # 0 examples, 1 long descriptions, 2 labels of optional parts, 3 their enums
    saved: int
    path: Path

    @property
    def order(self) -> tuple[int, int, Path]:
        """The lower rank goes first, then the bigger note."""
        return (self.rank, -self.saved, self.path)


@dataclass(frozen=True, slots=True)
class Deep:
    """A part of a schema that may stand as a stub."""

    path: Path
    schema: Mapping[str, Any]
    required: bool
    stub: int  # bytes of the stub


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A schema without examples and long texts, whose deep parts are stubs."""

    size: int
    notes: tuple[Note, ...]  # what was left out
    spare: tuple[Note, ...]  # what could be left out besides
    deep: tuple[Deep, ...]
    references: Mapping[str, bool]  # names of definitions, and whether a required part needs them


def notes(schema: Any, path: Path = ()) -> list[Note]:
    """The examples and long descriptions of a schema, at every depth."""
    found: list[Note] = []
    waiting: list[tuple[Path, Any]] = [(path, schema)] if is_node(schema) else []
    while waiting:
        place, node = waiting.pop()
        found.extend(_own_notes(node, place))
        waiting.extend((place + step, child) for step, child in children(node))
    return found


def part(schema: Any, definitions: Mapping[str, Any]) -> Part:
    """A schema as far as its deep parts."""
    left = size(schema)
    out: list[Note] = []
    spare: list[Note] = []
    deep: list[Deep] = []
    references: dict[str, bool] = {}
    waiting: list[tuple[Path, Any, bool]] = [((), schema, True)]
    while waiting:
        path, node, required = waiting.pop()
        if not is_node(node):
            continue
        out.extend(_own_notes(node, path))
        if not required:
            spare.extend(_own_spare(node, path))
        name = target(node)
        if name is not None:
            references[name] = references.get(name, False) or required
        for step, child, needed in _steps(node, required):
            if _DEEP.isdisjoint(child) or (gain := _gain(child, definitions)) is None:
                waiting.append((path + step, child, needed))
            else:
                left -= gain[0]
                deep.append(Deep(path + step, child, needed, gain[1]))
    return Part(
        size=left - sum(note.saved for note in out),
        notes=tuple(out),
        spare=tuple(spare),
        deep=tuple(deep),
        references=references,
    )


def _gain(schema: Any, definitions: Mapping[str, Any]) -> tuple[int, int] | None:
    """What a stub saves, and its size; None when it saves nothing."""
    short = size(stub(schema, definitions))
    saved = size(schema) - short
    return (saved, short) if saved > 0 else None


def _steps(node: Mapping[str, Any], required: bool) -> Iterator[tuple[Path, Any, bool]]:
    """The schemas below a schema, and whether a call cannot do without them."""
    names: Sequence[str] = node.get("required", ())
    for step, child in children(node):
        if step[0] == "properties":
            yield step, child, required and step[1] in names
        else:
            yield (
                step,
                child,
                required and step[0] not in ("additionalProperties", "patternProperties"),
            )


def _own_notes(node: Mapping[str, Any], path: Path) -> Iterator[Note]:
    for keyword, value in node.items():
        if keyword in _EXAMPLES or keyword.startswith("x-"):
            yield Note(0, _entry(keyword, value), (*path, keyword))
        elif keyword == "description" and (saved := _shortened(value)) is not None:
            yield Note(1, saved, (*path, keyword))


@lru_cache(maxsize=4096)  # an Api describes its common parameters once an operation
def _shortened(text: str) -> int | None:
    """The bytes that go when a description becomes its first sentence; None where it is one."""
    short = brief(text)
    return None if short == text else size(text) - size(short)


def _own_spare(node: Mapping[str, Any], path: Path) -> Iterator[Note]:
    for keyword, value in node.items():
        if keyword == "description":
            yield Note(2, _entry(keyword, brief(value)), (*path, keyword))
        elif keyword in _LABELS:
            yield Note(2, _entry(keyword, value), (*path, keyword))
        elif keyword == "enum":
            yield Note(3, _entry(keyword, value), (*path, keyword))


def _entry(keyword: str, value: Any) -> int:
    return size(keyword) + 1 + size(value)
