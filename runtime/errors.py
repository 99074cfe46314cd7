"""How a call can end, and the one error that typed calls and `prepare` raise."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal[
    "ok",
    "error",
    "invalid_arguments",
    "denied",  # by a gate, an approver, or for want of credentials
    "unknown_tool",
    "rate_limited",
    "timeout",
    "cancelled",
    "unknown_effect",  # a write whose answer was lost
    "skipped",  # never started, because the run ended
]

Detail: TypeAlias = Mapping[str, object] | str


class ToolError(Exception):
    """A call that did not end well.

    `details` depend on `outcome`. `invalid_arguments`: one mapping a problem, with `pointer`
    (RFC 6901, into the arguments), `argument`, `reason` and, where it helps, `expected` (the
    schema of that place). `denied` for want of credentials: the scheme names. An answer of
    the server: one mapping with its `status` and `body`.

    `metadata` holds what is known of the exchange: `status`, `attempts`, `elapsed` in seconds,
    `retry_after` in seconds. No part of the error holds a credential of the toolset.
    """

    def __init__(
        self,
        message: str,
        *,
        outcome: Outcome = "error",
        details: Sequence[Detail] = (),
        metadata: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.outcome: Outcome = outcome
        self.details = tuple(details)
        self.metadata = dict(metadata or {})

    def __repr__(self) -> str:
        return f"ToolError({self.message!r}, outcome={self.outcome!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.message, self.outcome, self.details, self.metadata)


def words(error: BaseException) -> str:
    """What an exception says; one of others can fail even at that."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001
        return "it cannot say why"


def _rebuild(
    message: str, outcome: Outcome, details: tuple[Detail, ...], metadata: Mapping[str, object]
) -> ToolError:
    return ToolError(message, outcome=outcome, details=details, metadata=metadata)
