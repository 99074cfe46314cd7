"""What is tried after retries are used up: other arguments, another tool, and plain words.

Only what somebody declared is ever tried. Each try is a whole call of its own: validated,
gated, limited and audited like any other.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ..errors import Outcome

RECOVERABLE: frozenset[Outcome] = frozenset({"error", "timeout", "rate_limited"})
"""Outcomes after which another way may be tried: nothing happened, and nobody forbade it."""

_STANDS: frozenset[Outcome] = frozenset({"ok", "unknown_effect", "cancelled", "skipped"})
"""Outcomes of another way that are the outcome of the call."""


class Result(Protocol):
    """What recovery looks at in the result of a call."""

    @property
    def outcome(self) -> Outcome:
        """How the call ended."""
        ...


R = TypeVar("R", bound=Result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """The same tool with some arguments changed, or left out (`without`)."""

    arguments: Mapping[str, Any]
    without: Sequence[str] = ()
    lacks: str = ""  # what its result lacks, for the model: "only the first 10 items"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """Another tool. `arguments` names its arguments by ours; `fixed` are given as they are."""

    tool: str
    arguments: Mapping[str, str]  # its name → our name; one we were not given is left out
    fixed: Mapping[str, Any] | None = None
    lacks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """The other ways of one tool, in the order they are tried, and for which outcomes."""

    ways: Sequence[Alternative | Fallback] = ()
    after: frozenset[Outcome] = RECOVERABLE

    def answers(self, outcome: Outcome) -> bool:
        """Whether something may be tried, or done without, after such an end."""
        return outcome in self.after & RECOVERABLE


@dataclass(frozen=True, slots=True)
class Try:
    """One call that was made, or would be."""

    tool: str
    arguments: Mapping[str, Any]
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Recovered(Generic[R]):
    """The result that stands, the try it came from, and the failures before it."""

    result: R
    way: Try | None  # None: no other way helped, and `result` is the first failure
    failed: tuple[tuple[Try, R], ...]

    def note(self, what: Callable[[R], str], have: Sequence[str] = ()) -> str:
        """For the model: what failed and why (`what`), what stands in, what it lacks.

        `have` names tools that still work. Empty when the first call went well.
        """
        if not self.failed:
            return ""
        told = "; ".join(
            f"{attempt.tool} failed ({what(result)})" for attempt, result in self.failed
        )
        if self.way is None:
            still = f" Still available: {', '.join(have)}." if have else ""
            return f"{told}. This part is missing; go on without it and say so.{still}"
        instead = f"{told}. This is the result of {self.way.tool} instead"
        if self.way.tool == self.failed[0][0].tool:
            instead = f"{told}. This is its result with changed arguments"
        lacks = f". What it lacks: {self.way.lacks.rstrip('.')}" if self.way.lacks else ""
        return f"{instead}{lacks}."


def ways(recovery: Recovery, tool: str, arguments: Mapping[str, Any]) -> Iterator[Try]:
    """The declared tries for a call, without those that would be the same call again."""
    tried = [(tool, dict(arguments))]
    for way in recovery.ways:
        attempt = _attempt(way, tool, arguments)
        if (attempt.tool, attempt.arguments) not in tried:
            tried.append((attempt.tool, dict(attempt.arguments)))
            yield attempt


async def recover(
    first: R,
    recovery: Recovery,
    tool: str,
    arguments: Mapping[str, Any],
    call: Callable[[str, Mapping[str, Any]], Awaitable[R]],
) -> Recovered[R]:
    """Try the declared ways after the failed `first`, until one succeeds.

    Nothing is tried after an outcome that must not be worked around: a denial, bad
    arguments, a cancellation, and above all a write whose answer was lost.
    """
    failed = [(Try(tool, arguments), first)]
    if first.outcome == "ok":
        return Recovered(first, Try(tool, arguments), ())
    if recovery.answers(first.outcome):
        for attempt in ways(recovery, tool, arguments):
            result = await call(attempt.tool, attempt.arguments)
            if result.outcome in _STANDS:
                return Recovered(result, attempt, tuple(failed))
            failed.append((attempt, result))
            if result.outcome == "denied":
                break
    return Recovered(first, None, tuple(failed))


def _attempt(way: Alternative | Fallback, tool: str, arguments: Mapping[str, Any]) -> Try:
    if isinstance(way, Alternative):
        kept = {name: value for name, value in arguments.items() if name not in way.without}
        return Try(tool, {**kept, **way.arguments}, way.lacks)
    given = {its: arguments[ours] for its, ours in way.arguments.items() if ours in arguments}
    return Try(way.tool, {**given, **(way.fixed or {})}, way.lacks)
