"""Who calls, and what is noted of a call while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .clock import Clock
from .policy import Policy

if TYPE_CHECKING:
    from .audit import Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What an entry (code, a loop, the command line) says of a call it makes.

    `policy` is the entry's own; it decides where the toolset was given none. `recording` is
    told how the call was recorded.
    """

    call_id: str | None = None
    run: str = ""
    principal: str = ""  # "": whoever the running task acts for
    policy: Policy | None = None
    recovers: bool = True  # False inside a recovery: one does not start another
    recording: Recording | None = None


@dataclass(slots=True)
class Progress:
    """The notes of one call; every step adds what it knows."""

    context: CallContext
    tool: str
    principal: str
    clock: Clock
    started: float  # by the clock's `monotonic`
    attempts: int = 0  # requests sent
    unanswered: int = 0  # of these, as far as is known now
    sending_since: float | None = None  # by `monotonic`; all requests share a call's time
    arguments: Mapping[str, Any] | None = None  # once they are known to be an object
    decision: str = ""
    decided_by: str = ""
    notes: list[str] = field(default_factory=list[str])  # sentences for the model
    facts: dict[str, object] = field(default_factory=dict[str, object])  # for the metadata

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return self.clock.monotonic() - self.started

    def metadata(self) -> dict[str, object]:
        """`attempts`, `elapsed`, the `call_id` that was given, and what the steps noted."""
        counted: dict[str, object] = {"attempts": self.attempts, "elapsed": round(self.elapsed, 6)}
        if self.context.call_id is not None:
            counted["call_id"] = self.context.call_id
        if self.notes:
            counted["notes"] = tuple(self.notes)
        return {**counted, **self.facts} if self.facts else counted
