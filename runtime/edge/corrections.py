"""How often a model is asked to correct a call, before it is told to stop."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from ..errors import ToolError

MOST_COUNTED = 4096  # tools of runs


class Corrections:
    """Counts the bad calls of a tool in a row, for each run. Safe for threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._lock = Lock()

    def asked(self, run: str, tool: str, error: ToolError) -> ToolError:
        """The error as the model is told: how to go on, or that it must not.

        The places, reasons and sub-schemas stay with it as long as they help.
        """
        count = self._count(run, tool)
        left = max(0, self._most - count)
        if count > self._most:
            text = (
                f"{tool}: bad arguments {count} times in a row. "
                "Do not call it again: go on without it, and say what is missing"
            )
        else:
            text = f"{error.message}\nCorrect these and call {tool} again ({count}/{self._most})."
        return ToolError(
            text,
            outcome=error.outcome,
            details=error.details,
            metadata={**error.metadata, "corrections_left": left},
        )

    def cleared(self, run: str, tool: str) -> None:
        """A call of the tool was valid."""
        if self._counts:
            with self._lock:
                self._counts.pop((run, tool), None)

    def _count(self, run: str, tool: str) -> int:
        with self._lock:
            count = self._counts.pop((run, tool), 0) + 1
            self._counts[run, tool] = count
            if len(self._counts) > MOST_COUNTED:
                self._counts.popitem(last=False)
            return count
