"""From a server's answer, or the lack of one, to the outcome of the call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from ..errors import ToolError
from ..limits import Observation
from ..operation import GraphQLOperation, HttpOperation
from ..result import ToolResult
from ..tool import Tool
from ..wire.problems import explain
from ..wire.reply import Reply, SendFailure
from ..wire.response import ResponseProblem, decode
from .retry import GiveUp


def answered(tool: Tool, reply: Reply, limits: Observation) -> ToolResult:
    """The result of a 2XX answer. Raises `ToolError` where it cannot be read."""
    metadata = facts(reply, limits)
    try:
        match tool.operation:
            case HttpOperation(accept=accept):
                data = decode(
                    reply.headers, reply.body, accept=accept, schema=lambda: tool.output_schema
                )
            case GraphQLOperation() as operation:
                from ..graphql_codec.answer import result_of

                return result_of(tool.name, operation, reply, metadata)
            case _:
                assert_never(tool.operation)
    except ResponseProblem as problem:  # what a write answered is lost, but it may be done
        if tool.effects.consequential:
            raise unknown_effect(tool, str(problem), metadata) from None
        raise ToolError(f"{tool.name}: {problem}", metadata=metadata) from None
    return ToolResult(outcome="ok", data=data, metadata=metadata)


def lost(tool: Tool, failure: SendFailure, verdict: GiveUp, attempts: int) -> ToolError:
    """No answer came. A write that may have reached the server must not be taken for undone."""
    metadata = {} if failure.status is None else {"status": failure.status}
    if verdict.outcome == "unknown_effect":
        reason = f"the answer was lost ({failure}){_repeated(attempts)}"
        return unknown_effect(tool, reason, metadata)
    text = f"{tool.name}: {failure}{_repeated(attempts)}"
    return ToolError(text, outcome=verdict.outcome, metadata=metadata)


def refused(
    tool: Tool,
    reply: Reply,
    limits: Observation,
    verdict: GiveUp,
    attempts: int,
    known: Mapping[str, object],
) -> ToolError:
    """What an answer that is no success means, in the server's words where it has any."""
    said = explain(reply.status, reply.headers, reply.body)
    if 300 <= reply.status < 400 and (location := reply.headers.get("location")):
        said = f"{said} (it points to {location[:200]}; only GET and HEAD are redirected)"
    metadata = {**facts(reply, limits), **known}
    if verdict.outcome == "unknown_effect":
        return unknown_effect(tool, f"{said}{_repeated(attempts)}", metadata)
    if "quota_gone" in known:
        said = f"{said} (the quota is used up: calling again soon will not help)"
    return ToolError(
        f"{tool.name}: {said}{_repeated(attempts)}",
        outcome=verdict.outcome,
        details=[{"status": reply.status, "body": body_of(reply)}],
        metadata=metadata,
    )


def body_of(reply: Reply) -> Any:
    """The body of a refusal as data, as text where it is not what it says."""
    try:
        return decode(reply.headers, reply.body, accept=("application/json",))
    except ResponseProblem:
        return reply.body.decode("utf-8", "replace")


def unknown_effect(tool: Tool, reason: str, metadata: Mapping[str, object]) -> ToolError:
    """A write whose answer says nothing of what it did."""
    return ToolError(
        f"{tool.name}: {reason}. It may have taken effect: look before calling it again",
        outcome="unknown_effect",
        metadata=metadata,
    )


def facts(reply: Reply, limits: Observation) -> dict[str, object]:
    """`status`, `headers` without cookies, and what the server says of limits.

    `retry_after` are seconds; `rate` is the tightest of its quotas: `limit`, `remaining` and
    `reset` in seconds, as far as they are said.
    """
    headers = {name: value for name, value in reply.headers.items() if name not in _COOKIES}
    metadata: dict[str, object] = {"status": reply.status, "headers": headers}
    if limits.retry_after is not None:
        metadata["retry_after"] = limits.retry_after
    told = [quota for quota in limits.quotas if quota.remaining is not None]
    if told:
        tightest = min(told, key=lambda quota: quota.remaining or 0.0)
        said = {name: getattr(tightest, name) for name in ("limit", "remaining", "reset")}
        metadata["rate"] = {name: value for name, value in said.items() if value is not None}
    return metadata


_COOKIES = frozenset(("set-cookie", "set-cookie2"))


def _repeated(attempts: int) -> str:
    return f" (after {attempts} attempts)" if attempts > 1 else ""
