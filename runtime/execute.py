"""The one pipeline of every call, whoever makes it.

resolve → read the arguments → mend → validate → draft the request → ask the policy → cache →
(limit → sign → send)* → decode → check → redact → record → result
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from ..auth.acting import acting_for, principal
from ..auth.choice import Choice
from ..auth.errors import CredentialError
from ..auth.request import Outgoing
from .context import CallContext, Progress
from .edge.draft import Draft, drafted
from .edge.ending import Ending
from .edge.failures import unauthorised
from .edge.intake import Taken, take
from .edge.recovery import Recovery, recover
from .edge.shared import Shared
from .errors import ToolError
from .policy import Allowed, Policy, Proposal, decided, witnessed
from .prepared import PreparedRequest
from .result import ToolResult, briefly
from .session import Session
from .shown.ours import OURS
from .tool import Tool, unknown_tool
from .wire.values import is_object

NO_CONTEXT = CallContext()
STILL_THERE = 6  # tools that are named to a model when one has failed for good


class Executor:
    """Runs the calls of one toolset. `tools` are those it may run, by name."""

    def __init__(self, *, tools: Mapping[str, Tool], session: Session, shared: Shared) -> None:
        self.tools = tools
        self.session = session
        self._shared = shared
        self._ending = Ending(tools, session)

    def prepare(self, name: str, arguments: object) -> PreparedRequest:
        """The request of a call; sends nothing. Raises `ToolError`."""
        try:
            return self._prepared(name, arguments)
        except ToolError as error:
            shown = self._ending.hidden(error)
        raise shown  # out here, where it takes nothing along of what it hides

    async def execute(
        self, name: str, arguments: object, context: CallContext = NO_CONTEXT
    ) -> ToolResult:
        """Run a call to its one outcome. Raises nothing but the cancellation of its task."""
        if context.principal and context.principal != principal():
            with acting_for(context.principal):
                return await self.execute(name, arguments, context)
        progress = self._begun(name, arguments, context)
        return await self._ending.recorded(self._whole(name, arguments, progress), progress)

    async def answer(
        self, name: str, helper: Callable[[], object], context: CallContext
    ) -> ToolResult:
        """Run a helper, which sends nothing, to its one outcome."""
        progress = self._begun(name, None, context)
        progress.decision, progress.decided_by = "allowed", "helper"

        async def run() -> ToolResult:
            return ToolResult(outcome="ok", data=helper())

        return await self._ending.recorded(self._ending.guarded(run(), progress), progress)

    def hide(self, text: str) -> str:
        """The text without any credential of the toolset."""
        return self.session.credentials.hide(text)

    # ── the steps ───────────────────────────────────────────────────────────────────

    def _prepared(self, name: str, arguments: object) -> PreparedRequest:
        tool = self._resolved(name)
        taken = self._taken(tool, arguments)
        draft = drafted(tool, taken.arguments, self.session, paths=taken.paths)
        signed, pending = _static(draft.choice, draft.request)
        shown = draft.choice.shown(draft.request, pending)
        return PreparedRequest(
            signed.method, signed.url, signed.headers, signed.body, pending, shown, self.hide
        )

    async def _whole(self, name: str, arguments: object, progress: Progress) -> ToolResult:
        """A call, and then the other ways that are declared for its tool."""
        result = await self._ending.guarded(self._run(name, arguments, progress), progress)
        recovery = self.session.recovery.get(name)
        if recovery is None or not progress.context.recovers:
            return result
        if not recovery.answers(result.outcome):  # arguments are to be corrected, for instance
            return result
        return await self._recovered(result, recovery, arguments, progress)

    async def _run(self, name: str, given: object, progress: Progress) -> ToolResult:
        tool = self._resolved(name)
        taken = self._valid(tool, given, progress)
        draft = drafted(tool, taken.arguments, self.session, paths=taken.paths)
        policy = self._policy(progress)
        if policy is None:
            progress.decision, progress.decided_by = "allowed", "code"
            return await self._shared.reading.read(draft, taken, progress)
        proposal = _proposal(draft, progress)
        await _allowed(proposal, policy, progress)
        result = await self._shared.reading.read(draft, taken, progress)
        if failed := witnessed(policy, proposal, result):
            progress.notes.append(failed)
        return result

    def _resolved(self, name: str) -> Tool:
        tool = self.tools.get(name)
        if tool is None:
            raise unknown_tool(name, list(self.tools))
        return tool

    def _taken(self, tool: Tool, given: object) -> Taken:
        session = self.session
        return take(tool, given, repair=session.validation.repair, key=lambda: session.page_key)

    def _valid(self, tool: Tool, given: object, progress: Progress) -> Taken:
        corrections, run = self._shared.corrections, progress.context.run
        try:
            taken = self._taken(tool, given)
        except ToolError as error:
            if corrections is None:
                raise
            raise corrections.asked(run, tool.name, error) from None
        if corrections is not None:
            corrections.cleared(run, tool.name)
        progress.arguments = taken.arguments
        if taken.changes:
            progress.facts["repaired"] = taken.changes
            progress.notes.append(f"The arguments were mended: {'; '.join(taken.changes)}.")
        return taken

    def _policy(self, progress: Progress) -> Policy | None:
        """The toolset's own, or else that of the entry."""
        return self.session.policy or progress.context.policy

    # ── other ways ──────────────────────────────────────────────────────────────────

    async def _recovered(
        self, first: ToolResult, recovery: Recovery, given: object, progress: Progress
    ) -> ToolResult:
        """The result of another way, or the failure with what is missing and what is left."""
        name, context = progress.tool, progress.context
        beside = {key: given[key] for key in OURS if key in given} if is_object(given) else {}
        tries = 0

        async def call(tool: str, arguments: Mapping[str, Any]) -> ToolResult:
            nonlocal tries
            tries += 1
            call_id = None if context.call_id is None else f"{context.call_id}/{tries}"
            again = {**arguments, **beside} if tool == name else arguments
            return await self.execute(
                tool, again, replace(context, call_id=call_id, recovers=False)
            )

        found = await recover(first, recovery, name, progress.arguments or {}, call)
        facts = dict(found.result.metadata)
        notes = _notes(facts)
        if found.way is not None:
            facts |= {**self._ending.noted(progress), "recovered_by": found.way.tool}
            notes = (*_notes(first.metadata), *notes)
        why = _why if found.way is None else _in_brief
        facts["notes"] = (*notes, found.note(why, self._still_there(name)))
        return replace(found.result, metadata=facts)

    def _still_there(self, failed: str) -> list[str]:
        """Tools near the one that failed: a model may find another way by itself."""
        group = self.tools[failed].group if failed in self.tools else None
        near = [tool.name for tool in self.tools.values() if tool.group == group]
        return [name for name in near if name != failed][:STILL_THERE]

    # ── inside ──────────────────────────────────────────────────────────────────────

    def _begun(self, name: str, arguments: object, context: CallContext) -> Progress:
        clock = self.session.surroundings.clock
        given = arguments if is_object(arguments) else None
        return Progress(context, name, principal(), clock, clock.monotonic(), arguments=given)


