"""What became of each operation: made, made with a loss, or left out.

`generate --json` prints a report, the lock commits its lists.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeVar

from .errors import describe, one_line
from .model.calls import GraphQLCall
from .model.catalogue import Catalogue, Tool
from .model.findings import LeftOut, Loss, Warning
from .model.nodes import Location
from .reading.addresses import is_url

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """What a tool leaves to `describe_type`, or of a result to `_fields`, to fit a budget; no loss."""

    operation: str
    pointers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How one package came out."""

    package: str
    operations: int  # in the document
    tools: int
    lossy: tuple[Loss, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    trimmed: tuple[Trimmed, ...] = ()
    warnings: tuple[Warning, ...] = ()
    source: str = ""  # the file that pointers are in unless another is named
    place: Callable[[Location], str] = field(default=describe, compare=False, repr=False)
    # ^ how a location is told: with its line, where the document is at hand

    @property
    def lost(self) -> bool:
        """Whether something of the description did not reach the package."""
        return bool(self.lossy or self.left_out)

    def lists(self) -> dict[str, list[dict[str, Any]]]:
        """`lossy`, `left_out` and `trimmed` as plain data."""
        return {
            "lossy": [
                {"operation": loss.operation, **self._pointer(loss.location), "what": loss.what}
                for loss in self.lossy
            ],
            "left_out": [
                {"operation": gone.operation, **self._pointer(gone.location), "why": gone.why}
                for gone in self.left_out
            ],
            "trimmed": [
                {"operation": cut.operation, "pointers": list(cut.pointers)} for cut in self.trimmed
            ],
        }

    def _pointer(self, location: Location) -> dict[str, str]:
        """A place as the lock may say it: another file by its path from the source's folder."""
        if location.file == self.source or not self.source:
            return {"pointer": location.pointer}
        return {"file": beside(location.file, self.source), "pointer": location.pointer}

    def as_json(self, *, files: int, seconds: float) -> dict[str, Any]:
        """The shape that `generate --json` promises."""
        return {
            "package": self.package,
            "operations": self.operations,
            "tools": self.tools,
            **self.lists(),
            "files": files,
            "seconds": round(seconds, 3),
        }


def beside(file: str, source: str) -> str:
    """A file's path from the folder of another, or its own name where there is none."""
    if is_url(file) or is_url(source):
        return file if is_url(file) else PurePath(file).name
    return PurePath(os.path.relpath(file, os.path.dirname(source) or ".")).as_posix()


def report(
    catalogue: Catalogue, package: str, place: Callable[[Location], str], source: str = ""
) -> Report:
    """Everything that came with a catalogue, each thing once."""
    return Report(
        package=package,
        operations=catalogue.api.operation_count,
        tools=len(catalogue.tools),
        lossy=_once(catalogue.losses),
        left_out=_once(catalogue.left_out),
        trimmed=tuple(
            Trimmed(operation=tool.operation.key, pointers=pointers)
            for tool in catalogue.tools
            if (pointers := (*tool.trimmed, *_beyond(tool)))
        ),
        warnings=_once(catalogue.warnings),
        place=place,
        source=source,
    )


def _beyond(tool: Tool) -> tuple[str, ...]:
    """The places of a GraphQL result that its document leaves to `_fields`."""
    call = tool.operation.call
    if not isinstance(call, GraphQLCall):
        return ()
    return tuple(f"/result/{path.replace('.', '/')}" for path in call.beyond)


MOST = 20
"""How many notes of a kind are told to a person; the lock has all."""


def problems(report: Report) -> Iterator[str]:
    """A line for what was left out, lost or doubtful: where, what, and that there is more."""
    gone = [(one.location, f"{one.operation}: {one.why}") for one in report.left_out]
    yield from _told("left out", gone, report.place)
    yield from _told("loss", _shared_losses(report.lossy), report.place)
    doubts = [(one.location, one.text) for one in report.warnings]
    yield from _told("warning", doubts, report.place)


def _shared_losses(losses: Iterable[Loss]) -> list[tuple[Location, str]]:
    """Each loss once, with the number of operations where it is that of several."""
    counts = Counter((loss.location, loss.what) for loss in losses)
    return [
        (location, what if count == 1 else f"{what} (for {count} operations)")
        for (location, what), count in counts.items()
    ]


def _told(
    kind: str, notes: Sequence[tuple[Location, str]], place: Callable[[Location], str]
) -> Iterator[str]:
    for location, text in notes[:MOST]:
        yield one_line(f"{kind}: {place(location)}: {text}")
    if len(notes) > MOST:
        rest = " of the same kinds" if kind == "warning" else "; toolmint.lock lists them"
        yield f"{kind}: … and {len(notes) - MOST} more{rest}."


def _once(notes: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(notes))


def counted(number: int, thing: str) -> str:
    """`1 tool`, `3 tools`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
