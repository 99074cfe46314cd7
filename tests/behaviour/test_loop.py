"""The loop: describe → decide → execute → observe, until there is a text and a reason."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.agent.desk_tools import Desk
from examples.agent.mail_tools import Mail
from tests.behaviour.loopback import Answer, Loopback, loopback
from toolmint.auth import acting
from toolmint.runtime.agent import loop
from toolmint.runtime.agent.conversation import (
    Assistant,
    ModelResponse,
    Observation,
    ToolCall,
    User,
)
from toolmint.runtime.agent.functions import FunctionTool
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.middleware import CallNext, Invocation
from toolmint.runtime.agent.steps import Decided, Described, Ended, Executed, RunResult
from toolmint.runtime.models.model import ModelError

from .agents import CHANGE, LOOK, call, look, outcomes, reader, run, script, seen


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as started:
        started.answer = lambda _: Answer.of([{"name": "ada", "tickets": 2}])
        yield started


def test_one_file_that_a_stranger_can_follow() -> None:
    assert len(Path(loop.__file__).read_text("utf-8").splitlines()) <= 250


# ── describe, decide, execute, observe ──────────────────────────────────────────────


def test_a_whole_run_over_http(server: Loopback) -> None:
    desk = Desk(credentials={"token": "secret-1"}, base_url=server.url)
    model = script([call("list_agents", "a")], "Ada has two.")
    result = run(Agent(model, desk.select(tags="agents"), instructions="Be brief."), "Who?")
    assert (result.reason, result.text, result.turns) == ("done", "Ada has two.", 2)
    assert [type(message) for message in result.messages] == [
        User,
        Assistant,
        Observation,
        Assistant,
    ]
    assert '{"name":"ada","tickets":2}' in dict(seen(result))["a"]
    assert [request.target for request in server.seen] == ["/agents"]
    first, second = model.requests
    assert (first.instructions, first.messages) == ("Be brief.", (User("Who?"),))
    assert [(tool.name, tool.description) for tool in first.tools] == [
        ("list_agents", "List the agents and how many tickets each has."),
    ]
    assert second.messages == result.messages[:3]
    desk.close()


def test_two_packages_and_a_function_side_by_side() -> None:
    desk = Desk(credentials={"token": "a"}, prefix="desk_")
    mail = Mail(credentials={"token": "b"}, prefix="mail_")
    model = script("hello")
    run(Agent(model, [desk, mail, LOOK]))
    names = [tool.name for tool in model.requests[0].tools]
    assert names == [*desk.names(), *mail.names(), "look"]


def test_names_resolve_exactly_and_an_unknown_one_runs_nothing() -> None:
    result = run(Agent(script([call("Look", "a"), call("lok", "b")], "done"), LOOK))
    assert outcomes(result) == [("Look", "unknown_tool"), ("lok", "unknown_tool")]
    assert json.loads(dict(seen(result))["b"])["error"] == (
        "there is no tool 'lok'; did you mean look?"
    )


def test_results_come_back_in_the_models_order_matched_by_call_id() -> None:
    async def wait(turns: int) -> int:
        for _ in range(turns):
            await asyncio.sleep(0)
        return turns

    turn = [call("wait", "slow", turns=30), call("nope", "no"), call("wait", "fast", turns=0)]
    result = run(Agent(script(turn, "done"), reader(wait)))
    assert [call_id for call_id, _ in seen(result)] == ["slow", "no", "fast"]
    assert [one.call.id for one in result.calls] == ["fast", "slow", "no"]


@pytest.mark.parametrize(("parallel", "most"), [(1, 1), (3, 3), (8, 6)])
def test_calls_run_in_parallel_but_bounded(parallel: int, most: int) -> None:
    running, highest = 0, 0

    async def work(number: int) -> None:
        nonlocal running, highest
        running += 1
        highest = max(highest, running)
        for _ in range(5):
            await asyncio.sleep(0)
        running -= 1

    turn = [call("work", number=number) for number in range(6)]
    run(Agent(script(turn, "done"), reader(work), parallel=parallel))
    assert highest == most


def test_pure_calls_run_while_an_approver_thinks() -> None:
    async def approve(question: Any) -> bool:
        await looked.wait()
        return True

    async def peek() -> str:
        looked.set()
        return "peeked"

    async def main() -> Any:
        return await Agent(
            script([call("change"), call("peek")], "done"), [CHANGE, reader(peek)], approve=approve
        ).run("go")

    looked = asyncio.Event()
    assert outcomes(asyncio.run(main())) == [("peek", "ok"), ("change", "ok")]


def test_a_batch_is_classified_before_anything_runs() -> None:
    agent = Agent(script([call("look"), call("change"), call("x")], "done"), [LOOK, CHANGE])

    async def main() -> list[Any]:
        return [step async for step in agent.stream("go")]

    steps = asyncio.run(main())
    decided = next(step for step in steps if isinstance(step, Decided))
    assert decided.kinds == ("pure", "consequential", "unknown")
    assert not any(isinstance(step, Executed) for step in steps[: steps.index(decided)])


class Speechless(Exception):
    def __str__(self) -> str:
        raise ValueError


# ── ends ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("turn", "reason", "text"),
    [
        ("done", "done", "done"),
        ("", "done", "The model said nothing (end)."),
        ({"refusal": "I will not."}, "refusal", "I will not."),
        ({"refusal": ""}, "refusal", "The model declined."),
        (ModelResponse(message=Assistant(text="half"), stop="length"), "length", "half"),
        (
            ModelResponse(message=Assistant(), stop="filtered"),
            "filtered",
            "The model said nothing (filtered).",
        ),
        (
            ModelError("no key", kind="authentication", provider="openai"),
            "failed",
            "The model gave no answer: openai: no key",
        ),
        (KeyError("x"), "failed", "The model gave no answer: 'x'"),
        (Speechless(), "failed", "The model gave no answer: it cannot say why"),
        (
            ModelResponse(message=Assistant(), stop="other", detail="MALFORMED_FUNCTION_CALL"),
            "failed",
            "The model gave no answer: it stopped, MALFORMED_FUNCTION_CALL",
        ),
    ],
)
def test_a_run_always_ends_with_text_and_a_reason(turn: Any, reason: str, text: str) -> None:
    result = run(Agent(script(turn), LOOK))
    assert (result.reason, result.text) == (reason, text)
    assert (result.error is not None) is (reason == "failed")


@pytest.mark.parametrize("stop", ["length", "refusal", "filtered"])
@pytest.mark.parametrize("streamed", [False, True])
def test_no_call_of_an_answer_that_was_cut_off_runs(stop: Any, streamed: bool) -> None:
    """Its last call may be cut off too, and still read like a whole one."""
    calls = (ToolCall("a", "look", {}), ToolCall("b", "change", {"thing": "half of it"}))
    turn = ModelResponse(message=Assistant(text="So", calls=calls), stop=stop)
    agent = Agent(script(turn), [LOOK, CHANGE], approve=lambda _: True)

    async def main() -> RunResult:
        ends = [step async for step in agent.stream("go") if isinstance(step, Ended)]
        return ends[0].result

    result = asyncio.run(main()) if streamed else run(agent)
    why = f"the answer was not finished ({stop})"
    assert (result.reason, result.text) == (stop, "So")
    assert [(name, json.loads(text)) for name, text in seen(result)] == [
        ("a", {"outcome": "skipped", "error": f"look: {why}"}),
        ("b", {"outcome": "skipped", "error": f"change: {why}"}),
    ]


def test_refusals_are_carried_in_the_conversation() -> None:
    result = run(Agent(script({"refusal": "I will not."})))
    assert result.messages[-1] == Assistant(refusal="I will not.")


def test_a_turn_that_the_provider_paused_is_sent_back_to_go_on() -> None:
    paused = ModelResponse(message=Assistant(text="thinking"), stop="paused")
    model = script(paused, "done")
    result = run(Agent(model, LOOK))
    assert (result.text, len(model.requests)) == ("done", 2)
    assert model.requests[1].messages == (User("go"), Assistant(text="thinking"))


@pytest.mark.parametrize("given", [{"max_turns": 0}, {"parallel": 0}])
def test_an_agent_that_could_do_nothing_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="numbers from 1"):
        Agent(script("x"), **given)


# ── a function's own failures ───────────────────────────────────────────────────────


def test_what_a_function_raises_is_told_and_the_run_goes_on() -> None:
    def broken() -> None:
        raise ZeroDivisionError("by zero")

    result = run(Agent(script([call("broken", "a")], "done"), reader(broken)))
    assert json.loads(dict(seen(result))["a"]) == {
        "outcome": "error",
        "error": "broken: ZeroDivisionError: by zero",
    }
    assert result.reason == "done"


def test_an_exception_that_has_no_words_is_told_all_the_same() -> None:
    def broken() -> None:
        raise Speechless

    result = run(Agent(script([call("broken", "a")], "done"), reader(broken)))
    assert json.loads(dict(seen(result))["a"])["error"] == "broken: Speechless: it cannot say why"


def test_a_functions_parameters_are_checked() -> None:
    result = run(Agent(script([call("look", "a", thing=1, other=2)], "done"), LOOK))
    told = json.loads(dict(seen(result))["a"])
    assert told["outcome"] == "invalid_arguments"
    assert "/thing: must be string, got 1" in told["error"]
    assert "/other: is unknown" in told["error"]


def test_a_function_whose_types_cannot_be_told_is_refused() -> None:
    def odd(path: Path) -> None: ...

    def many(*things: str) -> None: ...

    with pytest.raises(TypeError, match="odd: path has a type that no schema can be made of"):
        FunctionTool(odd)
    with pytest.raises(TypeError, match=r"many: \*things: str cannot be given by name"):
        FunctionTool(many)
    with pytest.raises(TypeError, match="needs a name"):
        FunctionTool(lambda: None)


# ── cancelling ──────────────────────────────────────────────────────────────────────


def hanging(ends: list[str], begun: asyncio.Event) -> FunctionTool:
    async def hang() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ends.append("cleaned up")

    return reader(hang)


def test_cancelling_a_run_cancels_and_awaits_its_calls() -> None:
    ends: list[str] = []

    async def main() -> None:
        begun = asyncio.Event()
        agent = Agent(script([call("hang"), call("hang")]), hanging(ends, begun))
        task = asyncio.create_task(agent.run("go"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ends == ["cleaned up", "cleaned up"]
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


def test_leaving_a_stream_cancels_and_awaits_its_calls() -> None:
    ends: list[str] = []

    async def main() -> None:
        begun = asyncio.Event()
        agent = Agent(script([call("look"), call("hang")]), [LOOK, hanging(ends, begun)])
        steps = agent.stream("go")
        async for step in steps:
            if isinstance(step, Executed):
                await begun.wait()
                break
        await steps.aclose()
        assert ends == ["cleaned up"]
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


# ── streaming ───────────────────────────────────────────────────────────────────────


def test_a_stream_tells_every_step_and_ends_with_the_end() -> None:
    agent = Agent(script([call("look", "a", thing="x")], "all done"), LOOK)

    async def main() -> list[Any]:
        return [step async for step in agent.stream("go")]

    steps = asyncio.run(main())
    assert [type(step).__name__ for step in steps] == [
        "Described",
        "CallDelta",
        "Decided",
        "Executed",
        "Described",
        "TextDelta",
        "TextDelta",
        "Decided",
        "Ended",
    ]
    assert steps[0] == Described(1, ("look",))
    assert (steps[3].outcome, steps[3].call.arguments) == ("ok", {"thing": "x"})
    assert isinstance(steps[-1], Ended)
    assert steps[-1].result.text == "all done"


def test_the_principal_reaches_the_tools() -> None:
    saw: list[str] = []

    def who(ctx: Any) -> None:
        saw.append(ctx.call.principal)

    run(Agent(script([call("who")], "done"), reader(who)), principal="ada")
    assert saw == ["ada"]


def test_what_a_function_calls_itself_is_for_the_principal_too() -> None:
    def who() -> None:
        saw.append(acting.principal())

    async def guard(invocation: Invocation, call_next: CallNext) -> None:
        saw.append(acting.principal())
        await call_next()

    saw: list[str] = []
    agent = Agent(script(*[[call("who")]] * 2), reader(who), middleware=[guard], max_turns=2)
    run(agent, principal="ada")
    assert saw == ["ada", "ada"]


def test_a_run_has_an_id_of_its_own() -> None:
    agent = Agent(script("one", "two"), look)
    assert run(agent).run != run(agent).run
