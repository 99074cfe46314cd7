"""The calls of one turn: each comes to exactly one outcome, told to the model in its order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from copy import deepcopy

from ...auth.acting import acting_for
from ..errors import Outcome, ToolError
from ..gates.questions import Question
from ..gates.rule_of_two import powers
from ..policy import Waiting
from ..result import ToolResult
from ..tool import unknown_tool
from .conversation import Observation, ToolCall
from .middleware import Invocation, Terminate, invoke, result_of
from .run import Run
from .run_context import AgentTool
from .steps import Executed, Kind, Step
from .waiting import until_ended


class Batch:
    """Calls that a model asked for at once. `offered` are the tools that it could call.

    `done` holds the outcomes that are known already, of calls that ran before a pause.
    """

    def __init__(
        self,
        run: Run,
        calls: Sequence[ToolCall],
        offered: Mapping[str, AgentTool],
        done: Mapping[str, Observation] | None = None,
    ) -> None:
        self.calls = calls
        self.offered = offered
        self.done = dict(done or {})
        self.questions: list[Question] = []
        self.terminated: Terminate | None = None
        self._run = run
        self._reserved: dict[str, bool] = {}
        self._begun: set[str] = set()

    def kinds(self) -> tuple[Kind, ...]:
        """What each call is, known before any of them runs."""
        return tuple(self._kind(call) for call in self.calls)

    def reserve(self) -> None:
        """Take the whole batch from the budget, before any of it runs."""
        allowed = self._run.breaker.reserve(self.calls)
        self._reserved = {call.id: may for call, may in zip(self.calls, allowed, strict=True)}

    def skip(self, why: str) -> list[Executed]:
        """Run none of the calls."""
        return [self._settle(call, _ended(call, "skipped", why), by="loop") for call in self.calls]

    async def steps(self) -> AsyncGenerator[Step]:
        """Run the calls, and tell what happens as it happens.

        When it is left early, the calls that still run are cancelled and awaited.
        """
        queue: asyncio.Queue[Step | None] = asyncio.Queue()
        self._run.tell = queue.put_nowait
        work = asyncio.create_task(self._all())
        work.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (step := await queue.get()) is not None:
                yield step
            await work
        finally:
            work.cancel()
            try:
                await until_ended([work])
            finally:
                if work.cancelled():
                    self._abandon()

    def observations(self) -> list[Observation]:
        """The outcomes in the model's order; what still waits for an answer gets none."""
        for call in self.calls:
            if call.id not in self.done:
                text = "the run ended before it was approved"
                self._settle(call, _ended(call, "skipped", text), by="middleware")
        return [self.done[call.id] for call in self.calls]

    # ── inside ──────────────────────────────────────────────────────────────────────

    def _kind(self, call: ToolCall) -> Kind:
        tool = self.offered.get(call.name)
        if tool is None:
            return "unknown"
        return "pure" if tool.effects.pure else "consequential"

    async def _all(self) -> None:
        for call in self.calls:
            if not self._reserved.get(call.id, True):
                self._settle(call, self._skipped(call), by="breaker")
        waiting = [call for call in self.calls if call.id not in self.done]
        slots = asyncio.Semaphore(self._run.parallel)
        tasks = {
            asyncio.create_task(self._one(call, self.offered[call.name], slots)): call
            # What only reads comes first, so that it never waits behind an approval.
            for call in sorted(waiting, key=lambda call: self._kind(call) == "consequential")
            if call.name in self.offered
        }
        if tasks:
            await self._finished(tasks)
        for call in waiting:  # last, when it is known which tools the others added
            if call.name not in self.offered:
                is_none = self._run.choice.mode == "none"
                self._settle(call, self._unknown(call), by="tool_choice" if is_none else "")

    def _abandon(self) -> None:
        """Each call has one outcome, also where nobody is left to hear it."""
        for call in self.calls:
            if call.id not in self.done:
                self._settle(call, self._stopped(call, "the run was cancelled"))

    async def _finished(self, tasks: Mapping[asyncio.Task[None], ToolCall]) -> None:
        """Wait for calls, as long as the run has time; none of them goes on after this."""
        breaker = self._run.breaker
        try:
            _, late = await asyncio.wait(tasks, timeout=breaker.seconds_left())
        finally:
            for task in tasks:
                task.cancel()
            await until_ended(tasks)
        if late:
            breaker.out_of_time()
        for task, call in tasks.items():
            if task.cancelled():
                why = "the time was up" if task in late else "it cancelled itself"
                self._settle(call, self._stopped(call, why))
            else:
                task.result()  # a fault of ours must not pass in silence

    async def _one(self, call: ToolCall, tool: AgentTool, slots: asyncio.Semaphore) -> None:
        context = self._run.context.of_call(call.id)
        async with slots:
            self._begun.add(call.id)
            # Middleware may change the arguments; what the model said stays as it was.
            given = Invocation(tool, deepcopy(call.arguments), context)
            try:
                with acting_for(context.call.principal):
                    result = await invoke(given, self._run.middleware)
            except Waiting as waiting:
                self.questions.append(waiting.question)
                self._run.journal.asked(call, waiting.question.arguments)
                return
            except Terminate as end:
                self.terminated = self.terminated or end
                result = result_of(end) or _ended(call, "skipped", str(end))
        if given.ran and result.outcome not in ("denied", "invalid_arguments"):
            self._run.gates.held |= powers(tool.effects, tool.gate)  # whichever policy allowed it
        elif result.success:  # it was read, though a middleware answered
            self._run.gates.held |= frozenset(tool.gate.reads)
        self._settle(call, result, by="" if given.ran else "middleware")

    def _settle(self, call: ToolCall, result: ToolResult, *, by: str = "") -> Executed:
        """Tell of the one outcome of a call; `by` made it where neither tool nor policy did."""
        self._run.journal.settled(call, result.outcome, by)
        text = result.to_message()
        self.done[call.id] = Observation(call.id, call.name, text, failed=not result.success)
        executed = Executed(call, result, text, self._run.powers)
        self._run.executed.append(executed)
        self._run.tell(executed)
        return executed

    # ── outcomes of calls that did not run to their end ─────────────────────────────

    def _skipped(self, call: ToolCall) -> ToolResult:
        return _ended(call, "skipped", f"the run ended before it: {self._run.breaker.sentence}")

    def _stopped(self, call: ToolCall, why: str) -> ToolResult:
        """A call that was cancelled: what may have reached a server must not pass for undone."""
        if call.id not in self._begun:
            return _ended(call, "skipped", f"the run ended before it: {why}")
        journal = self._run.journal
        may_have_acted = journal.is_allowed(call) and self._kind(call) == "consequential"
        outcome = journal.outcome(call) or ("unknown_effect" if may_have_acted else "cancelled")
        doubt = "; it may have taken effect" if outcome == "unknown_effect" else ""
        return _ended(call, outcome, f"it was stopped: {why}{doubt}")

    def _unknown(self, call: ToolCall) -> ToolResult:
        if self._run.choice.mode == "none":
            return _ended(call, "denied", "no tool may be called in this run: tool_choice is none")
        if self._run.tools.get(call.name) is not None:
            text = "it was added in this very turn; call it from the next turn on"
            return _ended(call, "unknown_tool", text)
        error = unknown_tool(call.name, list(self.offered))
        return ToolResult(outcome=error.outcome, error=error)


def _ended(call: ToolCall, outcome: Outcome, text: str) -> ToolResult:
    error = ToolError(f"{call.name[:80]}: {text}", outcome=outcome)
    return ToolResult(outcome=outcome, error=error)
