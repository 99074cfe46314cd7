"""Approvals: which calls are asked about, by whom; each is spent before the effect."""

import asyncio
import io
import json
import os
import pty
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.run_state import StateError
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.gates.approvals import Approvals, FolderLedger, MemoryLedger
from toolmint.runtime.gates.approvers import TerminalApprover, asked
from toolmint.runtime.gates.questions import Question
from toolmint.runtime.gates.run_policy import RunPolicy
from toolmint.runtime.operation import Effects, Gate
from toolmint.runtime.policy import AllowAll, Allowed, Denied, Proposal, Waiting

from .agents import (
    CHANGE,
    DESTROYS,
    READS,
    WRITES,
    call,
    change,
    gated,
    outcomes,
    reader,
    run,
    script,
    seen,
)
from .proposals import KEY, decided, proposal, question


def changed(agent: Agent, prompt: str = "go") -> RunResult:
    return run(agent, prompt)


def agent(*turns: Any, tools: Any = CHANGE, **given: Any) -> Agent:
    return Agent(script(*(turns or ([call("change", "c", thing="a")], "done"))), tools, **given)


# ── which calls are asked about ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("approval", "asked_about"),
    [
        ("never", set[str]()),
        ("consequential", {"writes", "destroys"}),
        ("destructive", {"destroys"}),
        ("always", {"reads", "writes", "destroys"}),
    ],
)
def test_the_gate_says_which_calls_are_asked_about(approval: Any, asked_about: set[str]) -> None:
    found: set[str] = set()
    for name, effects in (("reads", READS), ("writes", WRITES), ("destroys", DESTROYS)):
        policy = RunPolicy(approve="pause")
        tool = gated(change, effects, approval=approval)
        try:
            assert isinstance(asyncio.run(policy.decide(proposal(tool=tool))), Allowed)
        except Waiting:
            found.add(name)
    assert found == asked_about


def test_consequential_is_the_default() -> None:
    assert Gate().approval == "consequential"
    assert Effects().consequential


# ── callback approvers ──────────────────────────────────────────────────────────────


def test_a_callback_is_asked_about_the_very_call() -> None:
    questions: list[Question] = []

    def approve(question: Question) -> bool:
        questions.append(question)
        return True

    result = changed(agent(approve=approve))
    assert outcomes(result) == [("change", "ok")]
    [question] = questions
    assert (question.tool, question.arguments, question.call_id, question.run) == (
        "change",
        {"thing": "a"},
        "c",
        result.run,
    )
    assert question.reasons == ("it changes something",)
    assert question.is_whole


async def later(question: Question) -> bool:
    await asyncio.sleep(0)
    return True


def test_a_callback_may_be_async() -> None:
    assert outcomes(changed(agent(approve=later))) == [("change", "ok")]


def boom(question: Question) -> bool:
    raise RuntimeError("secret reason")


def answers(value: Any) -> Callable[[Question], Any]:
    def approver(question: Question) -> Any:
        return value

    return approver


@pytest.mark.parametrize(
    ("approver", "reason"),
    [
        (answers(False), "denied by approver"),
        (answers(1), "denied by approver"),
        (answers("yes"), "denied by approver"),
        (answers(None), "denied by approver"),
        (answers({"approved": True}), "denied by approver"),
        (boom, "denied by boom failed: RuntimeError"),
        (None, "it changes something; and nobody is there to approve it"),
    ],
)
def test_anything_but_a_real_true_denies(approver: Any, reason: str) -> None:
    """Guards fail closed, and asking is not approving."""
    result = changed(agent(approve=approver))
    assert outcomes(result) == [("change", "denied")]
    assert json.loads(dict(seen(result))["c"]) == {
        "outcome": "denied",
        "error": f"change: {reason}",
    }


def test_what_only_reads_never_waits_behind_an_approval() -> None:
    looked = asyncio.Event()

    async def approve(_: Question) -> bool:
        await asyncio.wait_for(looked.wait(), 20)
        return True

    async def peek() -> str:
        """Look on."""
        looked.set()
        return "seen"

    turns = [call("change", "c"), call("peek", "p")], "done"
    helper = Agent(script(*turns), [CHANGE, reader(peek)], approve=approve, parallel=1)
    result = changed(helper)
    assert outcomes(result) == [("peek", "ok"), ("change", "ok")]
    assert [call_id for call_id, _ in seen(result)] == ["c", "p"]


def test_each_call_is_asked_about_even_when_it_is_the_same() -> None:
    count: list[str] = []

    def approve(question: Question) -> bool:
        count.append(question.nonce)
        return len(count) == 1

    turn = [call("change", "a", thing="x"), call("change", "b", thing="x")]
    result = changed(agent(turn, "done", approve=approve))
    assert sorted(outcomes(result)) == [("change", "denied"), ("change", "ok")]
    assert len(set(count)) == 2


def test_an_explicit_policy_decides_in_place_of_the_gates() -> None:
    assert outcomes(changed(agent(policy=AllowAll()))) == [("change", "ok")]

    class Never:
        async def decide(self, proposal: Proposal) -> Denied:
            return Denied(by="never", reason="not today")

    assert outcomes(changed(agent(policy=Never(), approve=later))) == [("change", "denied")]


# ── the terminal ────────────────────────────────────────────────────────────────────


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


QUESTION = Approvals(KEY).ask(proposal(), ("it changes something",))


