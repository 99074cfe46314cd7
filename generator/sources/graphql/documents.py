"""Prints a document: one field a line, so that a fault's line names the field."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .selection.picks import Pick, Picks

_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable of a document; `default` as GraphQL writes it."""

    name: str
    type: str
    default: str | None = None

    @property
    def declared(self) -> str:
        """How the operation declares it."""
        ending = "" if self.default is None else f" = {self.default}"
        return f"${self.name}: {self.type}{ending}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a document says: one operation, its variables, and what it selects."""

    kind: str
    name: str
    variables: tuple[Variable, ...]
    picks: Picks


@dataclass(frozen=True, slots=True)
class Printed:
    """A document's text, and for each of its lines (from 1) the path of keys it selects."""

    text: str
    places: dict[int, tuple[str, ...]]


def printed(request: Request) -> Printed:
    """The document of a request."""
    lines: list[str] = []
    places: dict[int, tuple[str, ...]] = {}
    lines.extend(_heading(request.kind, request.name, request.variables))
    for text, place in _selection(request.picks, 1, ()):
        lines.append(text)
        places[len(lines)] = place
    return Printed("\n".join([*lines, "}", ""]), places)


def _heading(kind: str, name: str, variables: Sequence[Variable]) -> list[str]:
    declared = [variable.declared for variable in variables]
    flat = f"{kind} {name}({', '.join(declared)}) {{" if declared else f"{kind} {name} {{"
    if len(flat) <= _WIDTH:
        return [flat]
    return [f"{kind} {name}(", *(f"  {one}" for one in declared), ") {"]


def _selection(
    picks: Picks, indent: int, place: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    margin = "  " * indent
    if picks.typename:
        yield f"{margin}__typename", (*place, "__typename")
    for pick in picks.fields:
        yield from _field(pick, indent, place)
    for fragment in picks.fragments:
        inside = (*place, f"... on {fragment.type.name}")
        yield f"{margin}... on {fragment.type.name} {{", inside
        yield from _selection(fragment, indent + 1, inside)
        yield f"{margin}}}", inside


def _field(
    pick: Pick, indent: int, place: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    margin, here = "  " * indent, (*place, pick.key)
    name = f"{pick.alias}: {pick.field.name}" if pick.alias else pick.field.name
    given = ", ".join(f"{key}: {value}" for key, value in pick.arguments)
    head = f"{margin}{name}({given})" if given else f"{margin}{name}"
    ending = " {" if pick.below is not None else ""
    if len(head) + len(ending) > _WIDTH and pick.arguments:
        yield f"{margin}{name}(", here
        for key, value in pick.arguments:
            yield f"{margin}  {key}: {value}", here
        yield f"{margin}){ending}", here
    else:
        yield f"{head}{ending}", here
    if pick.below is not None:
        yield from _selection(pick.below, indent + 1, here)
        yield f"{margin}}}", here
