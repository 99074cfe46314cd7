"""Send a request until it is answered with success, or until sending again would not help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar, assert_never

from ...auth.choice import Choice
from ...auth.errors import CredentialError
from ...auth.exchange import Exchange
from ...auth.logs import Hide
from ...auth.request import Answer, Outgoing
from ..context import Progress
from ..errors import ToolError
from ..limits import Observation, RateLimited
from ..operation import GraphQLOperation, HttpOperation
from ..settings import Surroundings
from ..wire.reply import Reply, SendFailure
from .answer import body_of, lost, refused, unknown_effect
from .draft import Draft
from .failures import unauthorised
from .pacing import Pacer
from .retry import (
    Failure,
    GiveUp,
    RetryPolicy,
    decide,
    may_be_done,
    quota_gone,
    repeatable,
    should_retry,
)

if TYPE_CHECKING:
    from ..wire.transport import Transport


T = TypeVar("T")

NOTHING_PRIVATE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer, and what it says of limits."""

    reply: Reply
    limits: Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Sends the requests of one toolset: limited, signed, with a deadline, repeated."""

    transport: Transport
    pacer: Pacer
    policy: RetryPolicy
    surroundings: Surroundings
    seconds: float  # that all requests of a call may take
    hide: Hide  # takes the toolset's credentials out of a text

    async def send(self, draft: Draft, progress: Progress) -> Sent:
        """The answer of success. Raises `ToolError` for anything else."""
        clock = self.surroundings.clock
        started, deadline = clock.monotonic(), self.deadline(progress)
        in_doubt = False  # an attempt to change something may have done so
        attempt = 1
        while True:
            try:
                came = await self._attempted(draft, progress, deadline)
            except ToolError as error:
                raise _in_doubt(draft, error) if in_doubt else error from None
            if isinstance(came, Sent) and 200 <= came.reply.status < 300:
                return came
            failure = _failure(came)
            verdict = decide(
                failure,
                harmless=_harmless(draft),
                attempt=attempt,
                elapsed=clock.monotonic() - started,
                policy=self._policy(came, deadline - started),
                uniform=self.surroundings.uniform,
            )
            in_doubt |= draft.tool.effects.consequential and may_be_done(failure)
            if isinstance(verdict, GiveUp):
                verdict = replace(verdict, outcome="unknown_effect") if in_doubt else verdict
                raise self._given_up(draft, came, verdict, failure, attempt)
            await clock.sleep(verdict.wait)
            attempt += 1

    def deadline(self, progress: Progress) -> float:
        """By `monotonic`, when the time of a call is up that begins with its first request."""
        if progress.sending_since is None:
            progress.sending_since = self.surroundings.clock.monotonic()
        return progress.sending_since + self.seconds

    async def awaited(self, choice: Choice, part: Callable[[], Awaitable[T]], deadline: float) -> T:
        """A part that credentials play, which may be to ask another server, in the time left.

        Raises `SendFailure` when it is up, and `CredentialError`.
        """
        if not choice.waits:
            return await part()
        import asyncio

        try:
            async with asyncio.timeout(self._left(deadline)):
                return await part()
        except TimeoutError:
            text = f"no credential within {self.seconds:g} seconds"
        raise SendFailure(text, timeout=True, reached=False, lasting=True)

    def _policy(self, came: Sent | SendFailure, seconds: float) -> RetryPolicy:
        """No wait ends after the call's own time."""
        if isinstance(came, SendFailure) and came.lasting:
            return replace(self.policy, attempts=1)
        return replace(self.policy, deadline=min(self.policy.deadline, seconds))

    def _given_up(
        self,
        draft: Draft,
        came: Sent | SendFailure,
        verdict: GiveUp,
        failure: Failure,
        attempts: int,
    ) -> ToolError:
        facts: Mapping[str, object] = {"quota_gone": True} if failure.quota_gone else {}
        if isinstance(came, SendFailure):
            return lost(draft.tool, came, verdict, attempts)
        reply = came.reply.hiding(self.hide)  # before anything is cut to its length
        return refused(draft.tool, reply, came.limits, verdict, attempts, facts)

    async def _attempted(
        self, draft: Draft, progress: Progress, deadline: float
    ) -> Sent | SendFailure:
        """One attempt, and one more request where fresh credentials may cure its refusal."""
        try:
            if not draft.choice:  # nobody's call: there is nothing to prove
                return (await self._once(draft, draft.request, None, progress, deadline))[0]
            shown = self.transport.showing(draft.choice.certificate)
            exchange = draft.choice.exchange(shown)
            sent, signed = await self._once(draft, draft.request, exchange, progress, deadline)
            reply = sent.reply
            answer = Answer(reply.status, reply.headers, reply.body, reply.url)
            again = await self.awaited(
                draft.choice, partial(exchange.again, signed, answer), deadline
            )
            if again is not None:
                sent, _ = await self._once(draft, again, None, progress, deadline)
            return sent
        except SendFailure as failure:
            return failure
        except CredentialError as error:
            raise unauthorised(error) from None
        except RateLimited as error:
            raise ToolError(
                f"{draft.tool.name}: {error}",
                outcome="rate_limited",
                metadata={"retry_after": round(error.retry_after, 3)},
            ) from None

    async def _once(
        self,
        draft: Draft,
        request: Outgoing,
        exchange: Exchange | None,
        progress: Progress,
        deadline: float,
    ) -> tuple[Sent, Outgoing]:
        """One request, and as it was sent: by `exchange` it is signed when its turn has come."""
        private = NOTHING_PRIVATE
        if draft.choice:
            private = frozenset(name for place, name in draft.choice.carriers if place == "header")
        with await self.pacer.permits(draft, self._left(deadline)) as permits:
            try:
                if exchange is not None:
                    signing = partial(exchange.apply, request)
                    request = await self.awaited(draft.choice, signing, deadline)
                within = self._left(deadline)
            except BaseException:
                permits.give_back()
                raise
            progress.attempts += 1
            progress.unanswered += 1
            try:
                reply = await self._carried(draft, request, private, within)
            except SendFailure as failure:
                if not failure.reached:
                    progress.unanswered -= 1
                    permits.give_back()
                raise
            progress.unanswered -= 1
            now = self.surroundings.clock.now()
            return Sent(reply, permits.answered(reply.status, reply.headers, now)), request

    def _left(self, deadline: float) -> float:
        """Seconds until the deadline. Raises `SendFailure` where there are none to send in."""
        left = deadline - self.surroundings.clock.monotonic()
        if left <= 0:
            text = f"no answer within {self.seconds:g} seconds"
            raise SendFailure(text, timeout=True, reached=False, lasting=True)
        return left

    async def _carried(
        self, draft: Draft, signed: Outgoing, private: frozenset[str], within: float
    ) -> Reply:
        """The answer to one signed request, under the status that it means."""
        certificate = draft.choice.certificate
        match draft.tool.operation:
            case HttpOperation():
                return await self.transport.send(
                    signed, private, within=within, certificate=certificate
                )
            case GraphQLOperation() as operation:
                from ..graphql_codec.carry import carried

                return await carried(
                    operation,
                    draft.tool.spoken,
                    self.transport,
                    signed,
                    private,
                    within=within,
                    certificate=certificate,
                    now=self.surroundings.clock.now(),
                )
            case _:
                assert_never(draft.tool.operation)


def _harmless(draft: Draft) -> bool:
    operation = draft.tool.operation
    return repeatable(
        operation.method, operation.effects, has_key=operation.idempotency_key is not None
    )


def _failure(came: Sent | SendFailure) -> Failure:
    """What went wrong."""
    if isinstance(came, SendFailure):
        if came.status is not None and came.status >= 400:  # a refusal whose body was lost
            return Failure(phase="answered", status=came.status)
        return Failure(
            phase="unanswered" if came.reached else "unsent",
            status=came.status,
            timeout=came.timeout,
        )
    reply, wait = came.reply, came.limits.retry_after
    return Failure(
        phase="answered",
        status=reply.status,
        retry_after=wait,
        quota_gone=quota_gone(reply.status, body_of(reply), wait),
        should_retry=should_retry(reply.headers),
    )


def _in_doubt(draft: Draft, error: ToolError) -> ToolError:
    """What ended a call whose earlier attempt may have taken effect."""
    said = error.message.removeprefix(f"{draft.tool.name}: ")
    reason = f"the answer to an earlier attempt was lost, and then: {said}"
    return unknown_effect(draft.tool, reason, error.metadata)
