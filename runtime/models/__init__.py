"""Models: providers over HTTP without their SDKs, and a scripted one. Each loads when used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .anthropic import AnthropicMessages
    from .gemini import GeminiModel
    from .model import Model, ModelError
    from .openai_chat import OpenAIChat
    from .openai_responses import OpenAIResponses
    from .scripted import ScriptedModel

__all__ = [
    "AnthropicMessages",
    "GeminiModel",
    "Model",
    "ModelError",
    "OpenAIChat",
    "OpenAIResponses",
    "ScriptedModel",
    "model_named",
]

_HOMES = {
    "AnthropicMessages": "anthropic",
    "GeminiModel": "gemini",
    "Model": "model",
    "ModelError": "model",
    "OpenAIChat": "openai_chat",
    "OpenAIResponses": "openai_responses",
    "ScriptedModel": "scripted",
}
PROVIDERS = {
    "openai": "OpenAIResponses",
    "openai-chat": "OpenAIChat",
    "anthropic": "AnthropicMessages",
    "gemini": "GeminiModel",
}
"""What may stand before the colon of a model's full name."""


def model_named(name: str, **settings: Any) -> Model:
    """The model of a full name, `openai:gpt-5`, made with the settings of its class.

    Raises ValueError for a provider that is not known, and `ModelError` without a key.
    """
    provider, colon, model = name.partition(":")
    if provider not in PROVIDERS or not colon or not model:
        known = ", ".join(f"{provider}:NAME" for provider in PROVIDERS)
        raise ValueError(f"a model is {known}; not {name!r}")
    made: Model = __getattr__(PROVIDERS[provider])(model, **settings)
    return made


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
