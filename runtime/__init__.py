"""What a generated package runs on: httpx and jsonschema-rs, nothing of the generator.

Names are imported at their first use (PEP 562), so that a package costs what it uses.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agent.conversation import (
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
    from .agent.conversation_data import from_data, to_data
    from .agent.functions import FunctionTool
    from .agent.loading import Loader, loaders
    from .agent.loop import Agent
    from .agent.middleware import CallNext, Invocation, Middleware, Terminate
    from .agent.run_context import AgentTool, Context
    from .agent.run_state import RunState, StateError
    from .agent.steps import Answered, Asked, Decided, Described, Ended, Executed, RunResult, Step
    from .arguments import (
        Binary,
        Cookie,
        Encoding,
        Form,
        Header,
        Input,
        Json,
        JsonLines,
        Member,
        Multipart,
        Path,
        Query,
        QueryString,
        Text,
        WholeBody,
        Xml,
    )
    from .audit import Audit
    from .bounds import Bounds
    from .call import Call, ResultCall
    from .decorators import graphql, http
    from .dialects import Change, Export, Provider
    from .edge.recovery import Alternative, Fallback, Recovery
    from .edge.retry import RetryPolicy
    from .errors import Detail, Outcome, ToolError
    from .gates.approvals import Approval, Approvals, FolderLedger, Ledger, MemoryLedger
    from .gates.approvers import Approver, TerminalApprover
    from .gates.breaker import Budget, Price
    from .gates.questions import Question
    from .gates.run_policy import RunPolicy
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
        Effects,
        Gate,
        GraphQLOperation,
        HttpOperation,
        Paging,
        RateLimit,
        Server,
        Variable,
    )
    from .package import GraphQL, Package
    from .policy import AllowAll, Allowed, Denied, Policy, Proposal
    from .prepared import PreparedRequest
    from .result import ToolResult
    from .selection import Effect
    from .settings import Cache, Surroundings, Validation
    from .tool import Tool
    from .toolset import Toolset
    from .unset import UNSET, Unset

__all__ = [
    "UNSET",
    "Agent",
    "AgentTool",
    "AllowAll",
    "Allowed",
    "Alternative",
    "Answered",
    "AnthropicMessages",
    "Approval",
    "Approvals",
    "Approver",
    "Asked",
    "Assistant",
    "Audit",
    "Binary",
    "Bounds",
    "Budget",
    "Cache",
    "Call",
    "CallDelta",
    "CallNext",
    "Change",
    "Context",
    "Cookie",
    "Decided",
    "Delta",
    "Denied",
    "Described",
    "Detail",
    "Effect",
    "Effects",
    "Encoding",
    "Ended",
    "Executed",
    "Export",
    "Fallback",
    "FolderLedger",
    "Form",
    "FunctionTool",
    "Gate",
    "GeminiModel",
    "GraphQL",
    "GraphQLOperation",
    "Header",
    "HttpOperation",
    "Input",
    "Invocation",
    "Json",
    "JsonLines",
    "Ledger",
    "Loader",
    "Member",
    "MemoryLedger",
    "Message",
    "Middleware",
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
    "Price",
    "Proposal",
    "Provider",
    "Query",
    "QueryString",
    "Question",
    "RateLimit",
    "Raw",
    "ReasoningDelta",
    "Recovery",
    "RefusalDelta",
    "ResultCall",
    "RetryPolicy",
    "RunPolicy",
    "RunResult",
    "RunState",
    "ScriptedModel",
    "Server",
    "StateError",
    "Step",
    "Surroundings",
    "TerminalApprover",
    "Terminate",
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
    "loaders",
    "to_data",
]

_HOMES = {
    "agent.conversation": (
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
    "agent.conversation_data": ("from_data", "to_data"),
    "agent.functions": ("FunctionTool",),
    "agent.loading": ("Loader", "loaders"),
    "agent.loop": ("Agent",),
    "agent.middleware": ("CallNext", "Invocation", "Middleware", "Terminate"),
    "agent.run_context": ("AgentTool", "Context"),
    "agent.run_state": ("RunState", "StateError"),
    "agent.steps": (
        "Answered",
        "Asked",
        "Decided",
        "Described",
        "Ended",
        "Executed",
        "RunResult",
        "Step",
    ),
    "arguments": (
        "Binary",
        "Cookie",
        "Encoding",
        "Form",
        "Header",
        "Input",
        "Json",
        "JsonLines",
        "Member",
        "Multipart",
        "Path",
        "Query",
        "QueryString",
        "Text",
        "WholeBody",
        "Xml",
    ),
    "audit": ("Audit",),
    "bounds": ("Bounds",),
    "call": ("Call", "ResultCall"),
    "decorators": ("graphql", "http"),
    "dialects": ("Change", "Export", "Provider"),
    "edge.recovery": ("Alternative", "Fallback", "Recovery"),
    "edge.retry": ("RetryPolicy",),
    "errors": ("Detail", "Outcome", "ToolError"),
    "gates.approvals": ("Approval", "Approvals", "FolderLedger", "Ledger", "MemoryLedger"),
    "gates.approvers": ("Approver", "TerminalApprover"),
    "gates.breaker": ("Budget", "Price"),
    "gates.questions": ("Question",),
    "gates.run_policy": ("RunPolicy",),
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
    "operation": (
        "Effects",
        "Gate",
        "GraphQLOperation",
        "HttpOperation",
        "Paging",
        "RateLimit",
        "Server",
        "Variable",
    ),
    "package": ("GraphQL", "Package"),
    "policy": ("AllowAll", "Allowed", "Denied", "Policy", "Proposal"),
    "prepared": ("PreparedRequest",),
    "result": ("ToolResult",),
    "selection": ("Effect",),
    "settings": ("Cache", "Surroundings", "Validation"),
    "tool": ("Tool",),
    "toolset": ("Toolset",),
    "unset": ("UNSET", "Unset"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import an exported name from its home."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOME[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
