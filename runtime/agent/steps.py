"""What happens in a run, step by step, as `Agent.stream` tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ..errors import Outcome
from ..gates.questions import Question
from ..gates.rule_of_two import Power
from ..result import ToolResult
from .conversation import (
    Assistant,
    CallDelta,
    Message,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    Usage,
)
from .run_state import RunState

Reason: TypeAlias = Literal[
    "done",  # the model said what it wanted
    "approval",  # calls wait for answers; `state` goes on with them
    "refusal",
    "filtered",
    "length",
    "terminated",  # by a middleware
    "failed",  # no answer came from the model; `error` says why
    "turns",
    "calls",
    "seconds",
    "tokens",
    "cost",
    "repeats",
]
Kind: TypeAlias = Literal["pure", "consequential", "unknown"]


@dataclass(frozen=True, slots=True)
class Described:
    """The model is asked: with which tools, in which turn (the first is 1)."""

    turn: int
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """The model has spoken: its text, and the calls it wants, each with its kind."""

    message: Assistant
    kinds: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A call waits for a decision."""

    question: Question


@dataclass(frozen=True, slots=True)
class Answered:
    """A decision was taken."""

    question: Question
    granted: bool
    by: str


@dataclass(frozen=True, slots=True)
class Executed:
    """A call has come to its one outcome."""

    call: ToolCall
    result: ToolResult = field(repr=False)
    text: str  # what the model is told
    powers: tuple[Power, ...] = ()  # what the run holds by now (the Rule of Two)

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return self.result.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """How a run ended: always with a text and a reason.

    With the reason "approval", `state` is the paused run and `questions` what it waits for.
    """

    text: str
    reason: Reason
    messages: tuple[Message, ...] = field(default=(), repr=False)
    calls: tuple[Executed, ...] = field(default=(), repr=False)
    usage: Usage = field(default_factory=Usage)
    turns: int = 0
    powers: tuple[Power, ...] = ()
    questions: tuple[Question, ...] = ()
    state: RunState | None = field(default=None, repr=False)
    error: Exception | None = None
    run: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over, or pauses."""

    result: RunResult


Step: TypeAlias = (
    Described
    | Decided
    | Asked
    | Answered
    | Executed
    | Ended
    | TextDelta
    | ReasoningDelta
    | RefusalDelta
    | CallDelta
)
