"""What came of the calls of one run, as it is recorded, and the lines that no toolset writes.

A toolset with an audit of its own keeps its calls there. The agent's audit takes all the others:
those of functions, and those that came to their outcome before they reached a tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..audit import Audit, Record
from ..errors import Outcome
from ..policy import Allowed, Decision, Policy, Proposal, decided
from ..result import ToolResult
from ..wire.values import is_object
from .conversation import ToolCall


class Journal:
    """The records of one run. `audit` takes those that nothing else keeps."""

    def __init__(self, run: str, principal: str, audit: Audit | None) -> None:
        self._run = run
        self._principal = principal
        self._audit = audit
        self._ends: dict[tuple[str, str], Outcome | None] = {}  # call, tool → as it was recorded
        self._decided: dict[tuple[str, str], tuple[Proposal, Decision]] = {}

    def noting(self, policy: Policy) -> Policy:
        """The same policy, with its decisions noted."""
        return _Noting(policy, self._decided)

    def take(self, record: Record, *, hide: Callable[[str], str], is_kept: bool) -> None:
        """As `Journals.take`."""
        self._ends[record.call, record.tool] = record.outcome
        if self._audit is not None and not is_kept:
            self._audit.record(record, hide=hide)

    def outcome(self, call: ToolCall) -> Outcome | None:
        """How a toolset says that a call ended; None where none has said so."""
        return self._ends.get((call.id, call.name))

    def is_allowed(self, call: ToolCall) -> bool:
        """Whether a call was allowed, so that it may have begun to do something."""
        noted = self._decided.get((call.id, call.name))
        return noted is not None and isinstance(noted[1], Allowed)

    def asked(self, call: ToolCall, arguments: Mapping[str, Any]) -> None:
        """Record that a call waits for the answer to a question."""
        if (call.id, call.name) not in self._ends:
            self._record(call, arguments, None, "asked", "")

    def settled(self, call: ToolCall, outcome: Outcome, by: str) -> None:
        """Record the outcome of a call, unless a toolset has; `by` made it, if no policy did."""
        if self.outcome(call) is not None:
            return
        noted = self._decided.get((call.id, call.name))
        arguments: object = call.arguments if noted is None else noted[0].arguments
        decision = "denied" if outcome in ("denied", "skipped") else ""
        if noted is not None:
            decision = "allowed" if isinstance(noted[1], Allowed) else "denied"
            by = noted[1].by
        self._record(call, arguments, outcome, decision, by)

    def forget(self) -> None:
        """Later calls may have the ids of those before."""
        self._ends.clear()
        self._decided.clear()

    def _record(
        self, call: ToolCall, arguments: object, outcome: Outcome | None, decision: str, by: str
    ) -> None:
        record = Record(
            tool=call.name,
            arguments=arguments if is_object(arguments) else None,
            outcome=outcome,
            attempts=0,
            run=self._run,
            call=call.id,
            principal=self._principal,
            decision=decision,
            decided_by=by,
        )
        self.take(record, hide=str, is_kept=False)


class _Noting:
    def __init__(
        self, policy: Policy, decided: dict[tuple[str, str], tuple[Proposal, Decision]]
    ) -> None:
        self._policy = policy
        self._decided = decided
        self.witness: Callable[[Proposal, ToolResult], object] | None = getattr(
            policy, "witness", None
        )

    async def decide(self, proposal: Proposal) -> Decision:
        decision = await decided(self._policy, proposal)
        self._decided[proposal.call_id or "", proposal.tool.name] = proposal, decision
        return decision
