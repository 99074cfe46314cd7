"""Leave to send: the limiters that hold one call, asked together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self, TypeAlias

from ...auth.request import origin
from ..limits import Limiter, Limiters, Observation, Permit, RateLimited, read
from ..operation import RateLimit
from ..settings import LimitSetting
from ..tool import Tool
from .draft import Draft

MOST_KNOWN = 1024  # tools of credentials whose limiters are at hand

_Key: TypeAlias = tuple[str, tuple[str, str, int | None], str]


class Permits:
    """Permits for one request. As a context manager none stays open."""

    __slots__ = ("_permits",)

    def __init__(self) -> None:
        self._permits: list[Permit] = []

    def add(self, permit: Permit | None) -> bool:
        """Take one more, where there is one."""
        if permit is not None:
            self._permits.append(permit)
        return permit is not None

    def answered(self, status: int, headers: Mapping[str, str], now: float) -> Observation:
        """Hand over the answer; the last limiter takes the server's word."""
        if not self._permits:
            return read(headers.items(), now=now, status=status)
        for permit in self._permits[:-1]:
            permit.answered(200, ())
        return self._permits[-1].answered(status, headers.items())

    def give_back(self) -> None:
        """Nothing was sent."""
        for permit in self._permits:
            permit.give_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for permit in self._permits:
            permit.lost()


class Pacer:
    """The limits on a toolset's calls: what is stated, by the user or else the description,
    and what servers say.

    Limiters are shared by all that is sent with one credential to one origin: the server's
    word and a package's limit by everything, an operation's limit by those of its group that
    state the same.
    """

    def __init__(
        self, limits: LimitSetting | None, limiters: Limiters, *, anonymous: str = ""
    ) -> None:
        """`anonymous` stands for who calls without a credential of ours."""
        self._given = limits
        self._limiters = limiters
        self._anonymous = anonymous
        self._known: dict[_Key, Sequence[Limiter]] = {}

    async def permits(self, draft: Draft, within: float) -> Permits:
        """Wait until the request may go. Raises `RateLimited` where that would take too long."""
        permits, name = Permits(), draft.tool.name
        holding = () if self._given is False else self._holding(draft)
        for index, limiter in enumerate(holding):
            if not permits.add(limiter.try_acquire(operation=name)):
                await self._waited(permits, holding[index:], name, within)
                break
        return permits

    async def _waited(
        self, permits: Permits, limiters: Sequence[Limiter], operation: str, within: float
    ) -> None:
        """Wait for the others, all in one time; where it is too short, nothing is kept.

        One after the other, as all share the last: who waits elsewhere holds no place there.
        """
        monotonic = self._limiters.clock.monotonic
        end = monotonic() + min(within, self._limiters.longest_wait)
        try:
            foreseen = max(limiter.wait_time(operation=operation) for limiter in limiters)
            if monotonic() + foreseen > end:
                raise RateLimited(foreseen)
            for limiter in limiters:
                left = end - monotonic()
                permits.add(await limiter.acquire(operation=operation, within=left))
        except BaseException:
            permits.give_back()
            raise

    def _holding(self, draft: Draft) -> Sequence[Limiter]:
        """The limiters of a call, looked up once for each tool, origin and credential."""
        place, credential = origin(draft.request.url), draft.choice.identity
        key = (draft.tool.name, place, credential)
        found = self._known.get(key)
        if found is None:
            where, who = "{}://{}:{}".format(*place), credential or self._anonymous
            found = tuple(
                self._limiters.get(where, who, group, limits)
                for group, limits in self._groups(draft.tool)
            )
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = found
        return found

    def _groups(self, tool: Tool) -> Iterator[tuple[str, Sequence[RateLimit]]]:
        """The groups that a tool is in, with what is stated for them; all are in the last."""
        given = self._given
        if isinstance(given, RateLimit):
            yield "stated", (given,)
        elif isinstance(given, Mapping) and tool.name in given:
            if limit := given[tool.name]:
                yield f"tool {tool.name}", (limit,)
        elif isinstance(given, Mapping) and tool.group in given:
            if limit := given[tool.group]:
                yield f"group {tool.group}", (limit,)
        elif own := tool.operation.rate_limit:
            yield f"group {tool.group} {own.requests}/{own.seconds}", (own,)
        elif common := tool.rate_limit:
            yield "stated", (common,)
        yield "", ()
