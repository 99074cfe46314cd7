"""What became of each operation: made, made with a loss, or left out.

`generate --json` prints a report, the lock commits its lists.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from .model import Catalogue, LeftOut, Loss, Warning

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """What a tool's advertised schema leaves to `describe_type` to fit its budget; no loss."""

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

    def lists(self) -> dict[str, list[dict[str, Any]]]:
        """`lossy`, `left_out` and `trimmed` as plain data."""
        return {
            "lossy": [
                {"operation": loss.operation, "pointer": loss.location.pointer, "what": loss.what}
                for loss in self.lossy
            ],
            "left_out": [
                {"operation": gone.operation, "pointer": gone.location.pointer, "why": gone.why}
                for gone in self.left_out
            ],
            "trimmed": [
                {"operation": cut.operation, "pointers": list(cut.pointers)} for cut in self.trimmed
            ],
        }

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


def report(catalogue: Catalogue, package: str) -> Report:
    """Everything that came with a catalogue, each thing once."""
    api = catalogue.api
    return Report(
        package=package,
        operations=api.operation_count,
        tools=len(catalogue.tools),
        lossy=_once([*api.losses, *catalogue.losses]),
        left_out=_once([*api.left_out, *catalogue.left_out]),
        trimmed=tuple(
            Trimmed(operation=tool.operation.key, pointers=tool.trimmed)
            for tool in catalogue.tools
            if tool.trimmed
        ),
        warnings=_once([*api.warnings, *catalogue.warnings]),
    )


def _once(notes: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(notes))
