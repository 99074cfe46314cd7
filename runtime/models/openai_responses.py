"""OpenAI's Responses API, without storage: each request tells the whole conversation.

Sources: the API reference, "Responses" and its streaming events; "Reasoning" and "Conversation
state" of the guides: every item of an answer is sent back as it came, reasoning in its encrypted
form. What came without that is known to no server, which would refuse the request for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from ..dialects.openai import flat
from .failures import kind_of, message_of
from .members import count_at, object_at, text_at
from .model import ModelError
from .openai import OpenAIModel, arguments_text, tool_members
from .provider import Assembly

_ENDED = ("response.completed", "response.incomplete", "response.failed")
_ENCRYPTED = "reasoning.encrypted_content"
_CUT: Mapping[str, Stop] = {"max_output_tokens": "length", "content_filter": "filtered"}


class OpenAIResponses(OpenAIModel):
    """A model of OpenAI over the Responses API."""

    provider: ClassVar[str] = "openai-responses"

    def _path(self, *, stream: bool) -> str:
        return "/responses"

    def _streaming(self) -> dict[str, Any]:
        return {"stream": True}

    def _assembly(self) -> Assembly:
        return _Assembly()

    def _body(self, request: ModelRequest, sent: Export) -> dict[str, Any]:
        items = [item for message in request.messages for item in self._items(message, sent)]
        body: dict[str, Any] = {"model": self.model, "input": items, "store": False}
        if any(_is_reasoning(item) for message in request.messages for item in self._own(message)):
            body["include"] = [_ENCRYPTED]  # refused for models that do not reason
        if request.instructions:
            body["instructions"] = request.instructions
        if request.tools:
            body["tools"] = flat(sent.payload)
            body |= tool_members(request, sent, lambda name: {"name": name})
        if request.max_output_tokens is not None:
            body["max_output_tokens"] = request.max_output_tokens
        return body

    def _items(self, message: Message, sent: Export) -> Iterator[Mapping[str, Any]]:
        match message:
            case User():
                yield {"role": "user", "content": message.text}
            case Observation():
                yield {
                    "type": "function_call_output",
                    "call_id": message.call_id,
                    "output": message.text,
                }
            case Assistant():
                own = self._own(message)
                yield from (item for item in own if not _is_lost(item))
                if not own:
                    yield from _rebuilt(message, sent)

    def _own(self, message: Message) -> tuple[Mapping[str, Any], ...]:
        """The items of a turn that this API wrote."""
        raw = message.raw if isinstance(message, Assistant) else None
        return raw.items if raw is not None and raw.provider == self.provider else ()

    def _failure(self, event: Mapping[str, Any]) -> ModelError | None:
        answer = object_at(event, "response") if event.get("type") in _ENDED else event
        error = object_at(answer, "error")
        if not error and event.get("type") == "error":
            error = event
        status = text_at(answer, "status")
        if not error and status not in ("failed", "cancelled"):
            return None
        told = message_of(error) or f"it {status or 'failed'}"
        return self._endpoint.error(told, kind=kind_of(error))

    def _response(self, answer: Mapping[str, Any], request: ModelRequest) -> ModelResponse:
        output: list[Mapping[str, Any]] = answer["output"]
        parts = [part for item in output for part in _parts(item)]
        texts = [part["text"] for part in parts if part["type"] == "output_text"]
        refusals = [part["refusal"] for part in parts if part["type"] == "refusal"]
        calls = tuple(
            ToolCall(item["call_id"], item["name"], item["arguments"])
            for item in output
            if item["type"] == "function_call"
        )
        reason = text_at(object_at(answer, "incomplete_details"), "reason")
        stop: Stop = "refusal" if refusals else "calls" if calls else "end"
        if answer.get("status") == "incomplete":
            stop = _CUT.get(reason, "other")
        said = Assistant(
            text="".join(texts),
            calls=calls,
            refusal="".join(refusals) or None,
            raw=Raw(self.provider, tuple(output)),
        )
        return ModelResponse(
            message=said,
            stop=stop,
            detail=reason,
            usage=_usage(object_at(answer, "usage")),
            model=text_at(answer, "model"),
            response_id=text_at(answer, "id"),
        )


def _is_reasoning(item: Mapping[str, Any]) -> bool:
    return item.get("type") == "reasoning"


def _is_lost(item: Mapping[str, Any]) -> bool:
    """Reasoning that only a server that had stored it could read."""
    return _is_reasoning(item) and not item.get("encrypted_content")


def _usage(stated: Mapping[str, Any]) -> Usage:
    return Usage(
        input_tokens=count_at(stated, "input_tokens"),
        output_tokens=count_at(stated, "output_tokens"),
        cached_tokens=count_at(object_at(stated, "input_tokens_details"), "cached_tokens"),
        reasoning_tokens=count_at(object_at(stated, "output_tokens_details"), "reasoning_tokens"),
    )


def _rebuilt(message: Assistant, sent: Export) -> Iterator[dict[str, Any]]:
    """A turn that another provider wrote."""
    text = message.text or message.refusal
    if text:
        yield {"role": "assistant", "content": text}
    for call in message.calls:
        yield {
            "type": "function_call",
            "call_id": call.id,
            "name": sent.sent_name(call.name),
            "arguments": arguments_text(call),
        }


def _parts(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(item["content"]) if item["type"] == "message" else []


class _Assembly(Assembly):
    def __init__(self) -> None:
        self._answer: dict[str, Any] | None = None
        self._done: dict[int, Mapping[str, Any]] = {}
        self._calls: dict[int, tuple[int, str, str]] = {}  # output index → index, id, name

    def add(self, event: Mapping[str, Any]) -> list[Delta]:
        match event.get("type"):
            case "response.output_text.delta":
                return [TextDelta(event["delta"])]
            case "response.refusal.delta":
                return [RefusalDelta(event["delta"])]
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                return [ReasoningDelta(event["delta"])]
            case "response.output_item.added":
                return self._added(event["output_index"], event["item"])
            case "response.function_call_arguments.delta":
                known = self._calls.get(event["output_index"])
                return [CallDelta(*known, event["delta"])] if known else []
            case "response.output_item.done":
                self._done[event["output_index"]] = event["item"]
            case "response.completed" | "response.incomplete":
                self._answer = dict(event["response"])
            case _:
                pass  # the documentation asks to let unknown events go by
        return []

    def whole(self) -> dict[str, Any] | None:
        if self._answer is None:
            return None
        if not self._answer.get("output"):
            self._answer["output"] = [self._done[index] for index in sorted(self._done)]
        return self._answer

    def _added(self, index: int, item: Mapping[str, Any]) -> list[Delta]:
        if item.get("type") != "function_call":
            return []
        known = (len(self._calls), item["call_id"], item["name"])
        self._calls[index] = known
        return [CallDelta(*known, "")]
