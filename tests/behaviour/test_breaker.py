"""The breaker refuses execution itself; a run always ends with a text and a reason."""

import asyncio
import itertools
import json
import threading
from typing import Any

import pytest

from tests.clock import ManualClock
from toolmint.runtime.agent.conversation import Assistant, ModelResponse, ToolCall, Usage
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.gates.breaker import Budget, Price
from toolmint.runtime.models.scripted import ScriptedModel
from toolmint.runtime.policy import AllowAll

from .agents import CHANGE, LOOK, call, outcomes, reader, run, script, seen


def endless(*names: str, usage: Usage | None = None) -> ScriptedModel:
    """A model that never stops calling, each time with other arguments."""
    numbers = itertools.count()

    def turn(_: Any) -> ModelResponse:
        calls = tuple(
            ToolCall(f"c{next(numbers)}", name, {"thing": str(next(numbers))}) for name in names
        )
        return ModelResponse(
            message=Assistant(calls=calls), stop="calls", usage=usage or Usage(input_tokens=10)
        )

    return ScriptedModel(itertools.repeat(turn))


def ended(model: ScriptedModel, budget: Budget | None = None, **given: Any) -> RunResult:
    return run(Agent(model, [LOOK, CHANGE], budget=budget, approve=None, **given))


# ── turns ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("max_turns", [1, 3, 10])
def test_a_model_that_never_stops_costs_exactly_max_turns_requests(max_turns: int) -> None:
    model = endless("look")
    result = ended(model, max_turns=max_turns)
    assert len(model.requests) == max_turns
    assert (result.reason, result.turns) == ("turns", max_turns)
    assert result.text == f"The run was stopped: it has used its {max_turns} turns."
    assert outcomes(result) == [*[("look", "ok")] * (max_turns - 1), ("look", "skipped")]


def test_ten_turns_are_the_default() -> None:
    model = endless("look")
    ended(model)
    assert len(model.requests) == 10


def test_an_answer_in_the_last_turn_is_an_answer() -> None:
    result = ended(script([call("look")], "done"), max_turns=2)
    assert (result.reason, result.text) == ("done", "done")


def test_every_call_id_has_exactly_one_outcome_even_then() -> None:
    result = ended(endless("look", "look"), max_turns=3)
    asked = [one.id for m in result.messages if isinstance(m, Assistant) for one in m.calls]
    assert [name for name, _ in seen(result)] == asked
    assert len(set(asked)) == 6


# ── calls ───────────────────────────────────────────────────────────────────────────


def test_calls_beyond_the_budget_are_refused_and_the_run_ends() -> None:
    model = endless("look", "look")
    result = ended(model, Budget(calls=3))
    assert (result.reason, len(model.requests)) == ("calls", 2)
    assert sorted(outcome for _, outcome in outcomes(result)) == ["ok", "ok", "ok", "skipped"]
    assert result.text == "The run was stopped: it has made its 3 calls."


def test_a_batch_is_reserved_before_any_of_it_runs() -> None:
    """The first calls fit, whichever would be the fastest; the rest never start."""
    began: list[str] = []

    def note(thing: str) -> None:
        began.append(thing)

    turn = [call("note", thing=thing) for thing in "abcd"]
    result = run(Agent(script(turn), reader(note), budget=Budget(calls=2)))
    assert sorted(began) == ["a", "b"]
    assert [json.loads(text)["outcome"] for _, text in seen(result)[2:]] == ["skipped", "skipped"]


def test_a_refused_call_says_why_to_whoever_reads_the_conversation() -> None:
    result = run(Agent(script([call("look", "a")]), LOOK, budget=Budget(calls=0)))
    assert json.loads(dict(seen(result))["a"]) == {
        "outcome": "skipped",
        "error": "look: the run ended before it: it has made its 0 calls",
    }


# ── repeats ─────────────────────────────────────────────────────────────────────────


