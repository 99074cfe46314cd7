"""Middleware: an onion of functions around each call of a run.

Each is `async def name(context, call_next)`. It may look at and change `context.arguments`, as
the model wrote them, before `await call_next()`, and `context.result` after it; setting
`context.result` and not calling on answers the model without running the tool.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..edge.failures import internal
from ..errors import ToolError, words
from ..policy import Waiting
from ..result import Telling, ToolResult

if TYPE_CHECKING:
    from .run_context import AgentTool, Context

CallNext: TypeAlias = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Invocation:
    """One call on its way in and out. `arguments` are raw, even invalid; `result` is the answer.

    A `result` that is no `ToolResult` counts as the data of one that went well.
    """

    tool: AgentTool
    arguments: Any
    context: Context
    result: Any = None
    notes: dict[str, Any] = field(default_factory=dict[str, Any])  # for middleware to share
    ran: bool = False  # the call has come to the tool

    @property
    def call_id(self) -> str:
        """The model's id of the call."""
        return self.context.call.call_id or ""


Middleware: TypeAlias = Callable[[Invocation, CallNext], Awaitable[None]]


class Terminate(Exception):
    """Ends the run after the calls of this turn. `text` is what the run then says."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text or "a middleware ended the run")
        self.text = text


class Misused(Exception):
    """A middleware did what it must not; the model is told."""


async def invoke(invocation: Invocation, middleware: Sequence[Middleware]) -> ToolResult:
    """Run a call through the onion to its one outcome. Raises `Terminate` and nothing else.

    An exception before the tool ran denies the call; one after it says that it ran.
    """
    onion = _Onion(invocation, middleware)
    try:
        await onion.layer(0)
    except Terminate as end:
        if invocation.result is not None:
            raise _Terminated(end, answered(invocation)) from None
        raise
    except Misused as error:
        return _failed(invocation, onion, str(error), "error")
    except Exception as error:  # noqa: BLE001 - a middleware is a guard: whatever fails, denies
        reason = f"a middleware failed: {type(error).__name__}: {words(error)}"
        return _failed(invocation, onion, reason, "denied")
    return answered(invocation)


class _Terminated(Terminate):
    """The end of a run by a middleware that had an answer for this call."""

    def __init__(self, end: Terminate, result: ToolResult) -> None:
        super().__init__(end.text)
        self.result = result


def result_of(end: Terminate) -> ToolResult | None:
    """The answer to the call that ended the run, if it had one."""
    return end.result if isinstance(end, _Terminated) else None


def answered(invocation: Invocation) -> ToolResult:
    """What was set as the result."""
    result = invocation.result
    if isinstance(result, ToolResult):
        return result
    return ToolResult(outcome="ok", data=result, _telling=Telling(tool=invocation.tool.name))


@dataclass(slots=True)
class _Onion:
    invocation: Invocation
    middleware: Sequence[Middleware]
    ran: ToolResult | None = None
    ended: Exception | Waiting | None = None  # what kept the call from running

    async def layer(self, index: int) -> None:
        """One middleware, or the tool itself inside of all."""
        invocation = self.invocation
        if index == len(self.middleware):
            invocation.result = self.ran = await self.run()
            return
        current, called, returned = self.middleware[index], False, False
        name = getattr(current, "__name__", type(current).__name__)

        async def call_next() -> None:
            nonlocal called
            if called:
                raise Misused(f"the middleware {name} called on twice")
            if returned:
                raise Misused(f"the middleware {name} called on after it had answered")
            called = True
            try:
                await self.layer(index + 1)
            except (Exception, Waiting) as end:
                self.ended = end
                raise

        await current(invocation, call_next)
        returned = True
        if invocation.result is not None or self.ran is not None:
            return
        if self.ended is not None:
            raise self.ended  # a layer further out took no notice of it: it stays what it was
        what = "did not wait for the call" if called else "neither called on nor set a result"
        raise Misused(f"the middleware {name} {what}")

    async def run(self) -> ToolResult:
        """What the tool makes of the call; one that raises, which it must not, failed."""
        invocation = self.invocation
        invocation.ran = True
        try:
            return await invocation.tool.execute(invocation.arguments, invocation.context)
        except Exception as error:  # noqa: BLE001
            failed = internal(error)
            return ToolResult(outcome=failed.outcome, error=failed)


def _failed(invocation: Invocation, onion: _Onion, reason: str, outcome: Any) -> ToolResult:
    text = f"{invocation.tool.name}: {reason}"
    if onion.ran is None:
        error = ToolError(text, outcome=outcome)
    else:
        took = "it may have taken effect" if onion.ran.outcome == "ok" else "see its outcome"
        error = ToolError(f"{text}; the call had run ({onion.ran.outcome}): {took}")
    return ToolResult(outcome=error.outcome, error=error)
