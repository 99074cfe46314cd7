"""An approval is bound to one call, one tool, one digest and one run, and signed."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from toolmint.runtime.gates.approvals import Approval, Approvals
from toolmint.runtime.gates.questions import Question
from toolmint.runtime.gates.run_policy import RunPolicy
from toolmint.runtime.policy import Allowed, Denied, Waiting

from .agents import LOOK
from .proposals import KEY, decided, proposal, question

# ── bound and signed ────────────────────────────────────────────────────────────────


def test_an_approval_counts_for_its_call() -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    assert decided(approvals, asked_, approvals.answer(asked_, True, by="ada")) == Allowed(by="ada")


def test_a_denial_names_who_took_it() -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    answer = approvals.answer(asked_, False, by="ada")
    assert decided(approvals, asked_, answer) == Denied(by="ada", reason="denied by ada")


@pytest.mark.parametrize(
    ("altered", "reason"),
    [
        ({"granted": True}, "the approval was forged or altered"),
        ({"by": "eve"}, "the approval was forged or altered"),
        ({"digest": "0" * 64}, "the approval was forged or altered"),
        ({"signature": ""}, "the approval was forged or altered"),
        ({"signature": "0" * 64}, "the approval was forged or altered"),
    ],
)
def test_an_altered_approval_is_refused(altered: dict[str, Any], reason: str) -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    answer = replace(approvals.answer(asked_, False, by="ada"), **altered)
    assert decided(approvals, asked_, answer) == Denied(by="approval", reason=reason)


def test_a_forged_approval_is_refused() -> None:
    """Whoever knows everything but the key makes none that counts."""
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    eve = Approvals(b"the key that eve would like to be")
    forged = eve.answer(eve.ask(proposal(), ("it changes something",)), True, by="ada")
    forged = replace(forged, nonce=asked_.nonce)
    refusal = Denied(by="approval", reason="the approval was forged or altered")
    assert decided(approvals, asked_, forged) == refusal


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"run": "another"}, "the approval was given in another run"),
        ({"call_id": "another"}, "the approval was given for another call"),
        ({"tool": LOOK}, "the approval was given for another tool"),
        ({"arguments": {"thing": "b"}}, "the approval was given for other arguments"),
        ({}, "the approval was given to another question"),
    ],
)
def test_an_approval_counts_for_nothing_else(other: dict[str, Any], reason: str) -> None:
    approvals = Approvals(KEY)
    elsewhere = approvals.answer(question(approvals, **other), True, by="ada")
    assert approvals.refusal(elsewhere, question(approvals)) == reason


def test_changed_arguments_are_asked_about_again() -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    answer = approvals.answer(asked_, True, by="ada")
    policy = RunPolicy(approve="pause", approvals=approvals, answers=[(asked_, answer)])
    with pytest.raises(Waiting) as waiting:
        asyncio.run(policy.decide(proposal(arguments={"thing": "b"})))
    assert waiting.value.question.arguments == {"thing": "b"}


def test_a_digest_tells_numbers_texts_and_flags_apart() -> None:
    digests = {proposal(arguments={"thing": value}).digest for value in (1, "1", True, 1.0, [1])}
    assert len(digests) == 5
    assert (
        proposal(arguments={"a": 1, "b": 2}).digest == proposal(arguments={"b": 2, "a": 1}).digest
    )


@pytest.mark.parametrize(
    "altered",
    [{"arguments": {"thing": "harmless"}}, {"tool": "look"}, {"reasons": ("it only reads",)}],
)
def test_a_question_that_was_altered_is_not_answered(altered: dict[str, Any]) -> None:
    """A person must never be shown other arguments than those that are approved."""
    approvals = Approvals(KEY)
    with pytest.raises(ValueError, match="altered since"):
        approvals.answer(replace(question(approvals), **altered), True, by="ada")


@pytest.mark.parametrize("granted", [1, "true", None])
def test_an_answer_is_a_real_flag(granted: Any) -> None:
    approvals = Approvals(KEY)
    with pytest.raises(TypeError, match="True or False"):
        approvals.answer(question(approvals), granted, by="ada")


def test_questions_and_answers_travel_as_data() -> None:
    here, there = Approvals(KEY), Approvals(KEY)
    asked_ = Question.from_data(json.loads(json.dumps(question(here).to_data())))
    told = json.loads(json.dumps(there.answer(asked_, True, by="ada").to_data()))
    assert here.refusal(Approval.from_data(told), asked_) is None


@pytest.mark.parametrize("data", [None, {}, {"granted": True}, {"nonce": 1}])
def test_other_data_is_neither(data: Any) -> None:
    with pytest.raises(ValueError, match="no approval"):
        Approval.from_data(data)
    with pytest.raises(ValueError, match="no question"):
        Question.from_data(data)


def test_no_key_shows() -> None:
    approvals = Approvals(KEY)
    asked_ = question(approvals)
    assert KEY.decode() not in repr(approvals)
    assert asked_.nonce not in repr(asked_)
    assert asked_.signature not in repr(approvals.answer(asked_, True, by="ada"))
    with pytest.raises(ValueError, match="16 bytes at least"):
        Approvals(b"short")
