"""A model that says what it is told to: for tests, and to show a loop without a provider."""

from __future__ import annotations

import inspect
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import Any, TypeAlias

from ..agent.conversation import (
    Assistant,
    CallDelta,
    Delta,
    ModelRequest,
    ModelResponse,
    Stop,
    TextDelta,
    ToolCall,
    Usage,
)
from ..shown.tokens import tokens
from ..wire.values import is_array, is_object, text_of

Said: TypeAlias = (
    str
    | ToolCall
    | Assistant
    | ModelResponse
    | Mapping[str, Any]
    | Sequence[ToolCall | Mapping[str, Any]]
)
"""A turn: its text, its calls, or `{"text": …, "calls": [{"name", "arguments", "id"?}], …}`."""

Turn: TypeAlias = Said | Exception | Callable[[ModelRequest], Said | Awaitable[Said]]


class ScriptedModel:
    """Answers with its turns in order, each once. `requests` holds what it was asked.

    A turn is data, an exception to raise, or a function of the request. `turns` may be endless,
    as `itertools.repeat("again")` is.
    """

    def __init__(self, turns: Iterable[Turn]) -> None:
        self.requests: list[ModelRequest] = []
        self._turns = iter(turns)

    async def respond(self, request: ModelRequest) -> ModelResponse:
        """The next turn. Raises RuntimeError when the script is at its end."""
        self.requests.append(request)
        number = len(self.requests)
        try:
            turn = next(self._turns)
        except StopIteration:
            raise RuntimeError(f"the script has no turn {number}") from None
        if isinstance(turn, Exception):
            raise turn
        if callable(turn):
            said = turn(request)
            turn = await said if inspect.isawaitable(said) else said
        return _response(turn, number)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta | ModelResponse]:
        """The same, word by word."""
        response = await self.respond(request)
        for delta in _deltas(response.message):
            yield delta
        yield response


def _response(said: Said, number: int) -> ModelResponse:
    if isinstance(said, ModelResponse):
        return said
    message = said if isinstance(said, Assistant) else _message(said, number)
    stop: Stop = "refusal" if message.refusal is not None else "calls" if message.calls else "end"
    written = {"text": message.text, "calls": [call.arguments for call in message.calls]}
    usage = Usage(output_tokens=tokens(written))
    if is_object(said) and is_object(said.get("usage")):
        usage = Usage(**said["usage"])
    return ModelResponse(message=message, stop=stop, usage=usage, model="scripted")


def _message(said: object, number: int) -> Assistant:
    if isinstance(said, str):
        return Assistant(text=said)
    if isinstance(said, ToolCall):
        return Assistant(calls=(said,))
    if is_array(said):
        return Assistant(calls=tuple(_calls(said, number)))
    if not is_object(said):
        raise TypeError(f"a turn of a script cannot be {type(said).__name__}")
    unknown = sorted(set(said) - {"text", "calls", "refusal", "usage"})
    if unknown:
        raise TypeError(f"a turn of a script has no {unknown[0]!r}")
    calls = tuple(_calls(said.get("calls", ()), number))
    return Assistant(text=said.get("text", ""), calls=calls, refusal=said.get("refusal"))


def _calls(stated: Iterable[Any], number: int) -> Iterator[ToolCall]:
    for index, call in enumerate(stated):
        if isinstance(call, ToolCall):
            yield call
        else:
            identity = call.get("id", f"call_{number}_{index}")
            yield ToolCall(identity, call["name"], call.get("arguments", {}))


def _deltas(message: Assistant) -> Iterator[Delta]:
    for word in message.text.splitlines(keepends=True):
        yield from (TextDelta(part) for part in _words(word))
    for index, call in enumerate(message.calls):
        yield CallDelta(index, call.id, call.name, text_of(call.arguments))


def _words(line: str) -> Iterator[str]:
    """The words of a line with the spaces after them, so that together they are the line."""
    start = 0
    for end, character in enumerate(line):
        if character == " ":
            yield line[start : end + 1]
            start = end + 1
    if start < len(line):
        yield line[start:]
