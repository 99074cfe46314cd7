"""The breaker: it refuses execution itself, instead of asking a model to stop.

A batch is reserved whole before any of it runs; what does not fit is skipped, and the run ends.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..agent.conversation import ToolCall, Usage
from ..canonical import digest
from ..clock import Clock
from ..edge.arguments import read_arguments

Limit: TypeAlias = Literal["turns", "calls", "seconds", "tokens", "cost", "repeats"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in whatever currency the budget's `cost` is."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """What some tokens cost."""
        spent = self.input * usage.input_tokens + self.output * usage.output_tokens
        return spent / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one run may use; None is no limit. `repeats` is how often one identical call may run."""

    calls: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None
    price: Price | None = None  # what `cost` is counted with
    repeats: int | None = 3

    def __post_init__(self) -> None:
        for name in ("calls", "seconds", "tokens", "cost", "repeats"):
            limit = getattr(self, name)
            if limit is not None and not (limit >= 0 and math.isfinite(limit)):
                raise ValueError(f"budget: {name} is a number from 0, or None; not {limit!r}")
        if self.cost is not None and self.price is None:
            raise ValueError("budget: a limit on cost needs a price to count with")


class Breaker:
    """Counts what one run uses. Once a limit has tripped it stays so."""

    def __init__(self, budget: Budget, max_turns: int, clock: Clock) -> None:
        self.tripped: Limit | None = None
        self.turns = 0
        self.calls = 0
        self.usage = Usage()
        self._budget = budget
        self._max_turns = max_turns
        self._clock = clock
        self._started = clock.monotonic()
        self._same: Counter[str] = Counter()

    # ── requests to the model ───────────────────────────────────────────────────────

    def may_ask(self) -> bool:
        """Whether one more request may be made; counts it."""
        if self.turns >= self._max_turns:
            self._trip("turns")
        self._measure()
        if self.tripped is None:
            self.turns += 1
        return self.tripped is None

    def used(self, usage: Usage) -> None:
        """Count what a request used."""
        self.usage += usage

    # ── calls ───────────────────────────────────────────────────────────────────────

    def reserve(self, calls: Sequence[ToolCall]) -> list[bool]:
        """Which calls of a batch may run; the first that may not ends the run after the batch.

        After the last turn none may: no request could follow that tells the model of them.
        """
        if calls and self.turns >= self._max_turns:
            self._trip("turns")
        self._measure()
        return [self._reserve(call) for call in calls]

    def seconds_left(self) -> float | None:
        """How long the run may go on; None without a limit."""
        limit = self._budget.seconds
        return None if limit is None else max(0.0, limit - self._elapsed())

    def out_of_time(self) -> None:
        """Say that the seconds are up."""
        self._trip("seconds")

    @property
    def sentence(self) -> str:
        """Why the run was stopped."""
        return (
            _SENTENCES[self.tripped].format(
                turns=self._max_turns,
                calls=self._budget.calls,
                seconds=self._budget.seconds,
                tokens=self._budget.tokens,
                cost=self._budget.cost,
            )
            if self.tripped
            else ""
        )

    # ── a paused run ────────────────────────────────────────────────────────────────

    def to_data(self) -> dict[str, Any]:
        """What was used so far, as JSON data; time that passes while paused does not count."""
        return {
            "turns": self.turns,
            "calls": self.calls,
            "elapsed": self._elapsed(),
            "same": dict(self._same),
            "tripped": self.tripped,
        }

    def restore(self, data: dict[str, Any], usage: Usage) -> None:
        """Go on from what `to_data` told."""
        self.turns, self.calls, self.usage = int(data["turns"]), int(data["calls"]), usage
        self.tripped = data["tripped"]
        self._started = self._clock.monotonic() - float(data["elapsed"])
        self._same = Counter({str(key): int(count) for key, count in data["same"].items()})

    # ── inside ──────────────────────────────────────────────────────────────────────

    def _reserve(self, call: ToolCall) -> bool:
        if self.tripped is not None:
            return False
        if self._budget.calls is not None and self.calls >= self._budget.calls:
            self._trip("calls")
            return False
        same = _same(call)
        if self._budget.repeats is not None and self._same[same] >= self._budget.repeats:
            self._trip("repeats")
            return False
        self.calls += 1
        self._same[same] += 1
        return True

    def _measure(self) -> None:
        budget = self._budget
        if budget.seconds is not None and self._elapsed() >= budget.seconds:
            self._trip("seconds")
        if budget.tokens is not None and self.usage.total_tokens >= budget.tokens:
            self._trip("tokens")
        price, cost = budget.price, budget.cost
        if price is not None and cost is not None and price.of(self.usage) >= cost:
            self._trip("cost")

    def _elapsed(self) -> float:
        return self._clock.monotonic() - self._started

    def _trip(self, limit: Limit) -> None:
        self.tripped = self.tripped or limit


_SENTENCES: dict[Limit, str] = {
    "turns": "it has used its {turns} turns",
    "calls": "it has made its {calls} calls",
    "seconds": "its {seconds:g} seconds are up",
    "tokens": "it has used its {tokens} tokens",
    "cost": "it has cost what it may, {cost:g}",
    "repeats": "it repeated one call too often",
}


def _same(call: ToolCall) -> str:
    """What identical calls share, however their text is spaced and spelled."""
    try:
        return digest([call.name, read_arguments(call.arguments)])
    except (ValueError, RecursionError):  # invalid arguments are the same as they stand
        return digest([call.name, str(call.arguments)])
