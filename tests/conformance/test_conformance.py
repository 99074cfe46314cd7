"""The score of the public conformance suite is the committed one, and everything else is explained."""

from pathlib import Path

import pytest

from tests.needs import missing

from .report import PAGE, page, unexplained
from .run import Verdict, data, run
from .suite import SETUP, home


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    folder: Path = home() or missing("the conformance suite", SETUP)
    return run(folder)


def test_the_score_is_the_committed_one(verdicts: list[Verdict]) -> None:
    """After a change that was meant: `python -m tests.conformance --write`."""
    assert page(verdicts, data()["reasons"]) == PAGE.read_text("utf-8")


def test_each_scenario_that_does_not_pass_has_its_reason(verdicts: list[Verdict]) -> None:
    assert unexplained(verdicts, data()["reasons"]) == []


def test_no_reason_outlives_its_failure(verdicts: list[Verdict]) -> None:
    passing = {verdict.scenario.name for verdict in verdicts if verdict.passed}
    given = [name for reason in data()["reasons"] for name in reason["scenarios"]]
    assert [name for name in given if name in passing] == []
    assert len(given) == len(set(given))


def test_every_answer_is_read_as_it_was_sent(verdicts: list[Verdict]) -> None:
    assert [one.scenario.name for one in verdicts if not all(one.outcome.read)] == []
