"""Gemini's generateContent.

Sources: the API reference, "Generating content"; "Function calling"; "Thought signatures": the
parts of a turn are sent back as they came, none merged with one that has a signature. The first
call of a turn must have one from Gemini 3 on; for turns of other models there is a word instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote

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
    ToolChoice,
    Usage,
    User,
)
from ..dialects import Export
from ..edge.arguments import read_arguments
from .failures import kind_of, message_of
from .members import count_at, object_at, objects_at, text_at
from .model import ModelError
from .provider import Assembly, ProviderModel

_FILTERED_WORDS = """
SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY
"""
_FILTERED: dict[str, Stop] = dict.fromkeys(_FILTERED_WORDS.split(), "filtered")
_STOPS: Mapping[str, Stop] = {"STOP": "end", "MAX_TOKENS": "length", **_FILTERED}
_UNSIGNED = "skip_thought_signature_validator"
_OLD = re.compile(r"gemini-[12]\b")  # these ask for no signature
_MODES = {"auto": "AUTO", "required": "ANY", "none": "NONE"}


class GeminiModel(ProviderModel):
    """A model of Google over the Gemini API."""

    provider: ClassVar[str] = "gemini"
    dialect: ClassVar[str] = "gemini"
    home: ClassVar[str] = "https://generativelanguage.googleapis.com/v1beta"
    environment: ClassVar[tuple[str, ...]] = ("GEMINI_API_KEY", "GOOGLE_API_KEY")

    def _headers(self, key: str | None) -> dict[str, Secret]:
        return {"x-goog-api-key": Secret(key)} if key else {}

    def _path(self, *, stream: bool) -> str:
        action = "streamGenerateContent?alt=sse" if stream else "generateContent"
        return f"/models/{quote(self.model.removeprefix('models/'), safe='')}:{action}"

    def _streaming(self) -> dict[str, Any]:
        return {}

    def _assembly(self) -> Assembly:
        return _Assembly()

    def _body(self, request: ModelRequest, sent: Export) -> dict[str, Any]:
        body: dict[str, Any] = {"contents": list(self._contents(request, sent))}
        if request.instructions:
            body["systemInstruction"] = {"parts": [{"text": request.instructions}]}
        if request.tools:
            body["tools"] = sent.payload
            body |= _choice(request.tool_choice, sent)
        if request.max_output_tokens is not None:
            body["generationConfig"] = {"maxOutputTokens": request.max_output_tokens}
        return body

    def _contents(self, request: ModelRequest, sent: Export) -> Iterator[dict[str, Any]]:
        """The turns; results of one turn's calls stand together."""
        known = self._known_ids(request)
        turn: dict[str, Any] | None = None
        for message in request.messages:
            role = "model" if isinstance(message, Assistant) else "user"
            parts = self._parts(message, sent, known)
            if not parts:
                continue
            if turn is not None and turn["role"] == role:
                turn["parts"] += parts
                continue
            if turn is not None:
                yield turn
            turn = {"role": role, "parts": parts}
        if turn is not None:
            yield turn

    def _known_ids(self, request: ModelRequest) -> frozenset[str]:
        """The ids that are Gemini's own, and not made here for want of one."""
        turns = [message.raw for message in request.messages if isinstance(message, Assistant)]
        parts = [part for raw in turns if self._own(raw) for part in _items(raw)]
        return frozenset(text_at(object_at(part, "functionCall"), "id") for part in parts)

    def _own(self, raw: Raw | None) -> bool:
        return raw is not None and raw.provider == self.provider

    def _parts(
        self, message: Message, sent: Export, known: frozenset[str]
    ) -> list[Mapping[str, Any]]:
        match message:
            case User():
                return [{"text": message.text}]
            case Observation():
                answer = {"error" if message.failed else "output": message.text}
                told: dict[str, Any] = {"name": sent.sent_name(message.name), "response": answer}
                if message.call_id in known:
                    told["id"] = message.call_id
                return [{"functionResponse": told}]
            case Assistant():
                raw = message.raw
                return _items(raw) if self._own(raw) else self._rebuilt(message, sent)

    def _rebuilt(self, message: Assistant, sent: Export) -> list[Mapping[str, Any]]:
        """A turn that another provider wrote."""
        text = message.text or message.refusal
        parts: list[Mapping[str, Any]] = [{"text": text}] if text else []
        name = self.model.removeprefix("models/")
        signature = {} if _OLD.match(name) else {"thoughtSignature": _UNSIGNED}
        for index, call in enumerate(message.calls):
            asked = {"name": sent.sent_name(call.name), "args": _given(call)}
            parts.append({"functionCall": asked, **({} if index else signature)})
        return parts

    def _failure(self, event: Mapping[str, Any]) -> ModelError | None:
        error = object_at(event, "error")
        if not error:
            return None
        return self._endpoint.error(message_of(error) or "it failed", kind=kind_of(error))

    def _response(self, answer: Mapping[str, Any], request: ModelRequest) -> ModelResponse:
        candidates = objects_at(answer, "candidates")
        candidate: Mapping[str, Any] = candidates[0] if candidates else {}
        parts = objects_at(object_at(candidate, "content"), "parts")
        calls = tuple(_calls(parts, len(request.messages)))
        blocked = text_at(object_at(answer, "promptFeedback"), "blockReason")
        reason = text_at(candidate, "finishReason") or blocked
        stop: Stop = "filtered" if blocked else _STOPS.get(reason, "other")
        if not candidates and not blocked:
            raise ValueError("there is neither a candidate nor a reason why")
        if stop == "end" and calls:
            stop = "calls"
        text = "".join(text_at(part, "text") for part in parts if not part.get("thought"))
        said = Assistant(
            text=text,
            calls=calls,
            refusal=f"The prompt was blocked: {blocked}" if blocked else None,
            raw=Raw(self.provider, tuple(parts)) if parts else None,
        )
        explained = text_at(candidate, "finishMessage")
        return ModelResponse(
            message=said,
            stop=stop,
            detail=f"{reason}: {explained}" if explained else reason,
            usage=_usage(object_at(answer, "usageMetadata")),
            model=text_at(answer, "modelVersion"),
            response_id=text_at(answer, "responseId"),
        )


