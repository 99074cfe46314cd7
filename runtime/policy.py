"""The gate at the execution edge: every call, whoever makes it, is proposed to one policy.

The pipeline asks after validation and before anything is sent. A policy is asked with the
final arguments, and again when something changed them since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from .canonical import digest

if TYPE_CHECKING:
    from .tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A call about to be made: its tool, its final valid arguments, and for whom."""

    tool: Tool
    arguments: Mapping[str, Any]
    call_id: str | None = None
    run: str = ""
    principal: str = ""

    @property
    def digest(self) -> str:
        """What an approval is bound to: the tool and exactly these arguments."""
        return digest([self.tool.name, self.arguments])


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The call may be made, once."""

    by: str  # the policy, rule or approver that took the decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """The call must not be made; `reason` is told to the caller."""

    by: str
    reason: str


Decision: TypeAlias = Allowed | Denied


class Policy(Protocol):
    """Decides about proposed calls. One that raises, or answers anything else, denies."""

    async def decide(self, proposal: Proposal) -> Decision:
        """Allow this very call, or deny it with a reason."""
        ...


class AllowAll:
    """What a toolset called from code has: its author decided by writing the call."""

    async def decide(self, proposal: Proposal) -> Decision:
        """Allow it."""
        return Allowed(by="code")
