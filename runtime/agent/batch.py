"""The calls of one turn: each comes to exactly one outcome, told to the model in its order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from copy import deepcopy

from ..errors import Outcome, ToolError
from ..gates.questions import Question
from ..policy import Waiting
from ..result import ToolResult
from ..tool import unknown_tool
from .conversation import Observation, ToolCall
from .exposure import AgentTool
from .middleware import Invocation, Terminate, invoke, result_of
from .run import Run
from .steps import Executed, Kind, Step


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
        return [self._settle(call, _ended(call, "skipped", why)) for call in self.calls]

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
            await asyncio.wait([work])

    def observations(self) -> list[Observation]:
        """The outcomes in the model's order; what still waits for an answer gets none."""
        for call in self.calls:
            if call.id not in self.done:
                text = "the run ended before it was approved"
                self._settle(call, _ended(call, "skipped", text))
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
                self._settle(call, self._skipped(call))
        waiting = [call for call in self.calls if call.id not in self.done]
        slots = asyncio.Semaphore(self._run.parallel)
        tasks = {
            asyncio.create_task(self._one(call, self.offered[call.name], slots)): call
            for call in waiting
            if call.name in self.offered
        }
        if tasks:
            await self._finished(tasks)
        for call in waiting:  # last, when it is known which tools the others added
            if call.name not in self.offered:
                self._settle(call, self._unknown(call))

    async def _finished(self, tasks: Mapping[asyncio.Task[None], ToolCall]) -> None:
        """Wait for calls, as long as the run has time; none of them goes on after this."""
        breaker = self._run.breaker
        try:
            _, late = await asyncio.wait(tasks, timeout=breaker.seconds_left())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if late:
            breaker.out_of_time()
        for task, call in tasks.items():
            if task.cancelled():
                self._settle(call, self._stopped(call, late=task in late))
            else:
                task.result()  # a fault of ours must not pass in silence

    async def _one(self, call: ToolCall, tool: AgentTool, slots: asyncio.Semaphore) -> None:
        context = self._run.context.of_call(call.id)
        async with slots:
            self._begun.add(call.id)
            # Middleware may change the arguments; what the model said stays as it was.
            given = Invocation(tool, deepcopy(call.arguments), context)
            try:
                result = await invoke(given, self._run.middleware)
            except Waiting as waiting:
                self.questions.append(waiting.question)
                return
            except Terminate as end:
                self.terminated = self.terminated or end
                result = result_of(end) or _ended(call, "skipped", str(end))
        if result.success:  # of a middleware too: it was read, whoever answered
            self._run.gates.held |= frozenset(tool.gate.reads)
        self._settle(call, result)

    def _settle(self, call: ToolCall, result: ToolResult) -> Executed:
        text = result.to_message()
        self.done[call.id] = Observation(call.id, call.name, text, failed=not result.success)
        executed = Executed(call, result, text, self._run.powers)
        self._run.executed.append(executed)
        self._run.tell(executed)
        return executed

    # ── outcomes of calls that did not run to their end ─────────────────────────────

    def _skipped(self, call: ToolCall) -> ToolResult:
        return _ended(call, "skipped", f"the run ended before it: {self._run.breaker.sentence}")

    def _stopped(self, call: ToolCall, *, late: bool) -> ToolResult:
        """A call that was cancelled: what may have reached a server must not pass for undone."""
        if call.id not in self._begun:
            return self._skipped(call)
        is_decided = call.id not in self._run.gates.deciding
        if is_decided and self._kind(call) == "consequential":
            text = "it was stopped when the time was up; it may have taken effect"
            return _ended(call, "unknown_effect", text)
        return _ended(call, "timeout" if late else "cancelled", "it was stopped")

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
