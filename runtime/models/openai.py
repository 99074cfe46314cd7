"""What OpenAI's two APIs have in common: where they are, the key, how a call is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...auth.secret import Secret
from ..agent.conversation import ModelRequest, ToolCall
from ..dialects import Export
from .provider import ProviderModel


class OpenAIModel(ProviderModel):
    """A model of OpenAI, over either API."""

    dialect: ClassVar[str] = "openai"
    home: ClassVar[str] = "https://api.openai.com/v1"
    environment: ClassVar[tuple[str, ...]] = ("OPENAI_API_KEY",)

    def _headers(self, key: str | None) -> dict[str, Secret]:
        return {"Authorization": Secret(f"Bearer {key}")} if key else {}


def tool_members(
    request: ModelRequest, sent: Export, function: Callable[[str], Mapping[str, Any]]
) -> dict[str, Any]:
    """What a body says of how tools are used; `function` names the one that must be."""
    members: dict[str, Any] = {}
    choice = request.tool_choice
    if choice.function is not None:
        named = function(sent.sent_name(choice.function))
        members["tool_choice"] = {"type": "function", **named}
    elif choice.mode != "auto":
        members["tool_choice"] = choice.mode
    if not request.parallel_calls:
        members["parallel_tool_calls"] = False
    return members


def arguments_text(call: ToolCall) -> str:
    """A call's arguments as the JSON text that goes back to a model."""
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(call.arguments, ensure_ascii=False, separators=(",", ":"))
