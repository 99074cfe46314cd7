"""After a failure the declared ways are tried in order, and the model is told what it has."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from toolmint.runtime.edge.recovery import (
    Alternative,
    Fallback,
    Recovered,
    Recovery,
    Try,
    recover,
    ways,
)
from toolmint.runtime.errors import Outcome

ARGUMENTS = {"q": "bug", "sort": "votes", "limit": 100}
SMALLER = Alternative(arguments={"limit": 10}, without=["sort"], lacks="more than 10 items")
LISTING = Fallback(
    tool="list_all", arguments={"text": "q", "since": "after"}, fixed={"all": True}, lacks="ranks"
)
RECOVERY = Recovery(ways=[SMALLER, LISTING])


@dataclass(frozen=True)
class Result:
    outcome: Outcome
    text: str = ""


class Calls:
    """Answers the calls in turn, and remembers them."""

    def __init__(self, *results: Result) -> None:
        self.results = list(results)
        self.made: list[tuple[str, Mapping[str, Any]]] = []

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        self.made.append((tool, arguments))
        return self.results.pop(0)


def run(first: Result, *results: Result, recovery: Recovery = RECOVERY) -> tuple[Any, Calls]:
    calls = Calls(*results)
    recovered: Recovered[Result] = asyncio.run(
        recover(first, recovery, "search", ARGUMENTS, calls.call)
    )
    return recovered, calls


def why(result: Result) -> str:
    return f"{result.outcome}: {result.text}" if result.text else result.outcome


FIRST = Try("search", ARGUMENTS)
WAYS = [
    Try("search", {"q": "bug", "limit": 10}, "more than 10 items"),
    Try("list_all", {"text": "bug", "all": True}, "ranks"),
]


def test_the_ways_are_calls_with_arguments_of_their_own() -> None:
    assert list(ways(RECOVERY, "search", ARGUMENTS)) == WAYS


def test_a_way_that_is_the_same_call_again_is_left_out() -> None:
    same = Recovery(ways=[Alternative(arguments={"limit": 100}), SMALLER, SMALLER])
    assert list(ways(same, "search", ARGUMENTS)) == WAYS[:1]


def test_declared_arguments_come_first() -> None:
    recovered, calls = run(Result("timeout"), Result("ok"))
    assert recovered == Recovered(Result("ok"), WAYS[0], ((FIRST, Result("timeout")),))
    assert calls.made == [("search", {"q": "bug", "limit": 10})]
    assert recovered.note(why) == (
        "search failed (timeout). This is its result with changed arguments."
        " What it lacks: more than 10 items."
    )


def test_then_the_declared_tool() -> None:
    recovered, calls = run(Result("error", "500"), Result("timeout"), Result("ok", "list"))
    assert (recovered.result, recovered.way) == (Result("ok", "list"), WAYS[1])
    assert [tool for tool, _ in calls.made] == ["search", "list_all"]
    assert recovered.note(why) == (
        "search failed (error: 500); search failed (timeout)."
        " This is the result of list_all instead. What it lacks: ranks."
    )


def test_when_nothing_helps_the_model_hears_what_is_missing_and_what_it_has() -> None:
    failed = Result("error", "500")
    recovered, _ = run(failed, Result("error"), Result("error"))
    assert (recovered.result, recovered.way) == (failed, None)
    assert recovered.note(why, have=["get", "list_tags"]) == (
        "search failed (error: 500); search failed (error); list_all failed (error)."
        " This part is missing; go on without it and say so. Still available: get, list_tags."
    )


@pytest.mark.parametrize(
    "outcome",
    ["unknown_effect", "denied", "invalid_arguments", "cancelled", "skipped", "unknown_tool"],
)
def test_what_must_not_be_worked_around_is_left_alone(outcome: Outcome) -> None:
    everything = Recovery(ways=RECOVERY.ways, after=frozenset({outcome}))
    recovered, calls = run(Result(outcome), recovery=everything)
    assert (recovered.result, recovered.way, calls.made) == (Result(outcome), None, [])


def test_a_write_whose_answer_was_lost_on_the_way_ends_it() -> None:
    recovered, calls = run(Result("error"), Result("unknown_effect"), Result("ok"))
    assert recovered.result == Result("unknown_effect")
    assert len(calls.made) == 1


def test_a_denial_on_the_way_ends_it() -> None:
    recovered, calls = run(Result("error"), Result("denied"), Result("ok"))
    assert (recovered.result, recovered.way) == (Result("error"), None)
    assert len(calls.made) == 1


def test_outcomes_can_be_narrowed() -> None:
    recovered, calls = run(
        Result("rate_limited"), recovery=Recovery(ways=[SMALLER], after=frozenset({"timeout"}))
    )
    assert (recovered.way, calls.made) == (None, [])


def test_a_call_that_went_well_needs_nothing() -> None:
    recovered, calls = run(Result("ok"))
    assert (recovered.result, recovered.note(why), calls.made) == (Result("ok"), "", [])
