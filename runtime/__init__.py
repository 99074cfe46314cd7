"""What a generated package runs on: httpx and jsonschema-rs, nothing of the generator.

Names are imported at their first use (PEP 562), so that a package costs what it uses.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .audit import Audit
    from .bounds import Bounds
    from .call import Call, ResultCall
    from .conversation import (
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
        TextDelta,
        ToolCall,
        ToolChoice,
        ToolSpec,
        Usage,
        User,
    )
    from .conversation_data import from_data, to_data
    from .dialects import Change, Export, Provider
    from .errors import Detail, Outcome, ToolError
    from .group import ToolGroup
    from .models import (
        AnthropicMessages,
        GeminiModel,
        Model,
        ModelError,
        OpenAIChat,
        OpenAIResponses,
        ScriptedModel,
    )
    from .operation import (
        Binary,
        Cookie,
        Effects,
        Encoding,
        Form,
        Gate,
        GraphQLOperation,
        Header,
        HttpOperation,
        Input,
        Json,
        JsonLines,
        Member,
        Multipart,
        Paging,
        Path,
        Query,
        QueryString,
        RateLimit,
        Server,
        Text,
        Variable,
        WholeBody,
        Xml,
        graphql,
        http,
    )
    from .package import GraphQL, Package
    from .policy import AllowAll, Allowed, Denied, Policy, Proposal
    from .prepared import PreparedRequest
    from .recovery import Alternative, Fallback, Recovery
    from .result import ToolResult
    from .retry import RetryPolicy
    from .settings import Cache, Surroundings, Validation
    from .tool import Tool
    from .toolset import Effect, Toolset
    from .unset import UNSET, Unset

__all__ = [
    "UNSET",
    "AllowAll",
    "Allowed",
    "Alternative",
    "AnthropicMessages",
    "Assistant",
    "Audit",
    "Binary",
    "Bounds",
    "Cache",
    "Call",
    "CallDelta",
    "Change",
    "Cookie",
    "Delta",
    "Denied",
    "Detail",
    "Effect",
    "Effects",
    "Encoding",
    "Export",
    "Fallback",
    "Form",
    "Gate",
    "GeminiModel",
    "GraphQL",
    "GraphQLOperation",
    "Header",
    "HttpOperation",
    "Input",
    "Json",
    "JsonLines",
    "Member",
    "Message",
    "Model",
    "ModelError",
    "ModelRequest",
    "ModelResponse",
    "Multipart",
    "Observation",
    "OpenAIChat",
    "OpenAIResponses",
    "Outcome",
    "Package",
    "Paging",
    "Path",
    "Policy",
    "PreparedRequest",
    "Proposal",
    "Provider",
    "Query",
    "QueryString",
    "RateLimit",
    "Raw",
    "ReasoningDelta",
    "Recovery",
    "RefusalDelta",
    "ResultCall",
    "RetryPolicy",
    "ScriptedModel",
    "Server",
    "Surroundings",
    "Text",
    "TextDelta",
    "Tool",
    "ToolCall",
    "ToolChoice",
    "ToolError",
    "ToolGroup",
    "ToolResult",
    "ToolSpec",
    "Toolset",
    "Unset",
    "Usage",
    "User",
    "Validation",
    "Variable",
    "WholeBody",
    "Xml",
    "from_data",
    "graphql",
    "http",
    "to_data",
]

_HOMES = {
    "audit": ("Audit",),
    "policy": (
        "AllowAll",
        "Allowed",
        "Denied",
        "Policy",
        "Proposal",
    ),
    "recovery": (
        "Alternative",
        "Fallback",
        "Recovery",
    ),
    "retry": ("RetryPolicy",),
    "settings": (
        "Cache",
        "Surroundings",
        "Validation",
    ),
    "bounds": ("Bounds",),
    "call": ("Call", "ResultCall"),
    "conversation": (
        "Assistant",
        "CallDelta",
        "Delta",
        "Message",
        "ModelRequest",
        "ModelResponse",
        "Observation",
        "Raw",
        "ReasoningDelta",
        "RefusalDelta",
        "TextDelta",
        "ToolCall",
        "ToolChoice",
        "ToolSpec",
        "Usage",
        "User",
    ),
    "conversation_data": ("from_data", "to_data"),
    "dialects": ("Change", "Export", "Provider"),
    "errors": ("Detail", "Outcome", "ToolError"),
    "group": ("ToolGroup",),
    "models": (
        "AnthropicMessages",
        "GeminiModel",
        "Model",
        "ModelError",
        "OpenAIChat",
        "OpenAIResponses",
        "ScriptedModel",
    ),
    "package": ("GraphQL", "Package"),
    "prepared": ("PreparedRequest",),
    "result": ("ToolResult",),
    "tool": ("Tool",),
    "toolset": ("Effect", "Toolset"),
    "unset": ("UNSET", "Unset"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import an exported name; most are of `operation`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOME.get(name, 'operation')}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
