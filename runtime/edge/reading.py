"""The answers of a call: kept and shared where it only reads, checked, page after page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ...auth.acting import principal
from ...auth.errors import CredentialError
from ...auth.logs import Hide
from ..context import Progress
from ..errors import ToolError
from ..result import ToolResult, briefly
from ..schemas import own
from ..shown.redact import hide_in
from ..tool import Tool
from ..wire.media import media_type
from ..wire.reply import Reply, SendFailure
from .answer import answered, unknown_effect
from .cache import Cached, ResultCache, cache_key
from .draft import Draft, drafted, following
from .failures import unauthorised
from .findings import found_in, in_brief, problems_of
from .intake import Taken
from .pages import token_of, walk
from .paging import ByUrl, Page, Step, as_in, merged, next_step
from .projection import project

if TYPE_CHECKING:
    from ..operation import Paging
    from ..session import Session
    from .attempts import Sender, Sent


@dataclass(frozen=True, slots=True)
class Read:
    """One answer, or the failure to get one; `size` are the bytes of its body."""

    result: ToolResult
    url: str = ""
    size: int = 0
    notes: tuple[str, ...] = ()  # sentences for the model

    @property
    def passes(self) -> bool:
        """Whether a failure says nothing of the thing itself: an old result may stand in for it."""
        failed = self.result
        status = failed.metadata.get("status")
        refused = isinstance(status, int) and 400 <= status < 500
        return failed.outcome in ("timeout", "rate_limited") or (
            failed.outcome == "error" and not refused
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """Gets what a call asks for, for the calls of one session."""

    session: Session
    sender: Sender
    cache: ResultCache[Read] | None

    async def read(self, draft: Draft, taken: Taken, progress: Progress) -> ToolResult:
        """The result of an allowed call: its page or pages, and the parts that were asked for.

        Raises `ToolError`, or gives a result that holds one.
        """
        if isinstance(taken.step, ByUrl):
            draft = draft.at(taken.step.url)
        first = await self._one(draft, progress)
        result = first.result
        if result.success and draft.tool.effects.pure:
            result = await self._walked(draft, first, taken, progress)
        if taken.paths and result.success and not draft.has_chosen:
            result = replace(result, data=project(result.data, taken.paths))
        return result

    # ── pages ───────────────────────────────────────────────────────────────────────

    async def _walked(
        self, draft: Draft, first: Read, taken: Taken, progress: Progress
    ) -> ToolResult:
        """The first answer, those that follow if they were asked for, and the way to the rest."""
        paging, names = draft.tool.operation.paging, draft.tool.argument_names
        if taken.page.pages == 1:
            step = next_step(_page(draft, first), names, paging)
            return self._going_on(draft.tool, first.result, step, progress)
        reached, reads = draft, [first]
        failed: list[ToolResult] = []

        async def fetch(step: Step) -> Page | None:
            nonlocal reached
            try:
                reached = self._following(reached, step)
                read = await self._one(reached, progress)
            except ToolError as error:
                failed.append(_failed(error).result)
                return None
            if not read.result.success:
                failed.append(read.result)
                return None
            reads.append(read)
            return _page(reached, read)

        walked = await walk(
            _page(draft, first), fetch, pages=taken.page.pages, names=names, declared=paging
        )
        if failed:
            progress.notes.append(f"The next page could not be read: {briefly(failed[0])}.")
        if walked.stopped in _UNFOLLOWED:
            progress.notes.append(_UNFOLLOWED[walked.stopped])
        data = _merged([page.data for page in walked.pages], paging)
        results = [read.result for read in reads[: len(walked.pages)]]
        found = found_in(results) if len(results) > 1 else {}
        metadata = {**first.result.metadata, **found, "pages": len(walked.pages)}
        joined = replace(first.result, data=data, metadata=metadata)
        return self._going_on(draft.tool, joined, walked.next, progress)

    def _going_on(
        self, tool: Tool, result: ToolResult, step: Step | None, progress: Progress
    ) -> ToolResult:
        """The result, with the way to the page after it where there is one."""
        if step is None:
            return result
        token = token_of(step, self.session.page_key, tool.name)
        if token is None:
            progress.notes.append(
                "More results follow, but the way to them is too long to hand on."
            )
            return result
        return replace(result, metadata={**result.metadata, "next_page": token})

    def _following(self, draft: Draft, step: Step) -> Draft:
        if isinstance(step, ByUrl):
            return draft.at(step.url)
        arguments = {**draft.arguments, **step.arguments}
        problems = draft.tool.problems(arguments)
        if problems:
            raise ToolError(f"the next page has no valid arguments: {problems[0].reason}")
        return drafted(draft.tool, arguments, self.session, document=draft.document)

    # ── one answer ──────────────────────────────────────────────────────────────────

    async def _one(self, draft: Draft, progress: Progress) -> Read:
        """One answer: from the cache where there is one and the tool only reads."""
        cache = self.cache
        if cache is None:
            return _told(await self._fetched(draft, progress), progress)
        if not draft.tool.effects.pure:
            try:
                return _told(await self._fetched(draft, progress), progress)
            finally:
                cache.forget()  # what was read before may no longer be so
        return await self._kept(cache, draft, progress)

    async def _kept(self, cache: ResultCache[Read], draft: Draft, progress: Progress) -> Read:
        tool = draft.tool
        try:
            text = draft.document.text if draft.document else ""
            asked = {"arguments": draft.arguments, "url": draft.request.url, "document": text}
            key = cache_key(
                tool.name, asked, f"{principal()}\n{await self._identity(draft, progress)}"
            )
        except (TypeError, ValueError):
            return _told(await self._fetched(draft, progress), progress)
        found = await cache.get(key, lambda: self._fetched(draft, progress))
        return _told(_as_kept(found, progress), progress)

    async def _identity(self, draft: Draft, progress: Progress) -> str:
        """Who asks; functions are called to tell. Raises `ToolError` where one cannot be had."""
        sender, choice = self.sender, draft.choice
        try:
            return await sender.awaited(choice, choice.known, sender.deadline(progress))
        except SendFailure as failure:
            raise ToolError(f"{draft.tool.name}: {failure}", outcome="timeout") from None
        except CredentialError as error:
            raise unauthorised(error) from None

    async def _fetched(self, draft: Draft, progress: Progress) -> Read:
        """One answer from the server."""
        notes: list[str] = []
        whole = not draft.has_chosen
        try:
            sent = await self.sender.send(draft, progress)
            while (next_ := following(draft, sent.reply, self.session)) is not None:
                draft, note = next_
                notes += [note] if note else []
                whole = whole and not note  # what was left out on purpose is not missing
                sent = await self.sender.send(draft, progress)
            if sent.reply.cut:
                notes.append(f"The stream was cut {sent.reply.cut}.")
            result = self._read(draft.tool, sent)
            if whole:
                result = self._checked(draft.tool, result)
        except ToolError as error:
            return _failed(error, tuple(notes))
        return Read(result, sent.reply.url, len(sent.reply.body), tuple(notes))

    def _checked(self, tool: Tool, result: ToolResult) -> ToolResult:
        """The result, held against its description as far as the settings ask for it."""
        wanted = self.session.validation.results
        problems = [] if wanted == "off" else tool.result_problems(result.data)
        if not problems:
            return result
        details = [problem.detail() for problem in problems]
        if wanted == "warn":
            return replace(result, metadata={**result.metadata, "result_problems": details})
        text = f"the result is not as described: {in_brief(details)}"
        if tool.effects.consequential:
            raise unknown_effect(tool, text, result.metadata)
        raise ToolError(f"{tool.name}: {text}", details=details, metadata=result.metadata)

    def _read(self, tool: Tool, sent: Sent) -> ToolResult:
        """The result without the toolset's credentials, should the server have echoed one."""
        hide, reply = self.session.credentials.hide, sent.reply
        if _as_sent(reply):
            body = reply.body.decode("utf-8", "replace").replace("\\/", "/")
            seen = "\n".join((*reply.headers.values(), body))
            if hide(seen) == seen:
                return answered(tool, reply, sent.limits)
        # Before it is read as well: a file is spelled anew then, and what is quoted is cut.
        return _hidden(answered(tool, reply.hiding(hide), sent.limits), hide)


