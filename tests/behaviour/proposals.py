"""A call that is proposed, the question about it, and what an answer leads to."""

import asyncio
from typing import Any

from toolmint.runtime.gates.approvals import Approval, Approvals
from toolmint.runtime.gates.questions import Question
from toolmint.runtime.gates.run_policy import RunPolicy
from toolmint.runtime.policy import Proposal

from .agents import CHANGE

KEY = b"a key of the tests, 32 bytes long"


def proposal(**given: Any) -> Proposal:
    """A call of `change`, but for what is given."""
    usual: dict[str, Any] = {
        "tool": CHANGE,
        "arguments": {"thing": "a"},
        "call_id": "c",
        "run": "r",
    }
    return Proposal(**{**usual, **given})


def question(approvals: Approvals, **given: Any) -> Question:
    """What a person is asked of such a call."""
    return approvals.ask(proposal(**given), ("it changes something",))


def decided(approvals: Approvals, asked: Question, answer: Approval, **given: Any) -> Any:
    """What a policy that holds the answer says of a call."""
    policy = RunPolicy(approvals=approvals, answers=[(asked, answer)])
    return asyncio.run(policy.decide(proposal(**given)))
