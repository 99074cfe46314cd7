"""From a server's answer, or the lack of one, to the outcome of the call."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import ToolError
from .problems import explain
from .reply import Reply, SendFailure
from .response import ResponseProblem, decode
from .result import ToolResult
from .tool import Tool


@dataclass(slots=True)
class Progress:
    """What is counted while a call runs."""

    started: float
    call_id: str | None
    attempts: int = 0

    def metadata(self) -> dict[str, object]:
        """`attempts`, `elapsed` seconds and the `call_id` that was given."""
        counted: dict[str, object] = {
            "attempts": self.attempts,
            "elapsed": round(time.monotonic() - self.started, 6),
        }
        return counted if self.call_id is None else {**counted, "call_id": self.call_id}


def answered(tool: Tool, reply: Reply, progress: Progress) -> ToolResult:
    """The result of a call that was answered. Raises `ToolError` for any answer but a 2XX."""
    metadata = _metadata(reply)
    if 200 <= reply.status < 300:
        data = _data(tool, reply, metadata)
        return ToolResult(outcome="ok", data=data, metadata={**metadata, **progress.metadata()})
    raise _refusal(tool, reply, metadata)


def lost(tool: Tool, failure: SendFailure) -> ToolError:
    """No answer came. A write that may have reached the server must not be taken for undone."""
    metadata = {} if failure.status is None else {"status": failure.status}
    if failure.reached and tool.effects.consequential:
        return _unknown_effect(tool, f"the answer was lost ({failure})", metadata)
    return ToolError(
        f"{tool.name}: {failure}",
        outcome="timeout" if failure.timeout else "error",
        metadata=metadata,
    )


def _data(tool: Tool, reply: Reply, metadata: Mapping[str, object]) -> Any:
    """The body as data. What a write answered cannot be read, but the write may be done."""
    try:
        return decode(reply.headers, reply.body, accept=tool.operation.accept)
    except ResponseProblem as problem:
        if tool.effects.consequential:
            raise _unknown_effect(tool, str(problem), metadata) from None
        raise ToolError(f"{tool.name}: {problem}", metadata=metadata) from None


def _refusal(tool: Tool, reply: Reply, metadata: Mapping[str, object]) -> ToolError:
    """What an answer that is no success means, in the server's words where it has any."""
    said = explain(reply.status, reply.headers, reply.body)
    if 300 <= reply.status < 400 and (location := reply.headers.get("location")):
        said = f"{said} (it points to {location[:200]}; only GET and HEAD are redirected)"
    return ToolError(
        f"{tool.name}: {said}",
        outcome="rate_limited" if reply.status == 429 else "error",
        details=[{"status": reply.status, "body": _body(reply)}],
        metadata=metadata,
    )


def _body(reply: Reply) -> Any:
    try:
        return decode(reply.headers, reply.body, accept=("application/json",))
    except ResponseProblem:
        return reply.body.decode("utf-8", "replace")


def _unknown_effect(tool: Tool, reason: str, metadata: Mapping[str, object]) -> ToolError:
    return ToolError(
        f"{tool.name}: {reason}. It may have taken effect: look before calling it again",
        outcome="unknown_effect",
        metadata=metadata,
    )


def _metadata(reply: Reply) -> dict[str, object]:
    """`status`, `headers` without cookies, and `retry_after` seconds where the server says so."""
    headers = {name: value for name, value in reply.headers.items() if name not in _COOKIES}
    metadata: dict[str, object] = {"status": reply.status, "headers": headers}
    wait = _retry_after(reply.headers)
    return metadata if wait is None else {**metadata, "retry_after": wait}


_COOKIES = frozenset(("set-cookie", "set-cookie2"))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait (RFC 9110 10.2.3: a number or a date, taken by the server's clock)."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    when, now = _date(text), _date(headers.get("date", ""))
    if when is None:
        return None
    return max(0.0, when - (time.time() if now is None else now))


def _date(text: str) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
