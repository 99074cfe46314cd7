"""Anthropic's Messages API.

Sources: the API reference, "Messages"; "Streaming messages"; "Handle tool calls"; "Extended
thinking": the blocks of a turn are sent back as they came, their signatures with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ...auth.secret import Secret
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
    Stop,
    TextDelta,
    ToolCall,
    Usage,
    User,
)
from ..dialects import Export
from ..edge.arguments import read_arguments
from .failures import kind_of, message_of
from .members import count_at, object_at, objects_at, text_at
from .model import ModelError
from .provider import Assembly, ProviderModel

VERSION = "2023-06-01"
OUTPUT_TOKENS = 8192
"""What a request asks for when nothing else is said: the API wants a number."""

INVALID = "INVALID_JSON"
"""The member that holds a call's text where that was no JSON, as the documentation has it."""

_STOPS: Mapping[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "pause_turn": "paused",
}
_USAGE_WORDS = "input_tokens cache_creation_input_tokens cache_read_input_tokens output_tokens"


class AnthropicMessages(ProviderModel):
    """A model of Anthropic."""

    provider: ClassVar[str] = "anthropic"
    dialect: ClassVar[str] = "anthropic"
    home: ClassVar[str] = "https://api.anthropic.com"
    environment: ClassVar[tuple[str, ...]] = ("ANTHROPIC_API_KEY",)
    known_headers: ClassVar[Mapping[str, str]] = {"anthropic-version": VERSION}

    def _headers(self, key: str | None) -> dict[str, Secret]:
        return {"x-api-key": Secret(key)} if key else {}

    def _path(self, *, stream: bool) -> str:
        return "/v1/messages"

    def _streaming(self) -> dict[str, Any]:
        return {"stream": True}

    def _assembly(self) -> Assembly:
        return _Assembly()

    def _body(self, request: ModelRequest, sent: Export) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_output_tokens or OUTPUT_TOKENS,
            "messages": _turns(self._spoken(request, sent)),
        }
        if request.instructions:
            body["system"] = request.instructions
        if request.tools:
            body["tools"] = sent.payload
            body |= _choice(request, sent)
        return body

    def _spoken(
        self, request: ModelRequest, sent: Export
    ) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
        """Who says which blocks, one message after the other."""
        for message in request.messages:
            yield (
                "assistant" if isinstance(message, Assistant) else "user",
                self._blocks(message, sent),
            )

    def _blocks(self, message: Message, sent: Export) -> list[Mapping[str, Any]]:
        match message:
            case User():
                return [{"type": "text", "text": message.text}]
            case Observation():
                result = {
                    "type": "tool_result",
                    "tool_use_id": message.call_id,
                    "content": message.text,
                }
                return [{**result, "is_error": True} if message.failed else result]
            case Assistant():
                raw = message.raw
                own = raw is not None and raw.provider == self.provider
                return list(raw.items) if raw is not None and own else _rebuilt(message, sent)

    def _failure(self, event: Mapping[str, Any]) -> ModelError | None:
        if event.get("type") != "error":
            return None
        error = object_at(event, "error")
        return self._endpoint.error(message_of(error) or "it failed", kind=kind_of(error))

    def _response(self, answer: Mapping[str, Any], request: ModelRequest) -> ModelResponse:
        blocks: list[Mapping[str, Any]] = list(answer["content"])
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = tuple(_call(block) for block in blocks if block["type"] == "tool_use")
        stop = _STOPS.get(text_at(answer, "stop_reason"), "other")
        details = object_at(answer, "stop_details")
        refusal = None
        if stop == "refusal":
            refusal, text = text or text_at(details, "explanation"), ""
        said = Assistant(
            text=text, calls=calls, refusal=refusal, raw=Raw(self.provider, tuple(blocks))
        )
        return ModelResponse(
            message=said,
            stop=stop,
            detail=text_at(details, "category"),
            usage=_usage(object_at(answer, "usage")),
            model=text_at(answer, "model"),
            response_id=text_at(answer, "id"),
        )


def _usage(stated: Mapping[str, Any]) -> Usage:
    """What was cached is not part of `input_tokens` there."""
    fresh, written, read, output = (count_at(stated, name) for name in _USAGE_WORDS.split())
    return Usage(input_tokens=fresh + written + read, output_tokens=output, cached_tokens=read)