def _items(raw: Raw | None) -> list[Mapping[str, Any]]:
    return [] if raw is None else list(raw.items)


def _usage(stated: Mapping[str, Any]) -> Usage:
    """Thoughts are not part of the candidates' tokens there."""
    thoughts = count_at(stated, "thoughtsTokenCount")
    return Usage(
        input_tokens=count_at(stated, "promptTokenCount")
        + count_at(stated, "toolUsePromptTokenCount"),
        output_tokens=count_at(stated, "candidatesTokenCount") + thoughts,
        cached_tokens=count_at(stated, "cachedContentTokenCount"),
        reasoning_tokens=thoughts,
    )


def _choice(choice: ToolChoice, sent: Export) -> dict[str, Any]:
    if choice.mode == "auto":
        return {}
    config: dict[str, Any] = {"mode": _MODES[choice.mode]}
    if choice.function is not None:
        config["allowedFunctionNames"] = [sent.sent_name(choice.function)]
    return {"toolConfig": {"functionCallingConfig": config}}


def _given(call: ToolCall) -> dict[str, Any]:
    try:
        return read_arguments(call.arguments)
    except ValueError:
        return {}


def _calls(parts: list[Mapping[str, Any]], turn: int) -> Iterator[ToolCall]:
    for index, part in enumerate(part for part in parts if "functionCall" in part):
        call = part["functionCall"]
        yield ToolCall(
            text_at(call, "id") or f"call_{turn}_{index}", call["name"], call.get("args") or {}
        )


class _Assembly(Assembly):
    def __init__(self) -> None:
        self._answer: dict[str, Any] = {}
        self._candidate: dict[str, Any] = {}
        self._parts: list[dict[str, Any]] = []
        self._calls = 0

    def add(self, event: Mapping[str, Any]) -> list[Delta]:
        self._answer |= {name: value for name, value in event.items() if name != "candidates"}
        candidates = objects_at(event, "candidates")
        if not candidates:
            return []
        self._candidate |= {n: value for n, value in candidates[0].items() if n != "content"}
        parts = objects_at(object_at(candidates[0], "content"), "parts")
        return [delta for part in parts for delta in self._part(dict(part))]

    def whole(self) -> dict[str, Any] | None:
        blocked = object_at(self._answer, "promptFeedback").get("blockReason")
        if not self._candidate.get("finishReason"):
            return self._answer if blocked else None
        content = {"role": "model", "parts": self._parts}
        return {**self._answer, "candidates": [{**self._candidate, "content": content}]}

    def _part(self, part: dict[str, Any]) -> list[Delta]:
        last = self._parts[-1] if self._parts else {}
        text = text_at(part, "text")
        thought = bool(part.get("thought"))
        if _plain(part) and _plain(last) and thought == bool(last.get("thought")):
            last["text"] += text
        else:
            self._parts.append(part)
        if "functionCall" in part:
            return [self._called(part["functionCall"])]
        if not text:
            return []
        return [ReasoningDelta(text) if thought else TextDelta(text)]

    def _called(self, call: Mapping[str, Any]) -> Delta:
        self._calls += 1
        text = json.dumps(call.get("args") or {}, ensure_ascii=False, separators=(",", ":"))
        return CallDelta(self._calls - 1, text_at(call, "id"), call["name"], text)


def _plain(part: Mapping[str, Any]) -> bool:
    """A part that is text, or a thought, and nothing more."""
    return "text" in part and not set(part) - {"text", "thought"}
