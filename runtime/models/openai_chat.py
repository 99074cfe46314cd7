"""OpenAI's Chat Completions, and the many servers that speak it.

Source: the API reference, "Chat", and its streaming part. Members of a message that it does not
know (`reasoning_content` and the like) are kept and sent back with the turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ..agent.conversation import (
    Assistant,
    CallDelta,
    Delta,
    Message,
    ModelRequest,
    ModelResponse,
    Observation,
    Raw,
    ReasoningDelta,
    RefusalDelta,
    Stop,
    TextDelta,
    ToolCall,
    Usage,
    User,
)
from ..dialects import Export
from ..wire.values import is_array, is_object
from .failures import kind_of, message_of
from .members import count_at, object_at, objects_at, text_at
from .model import ModelError
from .openai import OpenAIModel, arguments_text, tool_members
from .provider import Assembly

_STOPS: Mapping[str, Stop] = {
    "stop": "end",
    "tool_calls": "calls",
    "function_call": "calls",
    "length": "length",
    "content_filter": "filtered",
}
_REASONING = ("reasoning_content", "reasoning")


class OpenAIChat(OpenAIModel):
    """A model of OpenAI, or of a compatible server, over Chat Completions."""

    provider: ClassVar[str] = "openai-chat"

    def _path(self, *, stream: bool) -> str:
        return "/chat/completions"

    def _streaming(self) -> dict[str, Any]:
        return {"stream": True, "stream_options": {"include_usage": True}}

    def _assembly(self) -> Assembly:
        return _Assembly()

    def _body(self, request: ModelRequest, sent: Export) -> dict[str, Any]:
        messages: list[dict[str, Any]] = []
        if request.instructions:
            messages.append({"role": "system", "content": request.instructions})
        messages += [self._message(message, sent) for message in request.messages]
        body: dict[str, Any] = {"model": self.model, "messages": messages}
        if request.tools:
            body["tools"] = sent.payload
            body |= tool_members(request, sent, lambda name: {"function": {"name": name}})
        if request.max_output_tokens is not None:
            # OpenAI's reasoning models refuse the old name, other servers know no new one.
            name = "max_completion_tokens" if self._at_home else "max_tokens"
            body[name] = request.max_output_tokens
        return body

    def _message(self, message: Message, sent: Export) -> dict[str, Any]:
        match message:
            case User():
                return {"role": "user", "content": message.text}
            case Observation():
                return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
            case Assistant():
                if message.raw is not None and message.raw.provider == self.provider:
                    return dict(message.raw.items[0])
                return _rebuilt(message, sent)

    def _failure(self, event: Mapping[str, Any]) -> ModelError | None:
        error = event.get("error")
        if not error:
            return None
        told = error if is_object(error) else {"message": str(error)}
        return self._endpoint.error(message_of(told) or "it failed", kind=kind_of(told))

    def _response(self, answer: Mapping[str, Any], request: ModelRequest) -> ModelResponse:
        choice: Mapping[str, Any] = answer["choices"][0]
        message: dict[str, Any] = {"role": "assistant", **choice["message"]}
        calls = list(_calls(message, len(request.messages)))
        refusal = text_at(message, "refusal") or None
        stop = _STOPS.get(text_at(choice, "finish_reason") or "stop", "other")
        if stop == "end":
            stop = "refusal" if refusal else "calls" if calls else "end"
        said = Assistant(
            text=_text(message.get("content")),
            calls=tuple(calls),
            refusal=refusal,
            raw=Raw(self.provider, (message,)),
        )
        return ModelResponse(
            message=said,
            stop=stop,
            usage=_usage(object_at(answer, "usage")),
            model=text_at(answer, "model"),
            response_id=text_at(answer, "id"),
        )


def _usage(stated: Mapping[str, Any]) -> Usage:
    return Usage(
        input_tokens=count_at(stated, "prompt_tokens"),
        output_tokens=count_at(stated, "completion_tokens"),
        cached_tokens=count_at(object_at(stated, "prompt_tokens_details"), "cached_tokens"),
        reasoning_tokens=count_at(
            object_at(stated, "completion_tokens_details"), "reasoning_tokens"
        ),
    )


def _rebuilt(message: Assistant, sent: Export) -> dict[str, Any]:
    """A turn that another provider wrote."""
    built: dict[str, Any] = {"role": "assistant", "content": message.text or message.refusal}
    if message.calls:
        built["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": sent.sent_name(call.name),
                    "arguments": arguments_text(call),
                },
            }
            for call in message.calls
        ]
    elif built["content"] is None:
        built["content"] = ""
    return built


def _calls(message: dict[str, Any], turn: int) -> Iterator[ToolCall]:
    """The calls of a message; each gets an id of its own, also where the turn is sent back."""
    kept: list[Mapping[str, Any]] = []
    for index, call in enumerate(objects_at(message, "tool_calls")):
        identity = text_at(call, "id")
        if not identity or any(other["id"] == identity for other in kept):
            identity = f"call_{turn}_{index}"
        function: Mapping[str, Any] = call["function"]
        kept.append({**call, "id": identity})
        yield ToolCall(identity, function["name"], function.get("arguments") or "")
    if kept:
        message["tool_calls"] = kept


def _text(content: Any) -> str:
    """A message's text; some servers send it in parts."""
    if is_array(content):
        return "".join(text_at(part, "text") for part in content if is_object(part))
    return content if isinstance(content, str) else ""


