"""However a call ends, it becomes one result without a credential in it, and one line of audit."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import cast

from ..audit import Record
from ..context import Progress
from ..errors import Outcome, ToolError
from ..policy import Waiting
from ..result import Telling, ToolResult
from ..session import Session
from ..shown.ours import FIELDS
from ..shown.redact import hide_in
from ..tool import Tool
from .failures import internal


class Ending:
    """The ends of one toolset's calls."""

    def __init__(self, tools: Mapping[str, Tool], session: Session) -> None:
        self.tools = tools
        self.session = session
        self._tellings: dict[str, Telling] = {}

    async def guarded(self, work: Awaitable[ToolResult], progress: Progress) -> ToolResult:
        """The result of a call's work. Raises nothing but the cancellation of its task."""
        import asyncio

        try:
            result = await work
        except ToolError as error:
            return self._failed(error, progress)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            ended = ToolError(f"{progress.tool}: cancelled from inside", outcome="cancelled")
            return self._failed(ended, progress)
        except Exception as error:  # noqa: BLE001 - the promise: an agent's call never raises
            return self._failed(internal(error), progress)
        if result.error is not None:
            return replace(self._failed(result.error, progress), data=result.data)
        metadata = {**result.metadata, **self.noted(progress)}
        return ToolResult(
            outcome=result.outcome,
            data=result.data,
            metadata=metadata,
            _telling=self._telling(progress.tool),
        )

    async def recorded(self, work: Awaitable[ToolResult], progress: Progress) -> ToolResult:
        """The result, once it is in the audit log; so is what ends a call without one."""
        try:
            result = await work
        except BaseException as end:
            self._record(progress, self._cut_off(progress, end), {})
            raise
        self._record(progress, result.outcome, result.metadata)
        return result

    def hidden(self, error: ToolError) -> ToolError:
        """The error without any credential of the toolset."""
        hide = self.session.credentials.hide
        return ToolError(
            hide(error.message),
            outcome=error.outcome,
            details=hide_in(error.details, hide),
            metadata=hide_in(error.metadata, hide),
        )

    def _failed(self, error: ToolError, progress: Progress) -> ToolResult:
        shown = self.hidden(
            ToolError(
                error.message,
                outcome=error.outcome,
                details=error.details,
                metadata={**error.metadata, **progress.metadata()},
            )
        )
        return ToolResult(outcome=shown.outcome, error=shown, metadata=shown.metadata)

    def noted(self, progress: Progress) -> dict[str, object]:
        """What the steps noted; a note may quote a server."""
        noted = progress.metadata()
        if progress.notes or progress.facts:
            return hide_in(noted, self.session.credentials.hide)
        return noted

    def _telling(self, name: str) -> Telling:
        telling = self._tellings.get(name)
        if telling is None:
            tool = self.tools.get(name)
            if tool is None:  # a helper; any name may be asked for, so none of these is kept
                return Telling(tool=name)
            telling = Telling(
                tool=name,
                has_fields=FIELDS in tool.offers,
                repeatable=tool.effects.pure,
                tokens=self.session.package.result_tokens,
            )
            self._tellings[name] = telling
        return telling

    def _cut_off(self, progress: Progress, end: BaseException) -> Outcome | None:
        """The outcome of a call that was not let to its end; None where it goes on later."""
        if isinstance(end, Waiting):
            return None
        tool = self.tools.get(progress.tool)
        is_in_doubt = progress.unanswered and tool is not None and tool.effects.consequential
        return "unknown_effect" if is_in_doubt else "cancelled"

    def _record(
        self, progress: Progress, outcome: Outcome | None, metadata: Mapping[str, object]
    ) -> None:
        audit, recording = self.session.audit, progress.context.recording
        if audit is None and recording is None:
            return
        record, hide = _record(progress, outcome, metadata), self.session.credentials.hide
        if audit is not None:
            audit.record(record, hide=hide)
        if recording is not None:
            recording.take(record, hide=hide, is_kept=audit is not None)


_SOURCES = {
    "recovered_by": "recovered",  # by a call of its own, whose id goes on from this one's
    "stale": "stale",
    "cached": "cached",
    "shared": "shared",
}


def _record(progress: Progress, outcome: Outcome | None, metadata: Mapping[str, object]) -> Record:
    decision, by = progress.decision, progress.decided_by
    if outcome is None:
        decision, by = "asked", ""
    elif outcome == "denied" and not decision:
        decision, by = "denied", "credentials"
    return Record(
        tool=progress.tool,
        arguments=progress.arguments,
        outcome=outcome,
        attempts=progress.attempts,
        run=progress.context.run,
        call=progress.context.call_id or "",
        principal=progress.principal,
        decision=decision,
        decided_by=by,
        status=cast("int | None", metadata.get("status")),
        elapsed=progress.elapsed,
        source=next((said for fact, said in _SOURCES.items() if metadata.get(fact)), ""),
    )
