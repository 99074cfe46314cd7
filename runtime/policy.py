"""The gate at the execution edge: every call, whoever makes it, is proposed to one policy.

The pipeline asks after validation and before anything is sent. A policy is asked with the
final arguments, and again when something changed them since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from .canonical import digest
from .errors import words

if TYPE_CHECKING:
    from .gates.questions import Question
    from .operation import Effects, Gate
    from .result import ToolResult


class Gated(Protocol):
    """What a policy looks at in a tool, be it of a package or a plain function."""

    @property
    def name(self) -> str:
        """What a model calls it."""
        ...

    @property
    def effects(self) -> Effects:
        """What a call does to the world."""
        ...

    @property
    def gate(self) -> Gate:
        """When a call needs approval, and what must have run before."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A call about to be made: its tool, its final valid arguments, and for whom."""

    tool: Gated
    arguments: Mapping[str, Any]
    call_id: str | None = None
    run: str = ""
    principal: str = ""
    may_wait: bool = True  # False inside another call: a run cannot pause in the middle of one

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


class Waiting(BaseException):
    """A call cannot go on before its question is answered.

    It is no Exception, so that nothing between the gate and the loop takes it for a failure.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question.tool)
        self.question = question


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


async def decided(policy: Policy | None, proposal: Proposal) -> Decision:
    """The policy's decision, a denial for anything else it does: guards fail closed."""
    name = type(policy or AllowAll()).__name__
    try:
        decision = cast(object, await (policy or AllowAll()).decide(proposal))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a guard, it denies
        return Denied(by=name, reason=f"the policy failed: {type(error).__name__}: {words(error)}")
    if isinstance(decision, Allowed | Denied):
        return decision
    return Denied(by=name, reason="the policy answered neither Allowed nor Denied")


def witnessed(policy: Policy | None, proposal: Proposal, result: ToolResult) -> str:
    """Tell a policy that has a `witness(proposal, result)` what came of a call it allowed.

    The call is over, and its result stands whatever the policy does: where it fails, what
    there is to say of that.
    """
    witness = getattr(policy, "witness", None)
    if callable(witness):
        try:
            witness(proposal, result)
        except Exception as error:  # noqa: BLE001
            return f"The policy took no note of this call: it failed with {type(error).__name__}."
    return ""