def _joined(known: object, value: Any) -> Any:
    """What came of a member so far, and more of it."""
    if isinstance(known, str) and isinstance(value, str):
        return known + value
    return [*known, *value] if is_array(known) and is_array(value) else value


class _Assembly(Assembly):
    def __init__(self) -> None:
        self._answer: dict[str, Any] = {}
        self._message: dict[str, Any] = {"role": "assistant", "content": None}
        self._calls: list[dict[str, Any]] = []
        self._places: dict[object, int] = {}
        self._finish: str | None = None

    def add(self, event: Mapping[str, Any]) -> list[Delta]:
        for name in ("id", "model", "usage"):
            if event.get(name):
                self._answer[name] = event[name]
        choices = objects_at(event, "choices")
        if not choices:
            return []
        self._finish = text_at(choices[0], "finish_reason") or self._finish
        delta = object_at(choices[0], "delta")
        return [*self._said(delta), *self._called(objects_at(delta, "tool_calls"))]

    def whole(self) -> dict[str, Any] | None:
        if self._finish is None:
            return None
        message = dict(self._message)
        if self._calls:
            message["tool_calls"] = self._calls
        return {
            **self._answer,
            "choices": [{"message": message, "finish_reason": self._finish}],
        }

    def _said(self, delta: Mapping[str, Any]) -> Iterator[Delta]:
        for name, value in delta.items():
            if name in ("role", "tool_calls") or value is None:
                continue
            self._message[name] = _joined(self._message.get(name), value)
            if name == "content" and (text := _text(value)):
                yield TextDelta(text)
            elif name == "refusal" and value:
                yield RefusalDelta(value)
            elif name in _REASONING and isinstance(value, str) and value:
                yield ReasoningDelta(value)

    def _called(self, deltas: Sequence[Mapping[str, Any]]) -> Iterator[Delta]:
        for delta in deltas:
            index = self._place(delta)
            call = self._calls[index]
            function = object_at(delta, "function")
            for name, value in delta.items():
                if name not in ("function", "index") and value not in (None, ""):
                    call[name] = value
            known = call["function"]
            known["name"] = text_at(function, "name") or known["name"]
            text = text_at(function, "arguments")
            known["arguments"] += text
            yield CallDelta(index, text_at(call, "id"), known["name"], text)

    def _place(self, delta: Mapping[str, Any]) -> int:
        """Which call a piece belongs to: by its index, by its id, else the last one.

        Some servers give all calls the index 0: a name with another id begins another call.
        """
        key: object = delta.get("index")
        identity = text_at(delta, "id")
        if key is None:
            key = identity or (next(reversed(self._places)) if self._places else 0)
        place = self._places.get(key)
        known = "" if place is None else text_at(self._calls[place], "id")
        is_named = bool(text_at(object_at(delta, "function"), "name"))
        if place is None or (is_named and identity and known and identity != known):
            self._places[key] = len(self._calls)
            self._calls.append({"type": "function", "function": {"name": "", "arguments": ""}})
        return self._places[key]
