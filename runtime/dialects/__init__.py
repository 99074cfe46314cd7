"""Tools in each provider's own shape, with what that changed and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from .export import Change, Described, Export

__all__ = ["Change", "Described", "Export", "Provider", "export"]

Provider: TypeAlias = Literal["json-schema", "openai", "anthropic", "gemini", "mcp"]


def export(tools: Sequence[Described], provider: str, *, strict: bool) -> Export:
    """The tools as `provider` takes them.

    `strict` uses its strict mode for the tools that lose nothing by it, as far as a request's
    budget goes; their arguments must then go through `Export.restore`. Raises ValueError for a
    provider that is not known.
    """
    match provider:
        case "openai":
            from . import openai

            return openai.export(tools, strict=strict)
        case "anthropic":
            from . import anthropic

            return anthropic.export(tools, strict=strict)
        case "gemini":
            from . import gemini

            return gemini.export(tools)
        case "mcp":
            from . import plain

            return plain.mcp(tools)
        case "json-schema":
            from . import plain

            return plain.json_schema(tools)
        case _:
            known = ", ".join(get_args(Provider))
            raise ValueError(f"there is no description for {provider!r}; known are {known}")
