"""What is said between a loop and a model, whichever provider runs it: frozen, and JSON both ways.

`conversation_data` stores any of these values as plain JSON data and reads it back, so that a
paused run can be resumed in another process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast, get_args

from ..operation import Effects
from ..wire.values import is_object

Arguments: TypeAlias = str | Mapping[str, Any]
"""What a model wrote: an object, or its very text where that is no JSON object."""

Stop: TypeAlias = Literal[
    "end",  # the model has said what it wanted
    "calls",  # it waits for the results of its calls
    "length",  # it was cut off at a limit of tokens
    "refusal",  # it declined
    "filtered",  # the provider withheld the answer
    "paused",  # the provider wants the turn sent back to go on
    "other",
]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asks for. `id` is unique in its turn."""

    id: str
    name: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Raw:
    """A turn in its provider's own items, which go back to it unchanged.

    Reasoning, thinking blocks and thought signatures live here and nowhere else.
    """

    provider: str
    items: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class User:
    """What the person, or the program, says."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """One turn of the model. `refusal` is what it said in declining, or None."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    raw: Raw | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of a call, as the model is told."""

    call_id: str
    name: str
    text: str
    failed: bool = False


Message: TypeAlias = User | Assistant | Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one or more requests; what was cached or reasoned is part of the two sums."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0  # of the input, read from the provider's cache
    reasoning_tokens: int = 0  # of the output

    @property
    def total_tokens(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )


Mode: TypeAlias = Literal["auto", "required", "none"]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Whether the model must call a tool, and which. `function` goes with "required" only."""

    mode: Mode = "auto"
    function: str | None = None

    def __post_init__(self) -> None:
        if self.function is not None and self.mode != "required":
            raise ValueError(f"tool_choice: a tool is named, but the mode is {self.mode!r}")

    @classmethod
    def parse(cls, value: object) -> ToolChoice:
        """`"auto"`, `"required"`, `"none"`, or `{"mode": …, "required_function_name": …}`.

        A `ToolChoice` stays itself, None is "auto". Raises ValueError for anything else.
        """
        if value is None or isinstance(value, ToolChoice):
            return value or cls()
        if isinstance(value, str):
            return cls(_mode(value))
        if not is_object(value):
            raise ValueError(f"tool_choice {_TAKES}, not {type(value).__name__}")
        unknown = sorted(map(str, set(value) - {"mode", "required_function_name"}))
        if unknown:
            raise ValueError(f"tool_choice has an unknown key {unknown[0]!r}; it {_TAKES}")
        mode, name = _mode(value.get("mode")), value.get("required_function_name")
        if name is not None and (mode != "required" or not isinstance(name, str) or not name):
            raise ValueError(
                "tool_choice: required_function_name is a tool's name, "
                f'and goes with mode "required" only; got {name!r} with {mode!r}'
            )
        return cls(mode, name)

    def named(self, names: Mapping[str, Any] | frozenset[str]) -> ToolChoice:
        """Itself. Raises ValueError when the forced tool is not among `names`."""
        if self.function is not None and self.function not in names:
            raise ValueError(f"tool_choice requires {self.function!r}, which is no tool here")
        return self


_TAKES = (
    'takes "auto", "required", "none" or {"mode": "required", "required_function_name": "a_tool"}'
)


def _mode(value: object) -> Mode:
    if value not in get_args(Mode):
        raise ValueError(f"tool_choice {_TAKES}; got {value!r}")
    return cast("Mode", value)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered to a model."""

    name: str
    description: str
    advertised_schema: dict[str, Any] = field(repr=False)
    effects: Effects = field(default_factory=Effects, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One question to a model: all that was said so far, and the tools it may call now."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    instructions: str = ""
    tool_choice: ToolChoice = ToolChoice()
    parallel_calls: bool = True
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelResponse:
    """One turn of a model, and what it cost."""

    message: Assistant
    stop: Stop = "end"
    detail: str = ""  # why it stopped, in the words of the provider, where that says more
    usage: Usage = Usage()
    model: str = ""  # which model answered, as it calls itself
    response_id: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of the reasoning, where the provider shows it; never part of `Assistant.text`."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusalDelta:
    """More of a refusal."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """More of the arguments' text of the call at `index`, as the model writes it.

    It is for showing only: an export may still have to be undone. `ModelResponse` has the call.
    """

    index: int
    id: str
    name: str
    text: str


Delta: TypeAlias = TextDelta | ReasoningDelta | RefusalDelta | CallDelta


Part: TypeAlias = (
    Message | ToolCall | Raw | Usage | ToolChoice | ToolSpec | ModelRequest | ModelResponse | Delta
)
"""Everything that can be stored."""
