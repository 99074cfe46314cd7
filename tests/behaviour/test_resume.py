"""A paused run is plain data; another process goes on with it, and nothing else is taken for it."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolmint.auth import acting
from toolmint.runtime.agent.conversation import Assistant, Observation, User
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.run_context import Context
from toolmint.runtime.agent.run_state import RunState, StateError
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.gates.approvals import Approvals
from toolmint.runtime.gates.breaker import Budget

from .agents import CHANGE, LOOK, call, outcomes, run, script, seen, writer

KEY = b"a key of the tests, 32 bytes long"
ROOT = Path(__file__).parents[2]
BOTH = [call("change", "c", thing="x"), call("look", "l", thing="y")]


def agent(*turns: Any, **given: Any) -> Agent:
    usual: dict[str, Any] = {"approvals": Approvals(KEY)}
    return Agent(script(*turns), [LOOK, CHANGE], **{**usual, **given})


def paused(*turns: Any, **given: Any) -> tuple[RunResult, str]:
    first = agent(*(turns or (BOTH,)), **given)
    result = run(first)
    assert result.reason == "approval"
    assert result.state is not None
    return result, result.state.to_json(first.approvals)


def resumed(
    text: str, *answers: tuple[Any, bool], turns: Any = ("done",), **given: Any
) -> RunResult:
    second = agent(*turns, **given)
    told = [second.approvals.answer(asked, granted, by="ada") for asked, granted in answers]
    return asyncio.run(second.resume(text, told))


def test_a_run_without_an_approver_pauses_with_its_questions() -> None:
    result, _ = paused()
    assert result.text == "Waiting for approval: change."
    assert [(one.tool, one.arguments, one.call_id) for one in result.questions] == [
        ("change", {"thing": "x"}, "c")
    ]


def test_pure_calls_run_while_an_approval_is_pending() -> None:
    result, _ = paused()
    assert outcomes(result) == [("look", "ok")]


def test_another_process_goes_on_and_results_stand_in_the_models_order() -> None:
    result, text = paused()
    done = resumed(text, (result.questions[0], True))
    assert (done.reason, done.text, done.run) == ("done", "done", result.run)
    assert outcomes(done) == [("change", "ok")]
    assert [name for name, _ in seen(done)] == ["c", "l"]
    assert [type(message) for message in done.messages] == [
        User,
        Assistant,
        Observation,
        Observation,
        Assistant,
    ]


def test_a_denial_is_an_outcome_and_the_run_goes_on() -> None:
    result, text = paused()
    done = resumed(text, (result.questions[0], False))
    assert (outcomes(done), done.text) == ([("change", "denied")], "done")
    assert json.loads(dict(seen(done))["c"])["error"] == "change: denied by ada"


def test_what_is_not_answered_is_asked_again() -> None:
    result, text = paused([call("change", "a", thing="1"), call("change", "b", thing="2")])
    first = {question.call_id: question for question in result.questions}
    again = resumed(text, (first["b"], True))
    assert again.reason == "approval"
    assert outcomes(again) == [("change", "ok")]
    assert [question.call_id for question in again.questions] == ["a"]
    assert again.state is not None
    done = resumed(again.state.to_json(Approvals(KEY)), (again.questions[0], True))
    assert [name for name, _ in seen(done)] == ["a", "b"]


def test_what_was_used_before_counts_after() -> None:
    budget = Budget(calls=2)
    result, text = paused(budget=budget, max_turns=5)
    done = resumed(
        text,
        (result.questions[0], True),
        turns=[[call("look")], "never"],
        budget=budget,
        max_turns=5,
    )
    assert (done.reason, outcomes(done)) == ("calls", [("change", "ok"), ("look", "skipped")])
    assert done.turns == 2


def test_a_state_survives_json_whole() -> None:
    result, text = paused()
    assert RunState.from_json(text, Approvals(KEY)) == result.state


@pytest.mark.parametrize(
    "altered",
    [
        {"messages": []},
        {"offered": ["look", "change", "look"]},
        {"pending": []},
        {"questions": []},
        {"held": ["changes"]},
        {"breaker": {}},
        {"done": {}},
        {"principal": "root"},
    ],
)
def test_an_altered_state_does_not_resume(altered: dict[str, Any]) -> None:
    _, text = paused()
    told = json.loads(text)
    told["state"].update(altered)
    with pytest.raises(StateError, match="altered"):
        asyncio.run(agent("done").resume(json.dumps(told)))


@pytest.mark.parametrize(
    ("altered", "message"),
    [
        ({"signature": "0" * 64}, "altered"),
        ({"signature": None}, "altered"),
        ({"toolmint_run": 2}, "another version"),
        ({"state": None}, "no paused run"),
    ],
)
def test_an_altered_envelope_does_not_resume(altered: dict[str, Any], message: str) -> None:
    _, text = paused()
    with pytest.raises(StateError, match=message):
        asyncio.run(agent("done").resume(json.dumps({**json.loads(text), **altered})))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"toolmint_run": 1}', "null"])
def test_what_is_no_state_does_not_resume(text: str) -> None:
    with pytest.raises(StateError):
        asyncio.run(agent("done").resume(text))


def test_a_state_of_another_key_does_not_resume() -> None:
    _, text = paused()
    with pytest.raises(StateError, match="another key"):
        asyncio.run(agent("done", approvals=Approvals()).resume(text))


def test_a_state_holds_no_key() -> None:
    _, text = paused()
    assert KEY.decode() not in text


def test_a_replay_of_a_whole_resume_runs_nothing_twice() -> None:
    """The same state and the same answers again: the effect happens once."""
    approvals = Approvals(KEY)
    result, text = paused()
    answer = approvals.answer(result.questions[0], True, by="ada")
    done = [
        asyncio.run(agent("done", approvals=approvals).resume(text, [answer])) for _ in range(2)
    ]
    assert [outcomes(one) for one in done] == [[("change", "ok")], [("change", "denied")]]


def test_a_resumed_run_can_be_streamed() -> None:
    result, text = paused()
    second = agent("done")
    answer = second.approvals.answer(result.questions[0], True, by="ada")

    async def main() -> list[str]:
        return [type(step).__name__ async for step in second.stream_resumed(text, [answer])]

    assert asyncio.run(main()) == [
        "Answered",
        "Executed",
        "Described",
        "TextDelta",
        "Decided",
        "Ended",
    ]


PROGRAM = """
import asyncio, json, sys
from tests.behaviour.test_resume import KEY, agent
from toolmint.runtime.gates.approvals import Approval, Approvals, FolderLedger
from tests.behaviour.agents import outcomes