def _choice(request: ModelRequest, sent: Export) -> dict[str, Any]:
    choice = request.tool_choice
    if choice.mode == "none":
        return {"tool_choice": {"type": "none"}}
    stated: dict[str, Any] = {"type": "any" if choice.mode == "required" else "auto"}
    if choice.function is not None:
        stated = {"type": "tool", "name": sent.sent_name(choice.function)}
    if not request.parallel_calls:
        stated["disable_parallel_tool_use"] = True
    return {} if stated == {"type": "auto"} else {"tool_choice": stated}


def _turns(spoken: Iterator[tuple[str, list[Mapping[str, Any]]]]) -> list[dict[str, Any]]:
    """Messages of alternating roles, results first; blocks without a text are not taken."""
    turns: list[dict[str, Any]] = []
    for role, blocks in spoken:
        kept = [block for block in blocks if block["type"] != "text" or block["text"].strip()]
        if not kept:
            continue
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += kept
        else:
            turns.append({"role": role, "content": kept})
    for turn in turns:
        if turn["role"] == "user":
            turn["content"].sort(key=_rank)
    return turns


def _rank(block: Mapping[str, Any]) -> bool:
    return text_at(block, "type") != "tool_result"


def _rebuilt(message: Assistant, sent: Export) -> list[Mapping[str, Any]]:
    """A turn that another provider wrote."""
    blocks: list[Mapping[str, Any]] = [
        {"type": "text", "text": message.text or message.refusal or ""}
    ]
    for call in message.calls:
        blocks.append(
            {
                "type": "tool_use",
                "id": call.id,
                "name": sent.sent_name(call.name),
                "input": _input(call.arguments),
            }
        )
    return blocks


def _input(arguments: object) -> dict[str, Any]:
    """Arguments as the object that a block must hold, whatever the model wrote."""
    try:
        return read_arguments(arguments)
    except ValueError:
        return {INVALID: arguments}


def _call(block: Mapping[str, Any]) -> ToolCall:
    given: Mapping[str, Any] = block["input"]
    unread = given[INVALID] if set(given) == {INVALID} else None
    return ToolCall(block["id"], block["name"], unread if isinstance(unread, str) else given)


class _Assembly(Assembly):
    def __init__(self) -> None:
        self._answer: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, str] = {}
        self._calls: dict[int, int] = {}  # block → call
        self._stopped = False

    def add(self, event: Mapping[str, Any]) -> list[Delta]:
        match event.get("type"):
            case "message_start":
                self._answer = dict(event["message"])
            case "content_block_start":
                return self._started(event["index"], dict(event["content_block"]))
            case "content_block_delta":
                return self._more(event["index"], event["delta"])
            case "message_delta":
                self._answer |= event["delta"]
                told = object_at(event, "usage").items()  # of what was told before, null is no news
                counted = {name: count for name, count in told if count is not None}
                self._answer["usage"] = {**object_at(self._answer, "usage"), **counted}
            case "message_stop":
                self._stopped = True
            case _:
                pass  # ping, and whatever is new
        return []

    def whole(self) -> dict[str, Any] | None:
        if not self._stopped:
            return None
        for index, text in self._inputs.items():
            self._blocks[index]["input"] = _input(text) if text else {}
        blocks = [self._blocks[index] for index in sorted(self._blocks)]
        return {**self._answer, "content": blocks}

    def _started(self, index: int, block: dict[str, Any]) -> list[Delta]:
        self._blocks[index] = block
        if block["type"] == "tool_use":
            self._calls[index] = len(self._calls)
            self._inputs[index] = ""
            return [CallDelta(self._calls[index], block["id"], block["name"], "")]
        text = text_at(block, "text")
        return [TextDelta(text)] if block["type"] == "text" and text else []

    def _more(self, index: int, delta: Mapping[str, Any]) -> list[Delta]:
        block = self._blocks[index]
        match delta["type"]:
            case "text_delta":
                block["text"] = text_at(block, "text") + delta["text"]
                return [TextDelta(delta["text"])]
            case "thinking_delta":
                block["thinking"] = text_at(block, "thinking") + delta["thinking"]
                return [ReasoningDelta(delta["thinking"])]
            case "signature_delta":
                block["signature"] = delta["signature"]
            case "citations_delta":
                block["citations"] = [*objects_at(block, "citations"), delta["citation"]]
            case "input_json_delta":
                text = delta["partial_json"]
                self._inputs[index] = self._inputs.get(index, "") + text
                if index in self._calls and text:
                    return [CallDelta(self._calls[index], block["id"], block["name"], text)]
            case _:
                pass
        return []
