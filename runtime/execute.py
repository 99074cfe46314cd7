"""The one pipeline: resolve → parse → validate → prepare → credentials → send → decode → result."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from ..auth.choice import Choice, Exchange
from ..auth.choose import Missing
from ..auth.errors import AuthorizationNeeded, CredentialError
from ..auth.request import Answer, Outgoing
from .answer import Progress, answered, lost
from .arguments import read_arguments
from .errors import ToolError
from .operation import argument_name
from .prepared import PreparedRequest
from .redact import hide_in
from .refusal import RequestProblem
from .reply import Reply, SendFailure
from .request import build
from .result import ToolResult
from .servers import resolve
from .session import Session
from .tool import Tool, unknown_tool
from .validation import Problem, message
from .version import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Executor:
    """Runs the calls of one toolset. `tools` are those it may run, by name."""

    tools: Mapping[str, Tool]
    session: Session

    def prepare(self, name: str, arguments: object) -> PreparedRequest:
        """The request of a call; sends nothing. Raises `ToolError`."""
        try:
            request, choice = self._drafted(self._resolved(name), arguments)
            signed, pending = _static(choice, request)
        except ToolError as error:
            raise self._hidden(error) from None
        return PreparedRequest(
            signed.method,
            signed.url,
            signed.headers,
            signed.body,
            pending,
            self.session.credentials.hide,
        )

    async def execute(
        self, name: str, arguments: object, *, call_id: str | None = None
    ) -> ToolResult:
        """Run a call to its one outcome. Raises nothing but the cancellation of its task."""
        progress = Progress(time.monotonic(), call_id)
        return await self._guarded(self._run(name, arguments, progress), progress)

    async def answer(self, helper: Callable[[], object], call_id: str | None) -> ToolResult:
        """Run a helper, which sends nothing, to its one outcome."""
        progress = Progress(time.monotonic(), call_id)

        async def run() -> ToolResult:
            return ToolResult(outcome="ok", data=helper(), metadata=progress.metadata())

        return await self._guarded(run(), progress)

    async def _guarded(self, run: Awaitable[ToolResult], progress: Progress) -> ToolResult:
        try:
            return await run
        except ToolError as error:
            return self._failed(error, progress)
        except Exception as error:  # noqa: BLE001 - the promise: an agent's call never raises
            return self._failed(_internal(error), progress)

    async def _run(self, name: str, arguments: object, progress: Progress) -> ToolResult:
        tool = self._resolved(name)
        request, choice = self._drafted(tool, arguments)
        reply = await self._sent(tool, request, choice, progress)
        try:
            result = answered(tool, reply, progress)
        except ToolError as error:
            result = self._failed(error, progress)
        return self._shown(result, reply)

    def hide(self, text: str) -> str:
        """The text without any credential of the toolset."""
        return self.session.credentials.hide(text)

    def _resolved(self, name: str) -> Tool:
        tool = self.tools.get(name)
        if tool is None:
            raise unknown_tool(name, list(self.tools))
        return tool

    def _drafted(self, tool: Tool, arguments: object) -> tuple[Outgoing, Choice]:
        """The finished request without credentials, and those that belong on it."""
        checked = _checked(tool, _parsed(tool, arguments))
        try:
            server = resolve(
                tool.operation,
                self.session.package.servers,
                base_url=self.session.base_url,
                variables=self.session.variables,
            )
            draft = build(tool.operation, checked, server, schema=lambda: tool.input_schema)
        except RequestProblem as problem:
            raise _refused(tool, problem) from None
        headers = {**draft.headers, **self._own_headers(tool)}
        request = Outgoing(draft.method, draft.url, headers, draft.body)
        return request, self._chosen(tool)

    def _own_headers(self, tool: Tool) -> dict[str, str]:
        """What the runtime says of itself, and the key by which a server knows a repeated call."""
        headers = {"User-Agent": f"toolmint/{VERSION} {self.session.package.name}"}
        if tool.operation.idempotency_key is not None:
            headers[tool.operation.idempotency_key] = token_hex(16)
        return headers

    def _chosen(self, tool: Tool) -> Choice:
        try:
            choice = self.session.credentials.choose(tool.security)
        except CredentialError as error:
            raise _denied(error) from None
        if isinstance(choice, Missing):
            raise ToolError(
                f"{tool.name}: {choice.message}", outcome="denied", details=choice.names
            )
        return choice

    async def _sent(
        self, tool: Tool, request: Outgoing, choice: Choice, progress: Progress
    ) -> Reply:
        exchange = choice.exchange()
        private = frozenset(name for place, name in choice.carriers if place == "header")
        try:
            signed = await exchange.apply(request)
            reply = await self._attempt(signed, private, progress)
            again = await _again(exchange, signed, reply)
            if again is not None:
                reply = await self._attempt(again, private, progress)
            return reply
        except CredentialError as error:
            raise _denied(error) from None
        except SendFailure as failure:
            raise lost(tool, failure) from None

    async def _attempt(
        self, request: Outgoing, private: frozenset[str], progress: Progress
    ) -> Reply:
        progress.attempts += 1
        return await self.session.transport.send(request, private)

    def _shown(self, result: ToolResult, reply: Reply) -> ToolResult:
        """The result without the toolset's credentials, should the server have echoed one."""
        body = reply.body.decode("utf-8", "replace").replace("\\/", "/")
        seen = "\n".join((*reply.headers.values(), body))
        if self.session.credentials.hide(seen) == seen:
            return result
        return ToolResult(
            outcome=result.outcome,
            data=hide_in(result.data, self.session.credentials.hide),
            error=result.error and self._hidden(result.error),
            metadata=hide_in(result.metadata, self.session.credentials.hide),
        )

    def _failed(self, error: ToolError, progress: Progress) -> ToolResult:
        metadata = {**error.metadata, **progress.metadata()}
        told = ToolError(
            error.message, outcome=error.outcome, details=error.details, metadata=metadata
        )
        shown = self._hidden(told)
        return ToolResult(outcome=shown.outcome, error=shown, metadata=shown.metadata)

    def _hidden(self, error: ToolError) -> ToolError:
        hide = self.session.credentials.hide
        return ToolError(
            hide(error.message),
            outcome=error.outcome,
            details=hide_in(error.details, hide),
            metadata=hide_in(error.metadata, hide),
        )


