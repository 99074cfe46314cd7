"""Middleware: an onion around each call; and `tool_choice`, which says whether there is one."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest

from toolmint.runtime.agent.conversation import ToolCall, ToolChoice
from toolmint.runtime.agent.functions import FunctionTool
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.middleware import CallNext, Invocation, Middleware, Terminate
from toolmint.runtime.agent.run_context import Context
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.result import ToolResult

from .agents import CHANGE, LOOK, READS, call, look, outcomes, reader, run, script, seen


def ran(*middleware: Middleware, tools: Any = LOOK, calls: Any = None) -> RunResult:
    turn = [call("look", "a")] if calls is None else calls
    return run(Agent(script(turn, "done"), tools, middleware=middleware, approve=None))


def told(result: RunResult, call_id: str = "a") -> str:
    return dict(seen(result))[call_id]


def test_it_is_an_onion_the_first_outermost() -> None:
    order: list[str] = []

    def layer(name: str) -> Middleware:
        async def wrap(invocation: Invocation, call_next: CallNext) -> None:
            order.append(f"{name} in")
            await call_next()
            assert isinstance(invocation.result, ToolResult)
            order.append(f"{name} out")

        return wrap

    def note() -> str:
        order.append("tool")
        return "noted"

    ran(layer("outer"), layer("inner"), tools=reader(note, name="look"))
    assert order == ["outer in", "inner in", "tool", "inner out", "outer out"]


@pytest.mark.parametrize(
    "answer", ["from the cache", ToolResult(outcome="ok", data="from the cache")]
)
def test_a_result_without_call_next_is_the_answer_and_the_tool_does_not_run(answer: Any) -> None:
    def never() -> None:
        raise AssertionError

    async def answered(invocation: Invocation, call_next: CallNext) -> None:
        invocation.result = answer

    result = ran(answered, tools=reader(never, name="look"))
    assert outcomes(result) == [("look", "ok")]
    assert "from the cache" in told(result)


def test_a_result_set_after_call_next_replaces_the_tools() -> None:
    async def shout(invocation: Invocation, call_next: CallNext) -> None:
        await call_next()
        invocation.result = invocation.result.data.upper()

    assert "SAW IT" in told(ran(shout))


def test_neither_result_nor_call_next_is_an_error_that_the_model_is_told() -> None:
    async def idle(invocation: Invocation, call_next: CallNext) -> None:
        return

    assert json.loads(told(ran(idle))) == {
        "outcome": "error",
        "error": "look: the middleware idle neither called on nor set a result",
    }


def test_calling_on_twice_is_an_error_and_the_tool_ran_once() -> None:
    count: list[int] = []

    def once() -> int:
        count.append(1)
        return len(count)

    async def eager(invocation: Invocation, call_next: CallNext) -> None:
        await call_next()
        await call_next()

    result = ran(eager, tools=reader(once, name="look"))
    assert count == [1]
    assert json.loads(told(result)) == {
        "outcome": "error",
        "error": (
            "look: the middleware eager called on twice; "
            "the call had run (ok): it may have taken effect"
        ),
    }


def test_an_exception_in_a_guard_denies_and_nothing_runs() -> None:
    def never() -> None:
        raise AssertionError

    async def broken(invocation: Invocation, call_next: CallNext) -> None:
        raise KeyError("roles")

    assert json.loads(told(ran(broken, tools=reader(never, name="look")))) == {
        "outcome": "denied",
        "error": "look: a middleware failed: KeyError: 'roles'",
    }


def test_an_exception_after_the_call_does_not_pass_it_for_undone() -> None:
    async def late(invocation: Invocation, call_next: CallNext) -> None:
        await call_next()
        raise ValueError("cannot log")

    assert json.loads(told(ran(late))) == {
        "outcome": "error",
        "error": (
            "look: a middleware failed: ValueError: cannot log; "
            "the call had run (ok): it may have taken effect"
        ),
    }


@pytest.mark.parametrize("tools", [LOOK, CHANGE])
def test_what_a_guard_refuses_stays_refused_whoever_takes_no_notice(tools: Any) -> None:
    async def careless(invocation: Invocation, call_next: CallNext) -> None:
        with suppress(Exception):
            await call_next()

    async def guard(invocation: Invocation, call_next: CallNext) -> None:
        raise PermissionError("not today")

    result = ran(careless, guard, tools=tools, calls=[call(tools.name, "a")])
    assert json.loads(told(result)) == {
        "outcome": "denied",
        "error": f"{tools.name}: a middleware failed: PermissionError: not today",
    }


def test_a_question_is_asked_whatever_a_middleware_catches() -> None:
    async def catch_all(invocation: Invocation, call_next: CallNext) -> None:
        with suppress(BaseException):
            await call_next()

    result = run(Agent(script([call("change")], "done"), CHANGE, middleware=[catch_all]))
    assert (result.reason, [one.tool for one in result.questions]) == ("approval", ["change"])


def test_a_middleware_that_does_not_wait_for_the_call_is_told_of() -> None:
    async def hasty(invocation: Invocation, call_next: CallNext) -> None:
        started.append(asyncio.ensure_future(call_next()))
        await asyncio.sleep(0)

    async def wait() -> None:
        await asyncio.Event().wait()

    started: list[Any] = []
    assert json.loads(told(ran(hasty, tools=reader(wait, name="look")))) == {
        "outcome": "error",
        "error": "look: the middleware hasty did not wait for the call",
    }


def test_a_tool_that_raises_is_no_fault_of_a_middleware() -> None:
    class Broken(FunctionTool):
        async def execute(self, arguments: object, context: Context) -> ToolResult:
            raise ZeroDivisionError("by zero")

    assert json.loads(told(ran(tools=Broken(look, effects=READS)))) == {
        "outcome": "error",
        "error": "internal error: ZeroDivisionError: by zero",
    }


def test_what_a_middleware_changes_in_place_is_changed_for_one_attempt() -> None:
    """Also where the run pauses between two: else its answer would never fit its question."""

    async def greet(invocation: Invocation, call_next: CallNext) -> None:
        invocation.arguments["thing"] += "!"
        await call_next()

    agent = Agent(script([call("change", "a", thing="hi")], "done"), CHANGE, middleware=[greet])
    paused = run(agent)
    assert paused.state is not None
    assert paused.state.pending == (ToolCall("a", "change", {"thing": "hi"}),)
    answers = [agent.approvals.answer(one, True, by="ada") for one in paused.questions]
    resumed = asyncio.run(agent.resume(paused.state, answers))
    assert (resumed.reason, "changed hi!\n" in told(resumed)) == ("done", True)


def test_terminate_ends_the_run() -> None:
    async def stop(invocation: Invocation, call_next: CallNext) -> None:
        raise Terminate("That is enough.")

    result = ran(stop)
    assert (result.reason, result.text, result.turns) == ("terminated", "That is enough.", 1)
    assert outcomes(result) == [("look", "skipped")]


def test_terminate_with_a_result_gives_the_call_that_result() -> None:
    async def stop(invocation: Invocation, call_next: CallNext) -> None:
        await call_next()
        raise Terminate

    result = ran(stop)
    assert (result.reason, outcomes(result)) == ("terminated", [("look", "ok")])
    assert result.text


def test_the_other_calls_of_the_turn_finish_before_a_terminated_run_ends() -> None:
    async def stop(invocation: Invocation, call_next: CallNext) -> None:
        if invocation.arguments.get("thing") == "a":
            raise Terminate
        await call_next()

    result = ran(stop, calls=[call("look", "a", thing="a"), call("look", "b", thing="b")])
    assert outcomes(result) == [("look", "skipped"), ("look", "ok")]
    assert result.reason == "terminated"


def test_a_call_that_waits_for_approval_when_the_run_ends_is_skipped() -> None:
    async def stop(invocation: Invocation, call_next: CallNext) -> None:
        if invocation.tool.name == "look":
            raise Terminate("Enough.")
        await call_next()

    turn = [call("change", "c"), call("look", "l")]
    result = run(Agent(script(turn), [CHANGE, LOOK], middleware=[stop]))
    assert (result.reason, result.text) == ("terminated", "Enough.")
    assert {name: json.loads(text)["outcome"] for name, text in seen(result)} == {
        "c": "skipped",
        "l": "skipped",
    }


@pytest.mark.parametrize("raw", ['{"thing": 7}', '{"thing": "x"', {"thing": 7}])
def test_it_sees_raw_arguments_even_when_invalid_so_that_it_can_repair(raw: Any) -> None:
    saw: list[Any] = []

    async def repair(invocation: Invocation, call_next: CallNext) -> None:
        saw.append(invocation.arguments)
        invocation.arguments = {"thing": "mended"}
        await call_next()

    result = ran(repair, calls=[{"id": "a", "name": "look", "arguments": raw}])
    assert saw == [raw]
    assert "saw mended" in told(result)


def test_without_repair_invalid_arguments_are_an_outcome() -> None:
    result = ran(calls=[call("look", "a", thing=7)])
    assert outcomes(result) == [("look", "invalid_arguments")]


def test_what_middleware_makes_of_the_arguments_is_validated_and_asked_about() -> None:
    asked: list[Any] = []

    async def other(invocation: Invocation, call_next: CallNext) -> None:
        invocation.arguments = {"thing": "other"}
        await call_next()

    def approve(question: Any) -> bool:
        asked.append(dict(question.arguments))
        return True

    agent = Agent(
        script([call("change", "a", thing="it")], "done"),
        CHANGE,
        middleware=[other],
        approve=approve,
    )
    assert "changed other" in told(run(agent))
    assert asked == [{"thing": "other"}]


def test_an_unknown_tool_meets_no_middleware() -> None:
    async def never(invocation: Invocation, call_next: CallNext) -> None:
        raise AssertionError

    assert outcomes(ran(never, calls=[call("loook", "a")])) == [("loook", "unknown_tool")]


# ── tool_choice ─────────────────────────────────────────────────────────────────────


def choices(tool_choice: Any, *turns: Any, tools: Any = (LOOK, CHANGE)) -> list[ToolChoice]:
    model = script(*turns)
    run(Agent(model, tools, approve=None), tool_choice=tool_choice)
    return [request.tool_choice for request in model.requests]


FORCED = {"mode": "required", "required_function_name": "look"}


@pytest.mark.parametrize(
    ("given", "first", "second"),
    [
        (None, ToolChoice(), ToolChoice()),
        ("auto", ToolChoice(), ToolChoice()),
        ("required", ToolChoice("required"), ToolChoice()),
        ("none", ToolChoice("none"), ToolChoice("none")),
        (FORCED, ToolChoice("required", "look"), ToolChoice()),
        ({"mode": "required"}, ToolChoice("required"), ToolChoice()),
    ],
)
def test_a_forced_choice_is_dropped_after_the_first_executed_turn(
    given: Any, first: ToolChoice, second: ToolChoice
) -> None:
    assert choices(given, [call("look")], "done") == [first, second]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mode": "required", "required_function_name": "loook"}, "'loook', which is no tool here"),
        ({"mode": "auto", "required_function_name": "look"}, 'goes with mode "required" only'),
        ("always", "got 'always'"),
        ({"modus": "auto"}, "unknown key 'modus'"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_at_once(given: Any, message: str) -> None:
    model = script("done")
    with pytest.raises(ValueError, match=message):
        run(Agent(model, LOOK), tool_choice=given)
    assert model.requests == []


def test_a_tool_cannot_be_required_where_there_is_none() -> None:
    with pytest.raises(ValueError, match="there is none"):
        run(Agent(script("done")), tool_choice="required")


def test_streaming_refuses_it_before_the_first_step() -> None:
    with pytest.raises(ValueError, match="no tool here"):
        Agent(script("done"), LOOK).stream(
            "go", tool_choice={**FORCED, "required_function_name": "x"}
        )


def test_a_middleware_is_any_async_callable() -> None:
    class Counting:
        count = 0

        async def __call__(self, invocation: Invocation, call_next: CallNext) -> None:
            self.count += 1
            await call_next()

    counting = Counting()
    ran(counting, calls=[call("look"), call("look", thing="x")], tools=reader(look))
    assert counting.count == 2
