"""A paused run as plain data, so that another process can go on with it.

It carries the conversation, the names of the tools that were offered, what the gates know, the
calls that wait and the questions about them. It is signed with the key of the approvals: a
state that was altered, or made up, does not resume.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, cast

from ..gates.questions import Question
from ..wire.values import is_object
from .conversation import Message, Observation, ToolCall, ToolChoice, Usage
from .conversation_data import from_data, to_data

if TYPE_CHECKING:
    from ..gates.approvals import Approvals
    from .run_context import AgentTool

VERSION = 1


class StateError(ValueError):
    """A state that cannot be resumed; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """Everything a paused run needs to go on."""

    run: str
    principal: str
    messages: tuple[Message, ...]
    offered: tuple[str, ...]  # names of the tools, oldest first
    pending: tuple[ToolCall, ...]  # the calls of the last turn, in the model's order
    pending_tools: tuple[str, ...]  # names that the last turn could call
    done: Mapping[str, Observation]  # those of `pending` that have an outcome
    questions: tuple[Question, ...]
    tool_choice: ToolChoice
    has_executed: bool  # in an earlier turn
    usage: Usage
    breaker: Mapping[str, Any]
    held: tuple[str, ...]
    history: tuple[Mapping[str, Any], ...]
    live: Mapping[str, AgentTool] = field(
        default_factory=dict[str, "AgentTool"], repr=False, compare=False
    )
    # ^ the tools themselves, where the run is resumed in the process that paused it

    def to_json(self, approvals: Approvals) -> str:
        """The signed state as text."""
        data = self._data()
        return json.dumps(
            {"toolmint_run": VERSION, "state": data, "signature": approvals.sign("state", data)},
        )

    @classmethod
    def from_json(cls, text: str, approvals: Approvals) -> RunState:
        """The state that `to_json` wrote under the same key. Raises StateError for any other."""
        try:
            told: object = json.loads(text)
        except ValueError as error:
            raise StateError(f"no JSON: {error}") from None
        if not is_object(told) or not is_object(told.get("state")):
            raise StateError("this is no paused run")
        if told.get("toolmint_run") != VERSION:
            raise StateError("this run was paused by another version of toolmint")
        signature = told.get("signature")
        expected = approvals.sign("state", told["state"])
        if not isinstance(signature, str) or not hmac.compare_digest(expected, signature):
            raise StateError("the state was altered, or signed with another key")
        return cls._of(told["state"])

    def _data(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "principal": self.principal,
            "messages": [to_data(message) for message in self.messages],
            "offered": list(self.offered),
            "pending": [to_data(call) for call in self.pending],
            "pending_tools": list(self.pending_tools),
            "done": {name: to_data(seen) for name, seen in self.done.items()},
            "questions": [question.to_data() for question in self.questions],
            "tool_choice": to_data(self.tool_choice),
            "has_executed": self.has_executed,
            "usage": to_data(self.usage),
            "breaker": dict(self.breaker),
            "held": list(self.held),
            "history": [dict(one) for one in self.history],
        }

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> RunState:
        """The signature vouches for the form."""
        known = {one.name for one in fields(cls)} - {"live"}
        if set(data) != known:
            raise StateError("this run was paused by another version of toolmint")
        return cls(
            run=data["run"],
            principal=data["principal"],
            messages=cast("tuple[Message, ...]", _parts(data["messages"])),
            offered=tuple(data["offered"]),
            pending=cast("tuple[ToolCall, ...]", _parts(data["pending"])),
            pending_tools=tuple(data["pending_tools"]),
            done={
                name: cast("Observation", from_data(seen)) for name, seen in data["done"].items()
            },
            questions=tuple(Question.from_data(one) for one in data["questions"]),
            tool_choice=cast("ToolChoice", from_data(data["tool_choice"])),
            has_executed=data["has_executed"],
            usage=cast("Usage", from_data(data["usage"])),
            breaker=data["breaker"],
            held=tuple(data["held"]),
            history=tuple(data["history"]),
        )


def _parts(data: Sequence[object]) -> tuple[Any, ...]:
    return tuple(from_data(one) for one in data)
