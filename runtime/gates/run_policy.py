"""The policy of one run: order, approval and the Rule of Two, decided together for each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..operation import Effects, Gate
from ..policy import Allowed, Decision, Denied, Proposal, Waiting
from . import rule_of_two
from .approvals import Approval, Approvals
from .approvers import Approver, granted
from .order import History, required_names
from .questions import Question

if TYPE_CHECKING:
    from ..result import ToolResult

Asking: TypeAlias = Literal["pause"] | Approver | None
"""Who is asked: an approver; "pause", to end the run until answers come; None: nobody, deny."""


class RunPolicy:
    """Decides about the calls of one run; a new run needs a new one, so that gates re-arm.

    `answers` are the questions that paused the run, each with its answer. `on_question`
    and `on_decision` are told of what is asked and answered.
    """

    def __init__(
        self,
        *,
        approve: Asking = None,
        approvals: Approvals | None = None,
        history: History | None = None,
        held: frozenset[rule_of_two.Power] = frozenset(),
        answers: Sequence[tuple[Question, Approval]] = (),
        on_question: Callable[[Question], None] | None = None,
        on_decision: Callable[[Question, bool, str], None] | None = None,
    ) -> None:
        self.history = history or History()
        self.held = held
        self._allowed: set[str] = set()  # calls of this turn: a second decision is inside
        self._approve = approve
        self._approvals = approvals or Approvals()
        self._answers = {question.call_id: (question, answer) for question, answer in answers}
        self._on_question = on_question
        self._on_decision = on_decision

    async def decide(self, proposal: Proposal) -> Decision:
        """Allow a call once, or deny it with a reason. Raises `Waiting` when the run pauses."""
        tool = proposal.tool
        requires = required_names(tool, tool.name, tool.gate.requires)
        advice = self.history.missing(tool, requires, proposal.arguments)
        if advice is not None:
            return Denied(by="order", reason=advice)
        by, answered = "gate", frozenset[str]()
        while reasons := self._reasons(tool.effects, tool.gate, answered):
            decision = await self._asked(proposal, reasons)
            if isinstance(decision, Denied):
                return decision
            by, answered = decision.by, answered | set(reasons)
        self.held |= rule_of_two.powers(tool.effects, tool.gate)
        if proposal.call_id is not None:
            self._allowed.add(proposal.call_id)
        return Allowed(by=by)

    def witness(self, proposal: Proposal, result: ToolResult) -> None:
        """What came of a call that was allowed; order counts those that went well."""
        if result.success:
            self.history.add(proposal.tool, proposal.arguments, result.data)

    def forget_answers(self) -> None:
        """Answers count for the calls that waited, never for later ones of the same id."""
        self._answers.clear()
        self._allowed.clear()

    # ── asking ──────────────────────────────────────────────────────────────────────

    def _reasons(self, effects: Effects, gate: Gate, answered: frozenset[str]) -> tuple[str, ...]:
        """Why a call must be asked about, all in one question; empty when it need not be.

        While a person thinks, other calls of the run go on: what they add is asked as well.
        """
        told: list[str] = []
        if gate.asks(effects):
            told.append(f"it {does(effects)}")
        added = rule_of_two.powers(effects, gate)
        if rule_of_two.completes(self.held, added):
            told.append(rule_of_two.reason(self.held, added))
        return tuple(told) if set(told) - answered else ()

    async def _asked(self, proposal: Proposal, reasons: tuple[str, ...]) -> Decision:
        asked, answer = self._answers.pop(proposal.call_id or "", (None, None))
        if asked is not None and answer is not None and _is_about(asked, proposal, reasons):
            return self._spent(asked, answer)
        if self._approve is None:
            why = f"{'; '.join(reasons)}; and nobody is there to approve it"
            return Denied(by="gate", reason=why)
        is_inside = not proposal.may_wait or proposal.call_id in self._allowed
        if self._approve == "pause" and is_inside:
            why = f"{'; '.join(reasons)}; it can be asked about when it is called by itself"
            return Denied(by="gate", reason=why)
        question = self._approvals.ask(proposal, reasons)
        if self._on_question is not None:
            self._on_question(question)
        if isinstance(self._approve, str):
            raise Waiting(question)
        is_granted, by = await granted(self._approve, question)
        self._told(question, is_granted, by)
        return Allowed(by=by) if is_granted else Denied(by=by, reason=f"denied by {by}")

    def _spent(self, question: Question, answer: Approval) -> Decision:
        """The decision of an answer, which is used up before the call has any effect."""
        refusal = self._approvals.refusal(answer, question)
        if refusal is not None:
            return Denied(by="approval", reason=refusal)
        if not self._approvals.spend(answer):
            return Denied(by="approval", reason="the approval was used already")
        self._told(question, answer.granted is True, answer.by)
        if answer.granted is not True:
            return Denied(by=answer.by, reason=f"denied by {answer.by}")
        return Allowed(by=answer.by)

    def _told(self, question: Question, is_granted: bool, by: str) -> None:
        if self._on_decision is not None:
            self._on_decision(question, is_granted, by)


def _is_about(asked: Question, proposal: Proposal, reasons: tuple[str, ...]) -> bool:
    """Whether what was asked is what is to be done now; else it is asked again."""
    return asked.digest == proposal.digest and set(reasons) <= set(asked.reasons)


def does(effects: Effects) -> str:
    """What a call does, as a sentence goes on after `it`."""
    if effects.destructive:
        return "destroys or takes away something"
    return "only reads" if effects.pure else "changes something"
