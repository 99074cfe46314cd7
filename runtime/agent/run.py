"""One run of an agent: what it has said, offered, used and decided so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import cast

from ..audit import Audit
from ..context import CallContext
from ..gates.approvals import Approval, Approvals
from ..gates.breaker import Breaker
from ..gates.order import Done, History, operation_of
from ..gates.questions import Question
from ..gates.rule_of_two import Power
from ..gates.run_policy import Asking, RunPolicy
from ..policy import Policy
from .conversation import (
    Assistant,
    Message,
    ModelRequest,
    ModelResponse,
    Observation,
    Stop,
    ToolCall,
    ToolChoice,
    ToolSpec,
)
from .exposure import ToolList
from .journal import Journal
from .middleware import Middleware
from .run_context import AgentTool, Context
from .run_state import RunState, StateError
from .steps import Answered, Asked, Executed, Reason, RunResult, Step

CUT_OFF: Mapping[Stop, Reason] = {
    "refusal": "refusal",
    "filtered": "filtered",
    "length": "length",
}
"""Turns that came to no end of their own: what they ask for may be cut off too."""


@dataclass(slots=True, kw_only=True)
class Run:
    """The state of one run; nothing of it is shared with another."""

    id: str = field(default_factory=lambda: token_hex(8))
    principal: str = ""
    instructions: str = ""
    messages: list[Message]
    tools: ToolList
    choice: ToolChoice
    breaker: Breaker
    middleware: Sequence[Middleware] = ()
    parallel: int = 8
    has_executed: bool = False
    executed: list[Executed] = field(default_factory=list[Executed])
    gates: RunPolicy = field(init=False)
    journal: Journal = field(init=False)
    context: Context = field(init=False)
    tell: Callable[[Step], None] = field(default=lambda _: None, init=False)

    def guard(
        self,
        *,
        approve: Asking,
        approvals: Approvals,
        policy: Policy | None,
        audit: Audit | None,
        history: History | None = None,
        held: Iterable[Power] = (),
        answers: Sequence[tuple[Question, Approval]] = (),
    ) -> None:
        """Arm the gates; `policy` decides in their place. `audit` is the agent's."""
        self.gates = RunPolicy(
            approve=approve,
            approvals=approvals,
            history=history,
            held=frozenset(held),
            answers=answers,
            on_question=lambda question: self.tell(Asked(question)),
            on_decision=lambda question, granted, by: self.tell(Answered(question, granted, by)),
        )
        self.journal = Journal(self.id, self.principal, audit)
        call = CallContext(
            run=self.id,
            principal=self.principal,
            policy=self.journal.noting(policy or self.gates),
            recording=self.journal,
        )
        self.context = Context(call=call, live=self.tools)

    @property
    def powers(self) -> tuple[Power, ...]:
        """What the run holds of the Rule of Two; it only ever grows."""
        return tuple(sorted(self.gates.held))

    # ── one turn ────────────────────────────────────────────────────────────────────

    def request(self, offered: Mapping[str, AgentTool]) -> ModelRequest:
        """What the model is asked now. A forced choice ends with the first executed turn."""
        choice = self.choice
        is_gone = choice.function is not None and choice.function not in offered
        if choice.mode == "required" and (self.has_executed or is_gone or not offered):
            choice = ToolChoice()
        return ModelRequest(
            messages=tuple(self.messages),
            tools=tuple(
                ToolSpec(tool.name, tool.description, tool.advertised_schema, tool.effects)
                for tool in offered.values()
            ),
            instructions=self.instructions,
            tool_choice=choice,
        )

    def forget_turn(self) -> None:
        """The ids of calls are those of one turn: what was noted of them is of no later ones."""
        self.gates.forget_answers()
        self.journal.forget()

    def callable(self, offered: Mapping[str, AgentTool]) -> Mapping[str, AgentTool]:
        """What a call of the model may run: nothing, where it was told to call nothing."""
        return {} if self.choice.mode == "none" else offered

    # ── the end ─────────────────────────────────────────────────────────────────────

    def result(self, reason: Reason, text: str = "", error: Exception | None = None) -> RunResult:
        """How the run ended. Without a text, what the model said last, or the reason in words."""
        said = [one.text for one in self.messages if isinstance(one, Assistant) and one.text]
        otherwise = f"The run was stopped: {self.breaker.sentence or reason}."
        return RunResult(
            text=text or (said[-1] if said else otherwise),
            reason=reason,
            messages=tuple(self.messages),
            calls=tuple(self.executed),
            usage=self.breaker.usage,
            turns=self.breaker.turns,
            powers=self.powers,
            error=error,
            run=self.id,
        )

    def finished(self, response: ModelResponse) -> RunResult:
        """How the run ends with a turn of the model."""
        said, stop = response.message, response.stop
        if said.refusal is not None:
            return self.result("refusal", said.refusal or "The model declined.")
        if stop == "other" and not said.text:
            error = RuntimeError(response.detail or "it gave no reason")
            return self.result("failed", f"The model gave no answer: it stopped, {error}", error)
        return self.result(
            CUT_OFF.get(stop, "done"), said.text or f"The model said nothing ({stop})."
        )

    def stopped(self) -> RunResult:
        """How the run ended when the breaker tripped."""
        return self.result(self.breaker.tripped or "seconds")

    def paused(
        self,
        calls: Sequence[ToolCall],
        offered: Mapping[str, AgentTool],
        done: Mapping[str, Observation],
        questions: Sequence[Question],
    ) -> RunResult:
        """The result of a run that waits for answers, with the state that goes on."""
        state = RunState(
            run=self.id,
            principal=self.principal,
            messages=tuple(self.messages),
            offered=tuple(tool.name for tool in self.tools),
            pending=tuple(calls),
            pending_tools=tuple(offered),
            done=dict(done),
            questions=tuple(questions),
            tool_choice=self.choice,
            has_executed=self.has_executed,
            usage=self.breaker.usage,
            breaker=self.breaker.to_data(),
            held=self.powers,
            history=tuple(one.to_data() for one in self.gates.history.done),
            live={**offered, **self.tools.snapshot()},
        )
        names = ", ".join(question.tool for question in questions)
        ended = self.result("approval", f"Waiting for approval: {names}.")
        return replace(ended, questions=tuple(questions), state=state)


