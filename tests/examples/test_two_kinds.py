"""`examples/agent/two_kinds.py`: a GraphQL and an OpenAPI package behind one agent."""

import asyncio
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.agents import call, outcomes, script
from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from toolmint.runtime import Question

FOLDER = Path(__file__).parents[2] / "examples" / "agent"
ISSUE = {"id": "7", "title": "Lamp", "state": "OPEN", "reporter": {"name": "Lin"}}


def tracker(request: Seen) -> Answer:
    """A tracker with one issue."""
    question: dict[str, Any] = json.loads(request.body)
    if question["operationName"] == "Issue":
        return Answer.of({"data": {"issue": ISSUE}})
    closed = {**ISSUE, "state": "CLOSED", "reporter": {"id": "1", "name": "Lin"}}
    return Answer.of({"data": {"closeIssue": {"userErrors": [], "issue": closed}}})


def mailbox(request: Seen) -> Answer:
    """A mailbox that sends what it is given."""
    return Answer.of({"id": 1, "sender": "us", "body": request.body.decode()}, 201)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, imported as running it there would."""
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    yield importlib.import_module("two_kinds")
    names = {path.stem for path in FOLDER.iterdir() if path.is_dir() or path.suffix == ".py"}
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        del sys.modules[name]


def read(number: str) -> dict[str, Any]:
    """A call that reads an issue; `id` is the tool's, not the call's."""
    return {"name": "issue", "arguments": {"id": number}}


def close(number: str) -> dict[str, Any]:
    """A call that closes an issue."""
    return call("close_issue", input={"id": number, "reason": "done"})


def agreed(question: Question) -> bool:
    """A person who agrees to everything."""
    return bool(question.tool)


def ran(program: Any, *turns: Any) -> tuple[Any, Loopback, Loopback]:
    """What came of a run, and what each server was sent."""
    with loopback() as issues, loopback() as letters:
        issues.answer = tracker
        letters.answer = mailbox
        graphql = program.Tracker(base_url=issues.url, credentials={})
        mail = program.Mail(base_url=letters.url, credentials={"token": "t"})
        model = script(*turns, "Closed, and Lin knows.")
        result = asyncio.run(program.main(model, graphql, mail, "7", agreed))
        return result, issues, letters


def test_an_issue_is_read_closed_and_told_of(program: Any) -> None:
    told = call("send_message", recipient="Lin", body="Your issue is done.")
    result, issues, letters = ran(program, [read("7")], [close("7")], [told])
    assert outcomes(result) == [("issue", "ok"), ("close_issue", "ok"), ("send_message", "ok")]
    assert [json.loads(seen.body)["operationName"] for seen in issues.seen] == [
        "Issue",
        "CloseIssue",
    ]
    assert [seen.target for seen in letters.seen] == ["/messages"]


def test_an_issue_that_was_not_read_is_not_closed(program: Any) -> None:
    result, issues, _ = ran(program, [close("7")], [read("8")], [close("7")])
    assert outcomes(result) == [
        ("close_issue", "denied"),
        ("issue", "ok"),
        ("close_issue", "denied"),
    ]
    assert len(issues.seen) == 1