def test_identical_calls_beyond_the_limit_trip_it() -> None:
    model = ScriptedModel(itertools.repeat([call("look", thing="same")]))
    result = ended(model)
    assert (result.reason, len(model.requests)) == ("repeats", 4)
    assert outcomes(result) == [*[("look", "ok")] * 3, ("look", "skipped")]
    assert result.text == ("The run was stopped: it repeated one call too often.")


def test_identical_calls_in_one_batch_count_too() -> None:
    result = ended(script([call("look")] * 3), Budget(repeats=2))
    assert sorted(outcome for _, outcome in outcomes(result)) == ["ok", "ok", "skipped"]


def test_other_arguments_are_another_call() -> None:
    result = ended(endless("look"), Budget(repeats=1), max_turns=5)
    assert result.reason == "turns"


def test_the_order_of_keys_makes_no_other_call() -> None:
    def turn(arguments: Any) -> Any:
        return [{"name": "look", "arguments": arguments}]

    turns = [turn({"thing": "a", "x": 1}), turn({"x": 1, "thing": "a"})]
    result = run(Agent(script(*turns), LOOK, budget=Budget(repeats=1)))
    assert result.reason == "repeats"


def test_neither_does_the_spelling_of_their_text() -> None:
    texts = ['{"thing":"a"}', '{ "thing" : "a" }', '{"thing":"\\u0061"}', {"thing": "a"}]
    turn = [{"name": "look", "arguments": text} for text in texts]
    result = run(Agent(script(turn, "done"), [LOOK]))
    assert result.reason == "repeats"
    assert sorted(outcome for _, outcome in outcomes(result)) == ["ok", "ok", "ok", "skipped"]


@pytest.mark.parametrize("depth", [900, 100_000])
def test_arguments_nested_without_end_end_no_run(depth: int) -> None:
    text = '{"thing": ' + "[" * depth + "]" * depth + "}"
    result = run(Agent(script([{"name": "look", "arguments": text}], "done"), [LOOK]))
    assert (result.reason, outcomes(result)) == ("done", [("look", "invalid_arguments")])


def test_the_limit_on_repeats_can_be_lifted() -> None:
    model = ScriptedModel(itertools.repeat([call("look")]))
    assert ended(model, Budget(repeats=None)).reason == "turns"


# ── tokens and cost ─────────────────────────────────────────────────────────────────


def test_tokens_are_counted_after_each_request_and_no_call_runs_beyond_them() -> None:
    model = endless("look", usage=Usage(input_tokens=30, output_tokens=20))
    result = ended(model, Budget(tokens=100))
    assert (result.reason, len(model.requests)) == ("tokens", 2)
    assert result.usage == Usage(input_tokens=60, output_tokens=40)
    assert outcomes(result) == [("look", "ok"), ("look", "skipped")]
    assert result.text == "The run was stopped: it has used its 100 tokens."


def test_cost_is_counted_by_a_price() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=100_000)
    model = endless("look", usage=usage)
    result = ended(model, Budget(cost=9.0, price=Price(input=2.0, output=10.0)))
    assert (result.reason, len(model.requests)) == ("cost", 3)
    assert result.text == "The run was stopped: it has cost what it may, 9."


def test_an_answer_that_goes_over_the_budget_is_still_an_answer() -> None:
    answer = ModelResponse(message=Assistant(text="42"), usage=Usage(output_tokens=500))
    result = run(Agent(script(answer), budget=Budget(tokens=100)))
    assert (result.reason, result.text) == ("done", "42")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cost": 1.0}, "needs a price"),
        ({"calls": -1}, "calls is a number from 0"),
        ({"seconds": float("nan")}, "seconds is a number from 0"),
    ],
)
def test_a_budget_that_cannot_be_counted_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Budget(**given)


# ── seconds ─────────────────────────────────────────────────────────────────────────


