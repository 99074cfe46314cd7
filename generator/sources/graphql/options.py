"""How a GraphQL schema is to be lowered: what the user and the presets say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .core import Text
from .selection.limits import Limits, Wishes


@dataclass(frozen=True, slots=True, kw_only=True)
class LowerOptions:
    """Everything that is not in the schema; keys of `tools` are as settings spell tools."""

    endpoint: str | None = None
    title: str = "GraphQL API"
    limits: Limits = field(default_factory=Limits)
    tools: Mapping[str, Wishes] = field(default_factory=dict[str, Wishes])
    include_deprecated: bool = False
    operations: tuple[Text, ...] = ()  # hand-written documents
    scalars: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    preset: str | None = None
    header: str | None = None  # the header that carries an API key
    get: bool = False  # queries by GET
    persisted: Literal["no", "apq", "trusted"] = "no"
    stream: Literal["sse", "websocket"] = "sse"
