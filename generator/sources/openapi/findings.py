"""What lowering has to tell: losses, operations left out, and warnings, each with its place."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from ...foreign import split
from ...model import LeftOut, Location, Loss, Warning
from ...pointers import Place, written

Where: TypeAlias = "Place | Location"
"""A place that is being read, or the location of what was read before."""


class LoweringProblem(Exception):
    """One operation cannot become a tool: it is left out, the document goes on."""

    def __init__(self, place: Where, why: str) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


class Findings:
    """Collects in the order of discovery; what is found twice is told once."""

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
        self._operation = ""
        self._losses: dict[Loss, None] = {}
        self._warnings: dict[Warning, None] = {}
        self._left_out: list[LeftOut] = []

    @property
    def losses(self) -> tuple[Loss, ...]:
        return tuple(self._losses)

    @property
    def warnings(self) -> tuple[Warning, ...]:
        return tuple(self._warnings)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        return tuple(self._left_out)

    def location(self, place: Where) -> Location:
        """A place of the description as the model keeps it: in the file where it stands."""
        if isinstance(place, Location):
            return place
        home, pointer = split(self._origin(self._original(written(place))))
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
        loss = Loss(operation=self._operation, location=self.location(place), what=what)
        self._losses[loss] = None

    def warn(self, place: Where, text: str) -> None:
        """Something worth telling that costs nothing."""
        self._warnings[Warning(location=self.location(place), text=text)] = None

    def leave_out(self, operation: str, problem: LoweringProblem) -> None:
        """An operation did not become a tool; what it lost before does not matter any more."""
        self._losses = {loss: None for loss in self._losses if loss.operation != operation}
        self._left_out.append(
            LeftOut(operation=operation, location=self.location(problem.place), why=problem.why)
        )

    @contextmanager
    def within(self, operation: str) -> Generator[None]:
        """Losses found meanwhile belong to this operation; `""` is what operations share."""
        outer, self._operation = self._operation, operation
        try:
            yield
        finally:
            self._operation = outer
