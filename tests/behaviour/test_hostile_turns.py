"""What a model writes wrongly, and whoever is asked does wrongly, changes no promise of a run."""

import asyncio
from typing import Any

import pytest

from toolmint.runtime.agent.functions import FunctionTool
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.middleware import CallNext, Invocation
from toolmint.runtime.agent.run_state import StateError
from toolmint.runtime.gates.breaker import Budget
from toolmint.runtime.gates.questions import Question
from toolmint.runtime.operation import Gate

from .agents import CHANGE, LOOK, READS, call, look, outcomes, reader, run, script, seen, writer


class Sent:
    """A tool that notes what it was given."""

    def __init__(self) -> None:
        self.options: list[Any] = []
        self.tool = writer(self.send)

    def send(self, options: dict[str, Any]) -> str:
        """Send it."""
        self.options.append(options)
        return "sent"


# ── what a model writes ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "arguments",
    [
        {"thing": float("nan")},
        {"thing": [float("inf")]},
        '{"thing": NaN}',
        '{"thing": -Infinity}',
        '{"thing": 1e999}',
    ],
)
def test_numbers_that_json_cannot_hold_are_invalid_arguments(arguments: Any) -> None:
    turn = [{"name": "change", "arguments": arguments}]
    result = run(Agent(script(turn, "done"), [CHANGE], approve=lambda _: True))
    assert (result.reason, outcomes(result)) == ("done", [("change", "invalid_arguments")])


@pytest.mark.parametrize(("levels", "outcome"), [(99, "ok"), (100, "invalid_arguments")])
def test_arguments_are_nested_a_hundred_levels_at_most(levels: int, outcome: str) -> None:
    thing: Any = 1
    for _ in range(levels):
        thing = [thing]

    def take(thing: Any) -> None:
        return

    result = run(Agent(script([call("take", thing=thing)], "done"), reader(take)))
    assert outcomes(result) == [("take", outcome)]


def test_two_calls_of_one_id_are_told_apart() -> None:
    turn = [call("look", "same", thing="a"), call("look", "same", thing="b")]
    result = run(Agent(script(turn, "done"), [LOOK]))
    assert [
        (identity, f"saw {thing}" in text)
        for (identity, text), thing in zip(seen(result), "ab", strict=True)
    ] == [("same", True), ("same_1", True)]


def test_two_questions_of_one_id_are_answered_apart() -> None:
    turn = [call("change", "same", thing="a"), call("change", "same", thing="b")]
    agent = Agent(script(turn, "done"), [CHANGE])
    paused = run(agent)
    assert paused.state is not None
    answers = [
        agent.approvals.answer(one, one.arguments == {"thing": "a"}, by="ada")
        for one in paused.questions
    ]
    resumed = asyncio.run(agent.resume(paused.state, answers))
    assert {one.call.id: one.outcome for one in resumed.calls} == {"same": "ok", "same_1": "denied"}


def test_a_model_that_was_told_to_call_nothing_calls_nothing() -> None:
    result = run(Agent(script([call("look")], "done"), [LOOK]), tool_choice="none")
    assert outcomes(result) == [("look", "denied")]


def test_a_state_with_half_a_character_can_be_stored() -> None:
    agent = Agent(script([call("change", thing="\ud800")], "done"), [CHANGE])
    paused = run(agent)
    assert paused.state is not None
    text = paused.state.to_json(agent.approvals).encode().decode()
    answer = agent.approvals.answer(paused.questions[0], True, by="ada")
    assert outcomes(asyncio.run(agent.resume(text, [answer]))) == [("change", "ok")]


# ── what those who are asked do ─────────────────────────────────────────────────────


def test_an_approver_cannot_change_what_it_approves() -> None:
    def approve(question: Question) -> bool:
        question.arguments["options"]["to"] = "eve"
        return True

    sent = Sent()
    turn = [call("send", options={"to": "bob"})]
    run(Agent(script(turn, "done"), [sent.tool], approve=approve))
    assert sent.options == [{"to": "bob"}]


def test_what_is_changed_while_a_person_thinks_does_not_run() -> None:
    asked, changed = asyncio.Event(), asyncio.Event()

    async def approve(_: Question) -> bool:
        asked.set()
        await changed.wait()
        return True

    async def meddle(invocation: Invocation, call_next: CallNext) -> None:
        calling = asyncio.ensure_future(call_next())
        await asked.wait()
        invocation.arguments["options"]["to"] = "eve"
        changed.set()
        await calling

    sent = Sent()
    turn = [call("send", options={"to": "bob"})]
    run(Agent(script(turn, "done"), [sent.tool], approve=approve, middleware=[meddle]))
    assert sent.options == [{"to": "bob"}]