def _as_sent(reply: Reply) -> bool:
    """What the data holds stands so in the bytes: JSON in UTF-8, no character by its number."""
    kind = media_type(reply.headers.get("content-type", ""))
    return kind.is_json and b"\\u" not in reply.body and b"\0" not in reply.body


def _hidden(result: ToolResult, hide: Hide) -> ToolResult:
    return replace(result, data=hide_in(result.data, hide), metadata=hide_in(result.metadata, hide))


def _page(draft: Draft, read: Read) -> Page:
    """An answer as what the next page is found by."""
    return Page(
        data=read.result.data,
        headers=cast("Mapping[str, str]", read.result.metadata.get("headers", {})),
        url=read.url,
        method=draft.request.method,
        arguments=draft.arguments,
    )


_UNFOLLOWED = {
    "origin": "More pages may follow at another address, which was not followed.",
    "repeated": "The server leads in a circle: what follows is not known.",
}


def _merged(pages: list[Any], paging: Paging | None) -> Any:
    """The pages as one, which goes on where the last does; a list where they cannot be joined."""
    if len(pages) == 1:
        return pages[0]
    joined = merged(pages, paging.items if paging else "")
    if joined is None:
        return pages
    for place in (paging.next, paging.more) if paging else ():
        joined = as_in(joined, pages[-1], place.split(".")) if place else joined
    return joined


def _as_kept(found: Cached[Read], progress: Progress) -> Read:
    """A copy of the caller's own, and the word that it is not of this moment."""
    read = found.value
    if found.source == "stale":
        failure = found.failure
        why = f": {briefly(failure.result)}" if failure is not None else ""
        progress.notes.append(
            f"This result is {found.age:.0f} seconds old, a new one could not be had{why}."
        )
        progress.facts.update(cached=True, stale=True, age=round(found.age, 3))
    elif found.source == "cached":
        progress.facts.update(cached=True, age=round(found.age, 3))
    elif found.source == "shared":
        progress.facts["shared"] = True
    result = read.result
    copied = ToolResult(
        outcome=result.outcome,
        data=own(result.data),
        error=result.error,
        metadata=own(dict(result.metadata)),
    )
    return Read(copied, read.url, read.size, read.notes)


def _told(read: Read, progress: Progress) -> Read:
    """The answer, with what there is to say of it: of a kept one as of a fresh one."""
    told = (*read.notes, *problems_of(read.result))
    progress.notes += [note for note in told if note not in progress.notes]  # of pages once
    return read


def _failed(error: ToolError, notes: tuple[str, ...] = ()) -> Read:
    failed = ToolResult(outcome=error.outcome, error=error, metadata=error.metadata)
    return Read(failed, notes=notes)