def _parsed(tool: Tool, arguments: object) -> Mapping[str, object]:
    try:
        given = read_arguments(arguments)
    except ValueError as error:
        raise _invalid(tool, [Problem("", None, str(error))]) from None
    own = {argument_name(argument) for argument in tool.operation.arguments}
    if given.keys() <= own:
        return given
    from .dialects.names import own_names  # a provider may not take all names as they are

    return own_names(own, given)


def _checked(tool: Tool, arguments: Mapping[str, object]) -> Mapping[str, Any]:
    problems = tool.problems(arguments)
    if problems:
        raise _invalid(tool, problems)
    return arguments


def _static(choice: Choice, request: Outgoing) -> tuple[Outgoing, tuple[str, ...]]:
    try:
        return choice.static(request)
    except CredentialError as error:
        raise _denied(error) from None


async def _again(exchange: Exchange, signed: Outgoing, reply: Reply) -> Outgoing | None:
    return await exchange.again(signed, Answer(reply.status, reply.headers, reply.body))


def _invalid(tool: Tool, problems: list[Problem]) -> ToolError:
    return ToolError(
        message(tool.name, problems),
        outcome="invalid_arguments",
        details=[problem.detail() for problem in problems],
    )


def _refused(tool: Tool, problem: RequestProblem) -> ToolError:
    """Valid arguments that cannot travel, or settings that make no request."""
    if problem.argument is None:
        return ToolError(f"{tool.name}: {problem.reason}", outcome="error")
    return _invalid(tool, [Problem(problem.pointer, problem.argument, problem.reason)])


def _denied(error: CredentialError) -> ToolError:
    details: list[dict[str, object]] = []
    if isinstance(error, AuthorizationNeeded):
        details.append({"url": error.url, "code": error.code})
    return ToolError(str(error), outcome="denied", details=details)


def _internal(error: Exception) -> ToolError:
    """A fault of ours, or of a function that was passed in; where it happened, for a report."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f"{at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}" if at else "unknown"
    return ToolError(
        f"internal error: {type(error).__name__}: {error}", outcome="error", details=[{"at": place}]
    )
