"""The loop: describe the tools to a model, let it decide, execute its calls, let it observe.

Read `Agent._turns` first: it is the whole of it. What decides about a call is in `gates`, how
calls run side by side in `batch`, what one call passes through in `middleware`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from ...auth import acting
from ..audit import Audit, Sink, audit_of
from ..clock import Clock, SystemClock
from ..errors import words
from ..gates.approvals import Approval, Approvals
from ..gates.breaker import Breaker, Budget
from ..gates.run_policy import Asking
from ..policy import Policy
from .asking import answer
from .batch import Batch
from .conversation import ModelResponse, ToolChoice, User
from .exposure import ToolList, TypeHelperTool, agent_tools
from .loading import Loader
from .middleware import Middleware
from .run import CUT_OFF, Run, held_of, matched, restored
from .run_context import AgentTool, Source
from .run_state import RunState
from .steps import Decided, Described, Ended, RunResult, Step

if TYPE_CHECKING:
    from ..models.model import Model


class Agent:
    """A model with tools. Each run is its own: its tools, gates and counts begin anew.

    `tools` are toolsets, tools, loaders and plain functions. `approve` is asked before
    consequential calls: an approver, "pause" (the run ends with questions, and `resume` goes on
    with their answers), or None (they are denied). `policy` decides in place of the gates.
    `audit` takes a line for each call that no toolset's own audit has, run or not. `approvals`
    hold the key that lets another process resume. At most `parallel` calls of a turn run at once.
    """

    def __init__(
        self,
        model: Model,
        tools: Source = (),
        *,
        instructions: str = "",
        max_turns: int = 10,
        budget: Budget | None = None,
        approve: Asking = "pause",
        approvals: Approvals | None = None,
        middleware: Sequence[Middleware] = (),
        policy: Policy | None = None,
        audit: Audit | Sink | None = None,
        parallel: int = 8,
        clock: Clock | None = None,
    ) -> None:
        if max_turns < 1 or parallel < 1:
            raise ValueError("max_turns and parallel are numbers from 1")
        self.approvals = approvals or Approvals()
        self._model = model
        self._tools = tuple(ToolList(tools))
        self._instructions = instructions
        self._max_turns = max_turns
        self._budget = budget or Budget()
        self._approve: Asking = approve
        self._middleware = tuple(middleware)
        self._policy = policy
        self._parallel = parallel
        self._clock = clock or SystemClock()
        self._audit = audit_of(audit, self._clock)

    # ── entries ─────────────────────────────────────────────────────────────────────

    async def run(
        self, prompt: str, *, tool_choice: object = None, principal: str = ""
    ) -> RunResult:
        """Go on until the model is done, a limit is reached or an approval is missing.

        Raises ValueError for a `tool_choice` that cannot be; otherwise a run always ends with
        a text and a reason.
        """
        return await _result(self._turns(self._begun(prompt, tool_choice, principal)))

    def stream(
        self, prompt: str, *, tool_choice: object = None, principal: str = ""
    ) -> AsyncGenerator[Step]:
        """The same step by step, the model's words as they come; the last step is `Ended`."""
        return self._turns(self._begun(prompt, tool_choice, principal), deltas=True)

    async def resume(
        self, state: RunState | str, answers: Iterable[Approval] = (), *, tools: Source = ()
    ) -> RunResult:
        """Go on with a paused run: its `state`, or the text of it, and answers to its questions.

        What is not answered is asked again. `tools` are those that the run had added and that
        this agent does not know. Raises `StateError` for a state or an answer that is refused.
        """
        run, batch = self._resumed(state, answers, tools)
        return await _result(self._turns(run, batch))

    def stream_resumed(
        self, state: RunState | str, answers: Iterable[Approval] = (), *, tools: Source = ()
    ) -> AsyncGenerator[Step]:
        """`resume`, step by step."""
        return self._turns(*self._resumed(state, answers, tools), deltas=True)

    # ── the loop ────────────────────────────────────────────────────────────────────

    async def _turns(
        self, run: Run, batch: Batch | None = None, *, deltas: bool = False
    ) -> AsyncGenerator[Step]:
        """describe → decide → execute → observe, until there is an end. `batch` is left over."""
        while True:
            if batch is None:
                async with aclosing(self._decided(run, deltas)) as steps:
                    async for step in steps:
                        if isinstance(step, Batch):
                            batch = step
                        else:
                            yield step
            if batch is None:
                return
            async with aclosing(batch.steps()) as steps:
                async for step in steps:
                    yield step
            run.forget_turn()
            end = _observed(run, batch)
            if end is not None:
                yield Ended(end)
                return
            batch = None

    async def _decided(self, run: Run, deltas: bool) -> AsyncGenerator[Step | Batch]:
        """Describe what there is, and let the model decide: the last is the calls, or the end."""
        if not run.breaker.may_ask():
            yield Ended(run.stopped())
            return
        offered = run.tools.snapshot()
        yield Described(run.breaker.turns, tuple(offered))
        response: ModelResponse | None = None
        asked = answer(self._model, run.request(offered), run.breaker, deltas=deltas)
        try:
            async with aclosing(asked) as parts:
                async for part in parts:
                    if isinstance(part, ModelResponse):
                        response = part
                    else:
                        yield part
        except Exception as error:  # noqa: BLE001 - whatever fails, a run ends with a reason
            yield Ended(run.result("failed", f"The model gave no answer: {words(error)}", error))
            return
        if response is None:
            yield Ended(run.stopped())
            return
        run.breaker.used(response.usage)
        run.messages.append(response.message)
        batch = Batch(run, response.message.calls, run.callable(offered))
        yield Decided(response.message, batch.kinds())
        if response.stop not in CUT_OFF and (response.message.calls or response.stop == "paused"):
            batch.reserve()
            yield batch
            return
        # Calls of a turn that was cut off may be cut off themselves: none of them runs.
        for skipped in batch.skip(f"the answer was not finished ({response.stop})"):
            yield skipped
        run.messages += batch.observations()
        yield Ended(run.finished(response))

    # ── beginnings ──────────────────────────────────────────────────────────────────

    def _begun(self, prompt: str, tool_choice: object, principal: str) -> Run:
        tools = ToolList(self._tools)
        choice = ToolChoice.parse(tool_choice).named(frozenset(tools.snapshot()))
        if choice.mode == "required" and not len(tools):
            raise ValueError("tool_choice requires a tool, and there is none")
        whom = principal or acting.principal()
        run = self._run(tools, choice, principal=whom, messages=[User(prompt)])
        self._guard(run)
        return run

    def _resumed(
        self, state: RunState | str, answers: Iterable[Approval], tools: Source
    ) -> tuple[Run, Batch]:
        if isinstance(state, str):
            state = RunState.from_json(state, self.approvals)
        known = {tool.name: tool for tool in self._within_reach(tools)}
        offered, history = restored(state, known)
        whom = state.principal or acting.principal()
        run = self._run(offered, state.tool_choice, principal=whom, messages=list(state.messages))
        run.id, run.has_executed = state.run, state.has_executed
        run.breaker.restore(dict(state.breaker), state.usage)
        given = matched(state, answers, self.approvals)
        self._guard(run, history=history, held=held_of(state), answers=given)
        found = {**known, **state.live, **offered.snapshot()}
        could_call = {name: found[name] for name in state.pending_tools}
        return run, Batch(run, state.pending, could_call, state.done)

    def _run(self, tools: ToolList, choice: ToolChoice, **given: Any) -> Run:
        return Run(
            tools=tools,
            choice=choice,
            instructions=self._instructions,
            breaker=Breaker(self._budget, self._max_turns, self._clock),
            middleware=self._middleware,
            parallel=self._parallel,
            **given,
        )

    def _guard(self, run: Run, **more: Any) -> None:
        policy, approvals = self._policy, self.approvals
        run.guard(
            approve=self._approve, approvals=approvals, policy=policy, audit=self._audit, **more
        )

    def _within_reach(self, tools: Source) -> Iterable[AgentTool]:
        """Every tool that a run of this agent can have come to: also those behind its own."""
        yield TypeHelperTool()
        for tool in (*self._tools, *agent_tools(tools)):
            yield tool
            if isinstance(tool, Loader):
                yield from agent_tools(tool.tools)


async def _result(steps: AsyncGenerator[Step]) -> RunResult:
    async with aclosing(steps):
        async for step in steps:
            if isinstance(step, Ended):
                return step.result
    raise AssertionError("a run ends with a step that says so")


def _observed(run: Run, batch: Batch) -> RunResult | None:
    """Tell the model what came of its calls; the end, when there is one."""
    if batch.questions and batch.terminated is None:
        return run.paused(batch.calls, batch.offered, batch.done, batch.questions)
    run.messages += batch.observations()
    run.has_executed = run.has_executed or bool(batch.calls)
    if batch.terminated is not None:
        return run.result("terminated", batch.terminated.text)
    return run.stopped() if run.breaker.tripped else None