def test_two_answers_to_one_question_are_refused() -> None:
    agent = Agent(script([call("change")], "done"), [CHANGE])
    paused = run(agent)
    assert paused.state is not None
    answers = [
        agent.approvals.answer(paused.questions[0], said, by="ada") for said in (False, True)
    ]
    with pytest.raises(StateError, match="two answers to one question"):
        asyncio.run(agent.resume(paused.state, answers))


def test_an_approver_that_takes_no_notice_of_the_time_lets_nothing_through() -> None:
    async def approve(_: Question) -> bool:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return True
        return False

    sent = Sent()
    turn = [call("send", options={})]
    agent = Agent(script(turn, "done"), [sent.tool], approve=approve, budget=Budget(seconds=0.02))
    assert (run(agent).reason, sent.options) == ("seconds", [])


def test_a_middleware_that_has_answered_calls_on_no_more() -> None:
    late: list[asyncio.Future[None]] = []

    async def answer(invocation: Invocation, call_next: CallNext) -> None:
        invocation.result = "no"
        late.append(asyncio.ensure_future(call_next()))

    async def main() -> BaseException | None:
        agent = Agent(script([call("send", options={})], "done"), [free], middleware=[answer])
        await agent.run("go")
        await asyncio.wait(late)
        return late[0].exception()

    sent = Sent()
    free = writer(sent.send, gate=Gate(approval="never"))
    assert str(asyncio.run(main())) == "the middleware answer called on after it had answered"
    assert sent.options == []


def test_a_function_that_stops_an_iteration_fails_like_any_other() -> None:
    def first() -> str:
        """Look at the first of none."""
        return next(iter(()))

    result = run(Agent(script([call("first")], "done"), [reader(first)]))
    assert (result.reason, outcomes(result)) == ("done", [("first", "error")])


def test_an_answer_that_its_call_did_not_use_counts_for_no_later_one() -> None:
    async def answer_once(invocation: Invocation, call_next: CallNext) -> None:
        if is_resumed and not answered:
            answered.append(invocation.call_id)
            invocation.result = "already done"
        else:
            await call_next()

    is_resumed, answered = False, list[str]()
    same = [call("change", "same", thing="a")]
    agent = Agent(script(same, same, "done"), [CHANGE], middleware=[answer_once])
    paused = run(agent)
    assert paused.state is not None
    answer = agent.approvals.answer(paused.questions[0], True, by="ada")
    is_resumed = True
    resumed = asyncio.run(agent.resume(paused.state, [answer]))
    assert (resumed.reason, outcomes(resumed)) == ("approval", [("change", "ok")])
    assert len(resumed.questions) == 1


def test_a_result_that_holds_itself_ends() -> None:
    def circle() -> list[Any]:
        """Go round."""
        found: list[Any] = []
        found.append(found)
        return found

    result = run(Agent(script([call("circle")], "done"), [reader(circle)]))
    assert (result.reason, outcomes(result)) == ("done", [("circle", "ok")])


# ── what is counted all the same ────────────────────────────────────────────────────


def test_a_run_that_was_stopped_while_it_waits_asks_the_model_no_more() -> None:
    model = script([call("change"), call("look"), call("look", thing="b")], "never asked")
    agent = Agent(model, [CHANGE, LOOK], budget=Budget(calls=2))
    paused = run(agent)
    assert paused.state is not None
    text = paused.state.to_json(agent.approvals)
    answer = agent.approvals.answer(paused.questions[0], True, by="ada")
    resumed = asyncio.run(agent.resume(text, [answer]))
    assert (resumed.reason, outcomes(resumed)) == ("calls", [("change", "ok")])
    assert len(model.requests) == 1


def test_what_a_middleware_answers_was_read_as_well() -> None:
    async def remember(invocation: Invocation, call_next: CallNext) -> None:
        if invocation.tool.name == "inbox":
            invocation.result = "what somebody wrote"
        else:
            await call_next()

    inbox = FunctionTool(
        look, name="inbox", effects=READS, gate=Gate(reads=("untrusted", "sensitive"))
    )
    free = writer(Sent().send, name="send", gate=Gate(approval="never"))
    asked: list[tuple[str, ...]] = []

    def approve(question: Question) -> bool:
        asked.append(question.reasons)
        return False

    turns = [call("inbox")], [call("send", options={})], "done"
    result = run(Agent(script(*turns), [inbox, free], approve=approve, middleware=[remember]))
    assert outcomes(result) == [("inbox", "ok"), ("send", "denied")]
    assert result.powers == ("sensitive", "untrusted")
    assert len(asked) == 1
