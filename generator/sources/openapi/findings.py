"""What lowering has to tell: losses, operations left out, and warnings, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from ...model.findings import LeftOut, Loss, Warning
from ...model.nodes import Location
from ...pointers import Place, written
from ...reading.foreign import split
from .reached import Part, Reached

Where: TypeAlias = "Place | Location"
"""A place that is being read, or the location of what was read before."""


class LoweringProblem(Exception):
    """One operation cannot become a tool: it is left out, the document goes on."""

    def __init__(self, place: Where, why: str) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


@dataclass(frozen=True, slots=True)
class Lost:
    """What an operation lost by being moved: its key, where that was written, and what it is."""

    operation: str
    pointer: str
    what: str


class Findings:
    """Collects in the order of discovery; what is found twice is told once.

    What is found in a part that operations share belongs to each operation that reaches it.
    """

    def __init__(
        self,
        file: str,
        origins: Mapping[str, str] | None = None,
        name: Callable[[str], str] = str,
        origin: Callable[[str], str] = str,
    ) -> None:
        """`origins`: where things stand in the document that were moved to be read.

        `name` gives the file's name of another document by its key; `origin` gives the place
        where something was written that an overlay may have brought.
        """
        self._origin = origin
        self._file = file
        self._name = name
        self._origins = origins or {}
        self._reader: str | Part = ""  # what is being read: an operation, a part, the document
        self._operations: dict[str, None] = {}
        self._reached = Reached()
        self._losses: dict[_Note, None] = {}
        self._warnings: dict[_Note, None] = {}
        self._left_out: list[LeftOut] = []

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Each for every operation that it befell."""
        whose = self._whose(self._losses)
        return tuple(
            dict.fromkeys(
                Loss(operation=operation, location=note.location, what=note.text)
                for note in self._losses
                for operation in whose[note.reader]
            )
        )

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Each once, with all the operations that it is about."""
        whose = self._whose(self._warnings)
        about: dict[tuple[Location, str], dict[str, None]] = {}
        for note in self._warnings:
            if whose[note.reader]:
                known = about.setdefault((note.location, note.text), {})
                known.update(dict.fromkeys(whose[note.reader]))
        return tuple(
            Warning(location=location, text=text, operations=() if "" in keys else tuple(keys))
            for (location, text), keys in about.items()
        )

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        return tuple(self._left_out)

    def location(self, place: Where) -> Location:
        """A place of the description as the model keeps it: in the file where it stands."""
        if isinstance(place, Location):
            return place
        return self._at(self._original(written(place)))

    def _at(self, pointer: str) -> Location:
        """The location of a pointer as the document was written."""
        home, pointer = split(self._origin(pointer))
        return Location(file=self._name(home) if home else self._file, pointer=pointer)

    def _original(self, pointer: str) -> str:
        """The pointer in the document: what was moved lies below its longest known prefix."""
        if not self._origins:
            return pointer
        prefix, rest = pointer, ""
        while prefix:
            if prefix in self._origins:
                return self._origins[prefix] + rest
            prefix, _, token = prefix.rpartition("/")
            rest = f"/{token}{rest}"
        return pointer

    def lose(self, place: Where, what: str) -> None:
        """Something the description says is not carried by the operation at hand."""
        self._losses[_Note(self._reader, self.location(place), what)] = None

    def lose_all(self, lost: Iterable[Lost]) -> None:
        """What was lost before anything was read."""
        for one in lost:
            with self.within(one.operation):
                self.lose(self._at(one.pointer), one.what)

    def warn(self, place: Where, text: str) -> None:
        """Something worth telling that costs nothing."""
        self._warnings[_Note(self._reader, self.location(place), text)] = None

    def leave_out(
        self,
        operation: str,
        problem: LoweringProblem,
        *,
        operation_id: str | None = None,
        tags: tuple[str, ...] = (),
    ) -> None:
        """An operation did not become a tool; what it lost before does not matter any more."""
        self._losses = {note: None for note in self._losses if note.reader != operation}
        self._warnings = {note: None for note in self._warnings if note.reader != operation}
        self._operations.pop(operation, None)
        self._left_out.append(
            LeftOut(
                operation=operation,
                location=self.location(problem.place),
                why=problem.why,
                operation_id=operation_id,
                tags=tags,
            )
        )

    @contextmanager
    def within(self, reader: str | Part) -> Generator[None]:
        """What is found meanwhile belongs to this operation, or to this shared part."""
        if isinstance(reader, str):
            self._operations.setdefault(reader)
        outer, self._reader = self._reader, reader
        try:
            yield
        finally:
            self._reader = outer

    def reach(self, part: Part) -> None:
        """What is read now uses a part, which may have been read long ago."""
        self._reached.add(self._reader, part)

    def _whose(self, notes: Iterable[_Note]) -> Mapping[str | Part, tuple[str, ...]]:
        """The operations of each reader that has notes; `""` is the whole document."""
        readers = dict.fromkeys(note.reader for note in notes)
        parts = [reader for reader in readers if isinstance(reader, tuple)]
        owners = self._reached.owners(("", *self._operations), parts)
        return {
            reader: _whole(owners[reader]) if isinstance(reader, tuple) else (reader,)
            for reader in readers
        }


def _whole(owners: tuple[str, ...]) -> tuple[str, ...]:
    """What belongs to the document belongs to no single operation."""
    return ("",) if "" in owners else owners


@dataclass(frozen=True, slots=True)
class _Note:
    """Something found, and what was being read."""

    reader: str | Part
    location: Location
    text: str
