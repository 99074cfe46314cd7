"""The public names of toolmint.runtime: they may gain, they do not change."""

import inspect
import subprocess
import sys

import toolmint.runtime
from toolmint.runtime import Call, PreparedRequest, Tool, ToolError, ToolResult, Toolset


def public(kind: type) -> list[str]:
    return sorted(name for name in dir(kind) if not name.startswith("_"))


def test_runtime_exports() -> None:
    assert dir(toolmint.runtime) == [
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
        "UNSET",
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
    for name in toolmint.runtime.__all__:
        assert getattr(toolmint.runtime, name) is not None


def test_toolset() -> None:
    assert public(Toolset) == [
        "aclose",
        "call",
        "close",
        "describe",
        "export",
        "find",
        "graphql",
        "names",
        "prepare",
        "select",
    ]
    assert list(inspect.signature(Toolset.__init__).parameters)[1:] == [
        "credentials",
        "base_url",
        "variables",
        "client",
        "policy",
        "limits",
        "audit",
        "prefix",
        "bounds",
        "validation",
        "retry",
        "cache",
        "recovery",
        "surroundings",
    ]
    assert list(inspect.signature(Toolset.call).parameters) == [
        "self",
        "name",
        "arguments",
        "call_id",
    ]


def test_call() -> None:
    assert public(Call) == ["arguments", "execute", "prepare", "result", "run"]


def test_tool() -> None:
    assert public(Tool) == [
        "advertised_schema",
        "argument_names",
        "deprecated",
        "description",
        "document",
        "document_for",
        "effects",
        "execute",
        "gate",
        "group",
        "input_schema",
        "method",
        "name",
        "offers",
        "operation",
        "operation_id",
        "optional_credentials",
        "output_schema",
        "path",
        "problems",
        "rate_limit",
        "result_problems",
        "security",
        "spoken",
        "tags",
        "tokens",
        "trimmed",
    ]


def test_values() -> None:
    assert public(ToolResult) == ["data", "error", "metadata", "outcome", "success", "to_message"]
    assert public(PreparedRequest) == [
        "body",
        "headers",
        "method",
        "pending_credentials",
        "redacted",
        "url",
    ]
    assert sorted(vars(ToolError("x"))) == ["details", "message", "metadata", "outcome"]


def test_the_runtime_is_cheap_to_import() -> None:
    script = (
        "import sys, toolmint.runtime; "
        "late = ('operation', 'conversation', 'dialects', 'models'); "
        "print(any(f'toolmint.runtime.{name}' in sys.modules for name in late))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
