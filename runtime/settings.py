"""What a user sets about the execution edge, read once from the keywords of a `Toolset`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from .clock import Clock, SystemClock
from .edge.retry import NEVER, RetryPolicy, Uniform
from .operation import RateLimit

if TYPE_CHECKING:
    from .limits import Limiters

LimitSetting: TypeAlias = RateLimit | Mapping[str, RateLimit | Literal[False]] | Literal[False]
"""A limit of one's own in place of the described one, such limits by tool or group (False:
none is stated), or False: nothing is held back at all."""

ValidationName: TypeAlias = Literal["fail", "repair", "retry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """What is done about bad arguments and about results unlike their description.

    `repair` mends what can be meant in one way only, before validation. `corrections` is how
    often in a row a model is asked to correct its call of one tool; then it is told to stop.
    A result unlike its description is noted in `metadata["result_problems"]` ("warn"), is an
    error ("fail"), or is not looked at ("off").
    """

    repair: bool = False
    corrections: int = 0
    results: Literal["off", "warn", "fail"] = "warn"


_NAMED: Mapping[str, Validation] = {
    "fail": Validation(),
    "repair": Validation(repair=True),
    "retry": Validation(corrections=3),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """How long the results of pure calls are kept, in seconds.

    For `stale_seconds` more, a kept result stands in when a new one cannot be had.
    """

    seconds: float = 300.0
    stale_seconds: float = 0.0


def _shared() -> Limiters:
    from .limits import shared

    return shared()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a call takes from the world around it, so that a test can put its own in place."""

    clock: Clock = field(default_factory=SystemClock)
    uniform: Uniform = random.uniform
    limiters: Limiters = field(default_factory=_shared)


def validation_of(given: Validation | ValidationName) -> Validation:
    """The settings that a name stands for. Raises ValueError for another one."""
    if isinstance(given, Validation):
        return given
    if given not in _NAMED:
        raise ValueError(f"validation={given!r}: known are {', '.join(_NAMED)} and Validation(…)")
    return _NAMED[given]


def retry_of(given: RetryPolicy | bool) -> RetryPolicy:
    """A policy; True is the usual one, False a single attempt."""
    if isinstance(given, RetryPolicy):
        return given
    return RetryPolicy() if given else NEVER


def cache_of(given: Cache | bool) -> Cache | None:
    """Settings of a cache; True are the usual ones, False is none."""
    if isinstance(given, Cache):
        return given
    return Cache() if given else None