text, answer, folder = sys.argv[1:]
approvals = Approvals(KEY, FolderLedger(folder))
done = asyncio.run(
    agent("done", approvals=approvals).resume(text, [Approval.from_data(json.loads(answer))])
)
print(json.dumps([done.reason, outcomes(done)]))
"""


def test_real_processes_share_the_key_and_the_ledger(tmp_path: Path) -> None:
    result, text = paused()
    answer = json.dumps(Approvals(KEY).answer(result.questions[0], True, by="ada").to_data())
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, text, answer, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert [json.loads(one) for one in told] == [
        ["done", [["change", "ok"]]],
        ["done", [["change", "denied"]]],
    ]


def test_a_function_that_calls_another_tool_is_not_begun_twice() -> None:
    begun: list[str] = []

    async def outer(ctx: Context) -> str:
        begun.append("outer")
        inner = await CHANGE.execute({"thing": "x"}, ctx)
        return inner.outcome

    first = Agent(script([call("outer", "o")], "done"), [writer(outer)])
    result = run(first)
    assert result.state is not None
    yes = [first.approvals.answer(one, True, by="ada") for one in result.questions]
    again = asyncio.run(first.resume(result.state, yes))
    assert (again.reason, begun) == ("done", ["outer"])
    assert "denied" in dict(seen(again))["o"]


def test_a_run_goes_on_for_whom_it_was_begun_whoever_resumes_it() -> None:
    saw: list[str] = []

    def who() -> None:
        saw.append(acting.principal())

    first = Agent(script([call("who")], "done"), [writer(who)])
    with acting.acting_for("ada"):
        result = run(first)
    assert result.state is not None
    yes = [first.approvals.answer(one, True, by="ada") for one in result.questions]
    with acting.acting_for("eve"):
        asyncio.run(first.resume(result.state.to_json(first.approvals), yes))
    assert saw == ["ada"]