def test_seconds_end_a_run_between_turns() -> None:
    clock = ManualClock()

    def slow() -> None:
        clock.move(40)

    model = ScriptedModel(itertools.repeat([call("slow")]))
    result = run(Agent(model, reader(slow), budget=Budget(seconds=100, repeats=None), clock=clock))
    assert (result.reason, len(model.requests)) == ("seconds", 3)
    assert result.text == "The run was stopped: its 100 seconds are up."


def test_seconds_end_a_call_that_does_not_come_back() -> None:
    ends: list[str] = []

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("cleaned up")

    result = run(Agent(script([call("hang", "h")]), reader(hang), budget=Budget(seconds=0.05)))
    assert (result.reason, outcomes(result)) == ("seconds", [("hang", "cancelled")])
    assert ends == ["cleaned up"]


def test_a_call_that_is_stopping_is_awaited_however_often_the_run_is_cancelled() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopping.set()
            await let_go.wait()
            ends.append("cleaned up")

    async def main() -> None:
        work = asyncio.ensure_future(agent.run("go"))
        await stopping.wait()
        for _ in range(3):
            work.cancel()
            await asyncio.sleep(0)
        assert not work.done()
        let_go.set()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert (ends, len(asyncio.all_tasks())) == (["cleaned up"], 1)

    ends: list[str] = []
    stopping, let_go = asyncio.Event(), asyncio.Event()
    agent = Agent(script([call("stubborn")]), reader(stubborn), budget=Budget(seconds=0.05))
    asyncio.run(main())


def test_a_function_in_a_thread_is_awaited_however_often_its_call_is_cancelled() -> None:
    def plain() -> None:
        began.set()
        let_go.wait()
        ends.append("done")

    async def main() -> None:
        work = asyncio.ensure_future(agent.run("go"))
        await asyncio.to_thread(began.wait)
        for _ in range(3):
            work.cancel()
            await asyncio.sleep(0)
        let_go.set()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert ends == ["done"]

    ends: list[str] = []
    began, let_go = threading.Event(), threading.Event()
    agent = Agent(script([call("plain")]), reader(plain))
    asyncio.run(main())


def test_a_write_that_is_cut_off_is_not_passed_for_undone() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    agent = Agent(script([call("hang", "h")]), hang, approve=yes, budget=Budget(seconds=0.05))
    result = run(agent)
    assert outcomes(result) == [("hang", "unknown_effect")]
    assert json.loads(dict(seen(result))["h"])["error"] == (
        "hang: it was stopped: the time was up; it may have taken effect"
    )


def test_it_is_not_either_when_another_policy_decided() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    agent = Agent(script([call("hang")]), hang, policy=AllowAll(), budget=Budget(seconds=0.05))
    assert outcomes(run(agent)) == [("hang", "unknown_effect")]


def yes(_: Any) -> bool:
    return True


def test_an_approval_that_does_not_come_in_time_lets_nothing_through() -> None:
    async def never(question: Any) -> bool:
        await asyncio.Event().wait()
        return True

    agent = Agent(script([call("change")]), CHANGE, approve=never, budget=Budget(seconds=0.05))
    assert outcomes(run(agent)) == [("change", "cancelled")]


@pytest.mark.parametrize("streamed", [False, True])
def test_seconds_end_a_model_that_does_not_answer(streamed: bool) -> None:
    async def hang(_: Any) -> Any:
        await asyncio.Event().wait()

    agent = Agent(script(hang), LOOK, budget=Budget(seconds=0.05))

    async def main() -> Any:
        if not streamed:
            return await agent.run("go")
        return [step async for step in agent.stream("go")][-1].result  # type: ignore[union-attr]

    result = asyncio.run(main())
    assert (result.reason, result.text) == (
        "seconds",
        "The run was stopped: its 0.05 seconds are up.",
    )


def test_what_the_model_said_last_is_the_text_of_a_stopped_run() -> None:
    turn = {"text": "Let me look.", "calls": [call("look")]}
    assert ended(script(turn), max_turns=1).text == "Let me look."