def _proposal(draft: Draft, progress: Progress) -> Proposal:
    return Proposal(
        tool=draft.tool,
        arguments=draft.arguments,
        call_id=progress.context.call_id,
        run=progress.context.run,
        principal=progress.principal,
        may_wait=progress.context.recovers,
    )


async def _allowed(proposal: Proposal, policy: Policy, progress: Progress) -> None:
    """Return only when the policy allows this very call."""
    decision = await decided(policy, proposal)
    progress.decided_by = decision.by
    progress.decision = "allowed" if isinstance(decision, Allowed) else "denied"
    if not isinstance(decision, Allowed):
        raise ToolError(f"{proposal.tool.name}: {decision.reason}", outcome="denied")


def _notes(metadata: Mapping[str, object]) -> tuple[str, ...]:
    return cast("tuple[str, ...]", metadata.get("notes", ()))


def _why(result: ToolResult) -> str:
    """In the server's words, for a failure, whose message is one JSON text."""
    return str(result.error) if result.error is not None else result.outcome


def _in_brief(result: ToolResult) -> str:
    """For a success, whose notes stand outside the marks that others' words stand in."""
    return briefly(result)


def _static(choice: Choice, request: Outgoing) -> tuple[Outgoing, tuple[str, ...]]:
    try:
        return choice.static(request)
    except CredentialError as error:
        raise unauthorised(error) from None