@pytest.mark.parametrize(
    ("typed", "granted"),
    [("y\n", True), ("Yes\n", True), ("n\n", False), ("\n", False), ("", False), ("yep\n", False)],
)
def test_the_terminal_takes_yes_for_yes_and_nothing_else(typed: str, granted: bool) -> None:
    shown = Terminal()
    assert asyncio.run(TerminalApprover(Terminal(typed), shown)(QUESTION)) is granted
    assert "change: it changes something" in shown.getvalue()
    assert '"thing": "a"' in shown.getvalue()


@pytest.mark.parametrize(
    ("answers", "shown"), [(io.StringIO("y\n"), Terminal()), (Terminal("y\n"), io.StringIO())]
)
def test_whoever_is_not_at_a_terminal_cannot_say_yes(answers: io.StringIO, shown: Any) -> None:
    assert asyncio.run(TerminalApprover(answers, shown)(QUESTION)) is False


def test_one_question_stands_at_the_terminal_at_a_time() -> None:
    shown = Terminal()
    approver = TerminalApprover(Terminal("y\nn\n"), shown)

    async def main() -> list[bool]:
        return list(await asyncio.gather(approver(QUESTION), approver(QUESTION)))

    assert asyncio.run(main()) == [True, False]
    assert shown.getvalue().count("Allow this call?") == 2


def test_what_was_typed_before_the_question_is_no_answer_to_it() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as answers, os.fdopen(os.dup(theirs), "w") as shown:
        os.write(ours, b"y\ny\n")

        async def ask() -> bool:
            asking = asyncio.ensure_future(TerminalApprover(answers, shown)(QUESTION))
            text = b""
            while b"[y/N]" not in text:
                text += await asyncio.to_thread(os.read, ours, 1024)
            os.write(ours, b"n\n")
            return await asking

        assert asyncio.run(ask()) is False
    os.close(ours)


@pytest.mark.parametrize("thing", [["line"] * 40, "wide " * 400])
def test_long_arguments_push_no_question_off_the_screen(thing: Any) -> None:
    head = "change: it changes something"
    text = asked(replace(QUESTION, arguments={"thing": thing}))
    assert (text.splitlines()[1], text.splitlines()[-1]) == (head, head)


def test_no_character_of_a_models_moves_the_cursor() -> None:
    hostile = proposal(arguments={"thing": "a\x1b[2J\r\u202egnp.exe\nAllow this call? [y/N] y"})
    text = asked(Approvals(KEY).ask(hostile, ("it changes something",)))
    assert "\x1b" not in text
    assert "\r" not in text
    assert "\u202e" not in text
    assert "\\u202egnp.exe\\nAllow" in text


# ── single use ──────────────────────────────────────────────────────────────────────


def test_a_replayed_approval_is_refused() -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    answer = approvals.answer(asked_, True, by="ada")
    assert decided(approvals, asked_, answer) == Allowed(by="ada")
    assert decided(approvals, asked_, answer) == Denied(
        by="approval", reason="the approval was used already"
    )


def test_one_answer_allows_one_call_of_a_run() -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    policy = RunPolicy(
        approvals=approvals, answers=[(asked_, approvals.answer(asked_, True, by="a"))]
    )
    assert isinstance(asyncio.run(policy.decide(proposal())), Allowed)
    assert isinstance(asyncio.run(policy.decide(proposal())), Denied)


def test_an_approval_is_spent_before_the_effect_even_when_that_fails() -> None:
    tried: list[int] = []

    def fail() -> None:
        tried.append(1)
        raise ConnectionError

    def begun(*turns: Any) -> Agent:
        return Agent(script(*turns), gated(fail), approvals=shared)

    shared = Approvals(KEY)
    paused = run(begun([call("fail", "c")]))
    assert paused.state is not None
    answer = shared.answer(paused.questions[0], True, by="ada")
    first = asyncio.run(begun("done").resume(paused.state, [answer]))
    again = asyncio.run(begun("done").resume(paused.state, [answer]))
    assert (outcomes(first), outcomes(again)) == ([("fail", "error")], [("fail", "denied")])
    assert tried == [1]


def test_processes_that_share_a_folder_spend_an_approval_once(tmp_path: Path) -> None:
    one, other = FolderLedger(tmp_path / "spent"), FolderLedger(tmp_path / "spent")
    assert [one.spend("a1"), other.spend("a1"), other.spend("b2"), one.spend("b2")] == [
        True,
        False,
        True,
        False,
    ]
    assert one.spend("../elsewhere") is False
    assert [path.name for path in tmp_path.iterdir()] == ["spent"]


def test_a_ledger_that_fails_denies() -> None:
    class Broken(MemoryLedger):
        def spend(self, nonce: str) -> bool:
            raise OSError("disk full")

    approvals = Approvals(KEY, Broken())
    paused = run(agent(approvals=approvals))
    assert paused.state is not None
    answer = approvals.answer(paused.questions[0], True, by="ada")
    resumed = asyncio.run(agent("done", approvals=approvals).resume(paused.state, [answer]))
    assert outcomes(resumed) == [("change", "denied")]


def test_an_approval_of_another_run_does_not_resume_this_one() -> None:
    first, other = agent(), agent()
    paused, elsewhere = run(first), run(other)
    assert paused.state is not None
    answer = other.approvals.answer(elsewhere.questions[0], True, by="ada")
    with pytest.raises(StateError, match="refused: the approval was forged or altered"):
        asyncio.run(first.resume(paused.state, [answer]))
    shared = Approvals(KEY)
    first, other = agent(approvals=shared), agent(approvals=shared)
    paused, elsewhere = run(first), run(other)
    assert paused.state is not None
    answer = shared.answer(elsewhere.questions[0], True, by="ada")
    with pytest.raises(StateError, match="refused: the approval was given in another run"):
        asyncio.run(first.resume(paused.state, [answer]))