def restored(state: RunState, known: Mapping[str, AgentTool]) -> tuple[ToolList, History]:
    """The tools that a paused run offered, and what had gone well in it. Raises StateError."""
    found = {**known, **state.live}
    missing = [name for name in (*state.offered, *state.pending_tools) if name not in found]
    if missing:
        raise StateError(
            f"the paused run had the tool {missing[0]!r}, which is not known here; "
            "give it to resume(…, tools=…)"
        )
    done = [
        Done(
            tool=str(one["tool"]),
            operation=operation_of(getattr(found.get(str(one["tool"])), "tool", None)),
            arguments=one["arguments"],
            values=frozenset(one["values"]),
        )
        for one in state.history
    ]
    return ToolList([found[name] for name in state.offered]), History(done)


def matched(
    state: RunState, given: Iterable[Approval], approvals: Approvals
) -> list[tuple[Question, Approval]]:
    """Each answer with its question. Raises StateError for one that answers none of them."""
    open_ = {question.call_id: question for question in state.questions}
    pairs: list[tuple[Question, Approval]] = []
    for answer in given:
        question = open_.get(answer.call_id)
        if question is None:
            raise StateError("refused: the approval answers no open question of this run")
        if any(question is one for one, _ in pairs):
            raise StateError("refused: there are two answers to one question")
        refusal = approvals.refusal(answer, question)
        if refusal is not None:
            raise StateError(f"refused: {refusal}")
        pairs.append((question, answer))
    return pairs


def held_of(state: RunState) -> tuple[Power, ...]:
    """The powers that a paused run held."""
    return cast("tuple[Power, ...]", state.held)
