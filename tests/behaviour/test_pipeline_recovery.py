"""After retries: other arguments, another tool, or plain words on what is missing."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.behaviour.agents import run, script, seen
from tests.behaviour.edge import Edge, edge
from tests.behaviour.loopback import Answer, Seen
from toolmint.runtime import Agent, Alternative, Fallback, Recovery

REX = {"id": 1, "name": "Rex"}


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


def test_a_declared_tool_stands_in(at: Edge) -> None:
    def answer(seen: Seen) -> Answer:
        return Answer.of([REX]) if seen.target.startswith("/pets?") else Answer(503)

    at.server.answer = answer
    ways = (Fallback(tool="list_pets", arguments={}, fixed={"limit": 1}, lacks="the pet's owner"),)
    petstore = at.petstore(recovery={"get_pet": Recovery(ways=ways)}, retry=False)
    result = at.call(petstore, "get_pet", {"id": 1}, call_id="c1")
    assert (result.outcome, result.data) == ("ok", [REX])
    assert (result.metadata["recovered_by"], result.metadata["call_id"]) == ("list_pets", "c1")
    assert result.to_message().endswith(
        "get_pet failed (error, status 503). This is the result of list_pets "
        "instead. What it lacks: the pet's owner."
    )
    assert at.targets == ["GET /pets/1", "GET /pets?limit=1"]
    told = [[line.get(name) for name in ("call", "tool", "outcome", "source")] for line in at.log]
    assert told == [
        ["c1/1", "list_pets", "ok", None],
        ["c1", "get_pet", "ok", "recovered"],
    ]


def test_what_was_said_before_is_said_still(at: Edge) -> None:
    at.server.answer = lambda seen: Answer(503) if seen.target == "/pets/1" else Answer.of([REX])
    ways = (Fallback(tool="list_pets", arguments={}),)
    petstore = at.petstore(
        recovery={"get_pet": Recovery(ways=ways)}, retry=False, validation="repair"
    )
    assert at.call(petstore, "get_pet", {"id": "1"}).metadata["notes"] == (
        "The arguments were mended: /id: a text became an integer.",
        "get_pet failed (error, status 503). This is the result of list_pets instead.",
    )


def test_declared_arguments_are_tried(at: Edge) -> None:
    at.server.answer = lambda seen: (
        Answer.of([REX]) if seen.target == "/pets?limit=10" else Answer(504)
    )
    ways = (
        Alternative(arguments={"limit": 50}),
        Alternative(arguments={"limit": 10}, without=("tags",), lacks="all but the first 10"),
    )
    petstore = at.petstore(recovery={"list_pets": Recovery(ways=ways)}, retry=False)
    asked = {"limit": 100, "tags": ["a"], "_fields": ["name"]}
    result = at.call(petstore, "list_pets", asked)
    assert (result.outcome, result.data) == ("ok", [{"name": "Rex"}])
    assert at.targets == [
        "GET /pets?limit=100&tags=a",
        "GET /pets?limit=50&tags=a",
        "GET /pets?limit=10",
    ]
    assert "This is its result with changed arguments. What it lacks: all but the first 10." in (
        result.to_message()
    )


def test_without_any_way_a_model_is_told_what_is_missing_and_what_it_has(at: Edge) -> None:
    at.server.answer = lambda _: Answer(503)
    petstore = at.petstore(recovery={"get_pet": Recovery()}, retry=False)
    result = at.call(petstore, "get_pet", {"id": 1})
    assert result.outcome == "error"
    assert result.to_message() == (
        '{"outcome":"error","error":"get_pet: 503 Service Unavailable","notes":["get_pet failed '
        "(get_pet: 503 Service Unavailable). This part is missing; go on without it and say so. "
        'Still available: create_pet, delete_pet, list_pets."]}'
    )


def test_nothing_is_tried_after_a_write_whose_answer_was_lost(at: Edge) -> None:
    at.server.answer = lambda _: Answer(hang_up=True)
    ways = (Alternative(arguments={"tag": "again"}), Fallback(tool="place_order", arguments={}))
    petstore = at.petstore(recovery={"create_pet": Recovery(ways=ways)})
    assert at.call(petstore, "create_pet", {"name": "Rex"}).outcome == "unknown_effect"
    assert at.targets == ["POST /pets"]


def test_bad_arguments_and_denials_are_not_worked_around(at: Edge) -> None:
    ways = (Fallback(tool="health", arguments={}),)
    recovery = {"get_pet": Recovery(ways=ways)}
    bad = at.call(at.petstore(recovery=recovery), "get_pet", {})
    assert bad.outcome == "invalid_arguments"
    denied = at.call(at.petstore(recovery=recovery, credentials={}), "get_pet", {"id": 1})
    assert denied.outcome == "denied"
    assert at.targets == []
    assert not [one for one in (bad, denied) if "notes" in one.metadata]


def test_a_run_does_not_pause_in_the_middle_of_a_call(at: Edge) -> None:
    """It would do again what was done before the pause: here, the write that had failed."""
    at.server.answer = lambda _: Answer.of({}, 422)
    ways = (Fallback(tool="place_order", arguments={}),)
    petstore = at.petstore(recovery={"create_pet": Recovery(ways=ways)})
    turn = [{"id": "c", "name": "create_pet", "arguments": {"name": "Rex"}}]
    agent = Agent(script(turn, "done"), petstore)
    paused = run(agent)
    assert paused.state is not None
    answers = [agent.approvals.answer(one, True, by="ada") for one in paused.questions]
    resumed = asyncio.run(agent.resume(paused.state, answers))
    assert (resumed.reason, at.targets) == ("done", ["POST /pets"])
    assert [(line["call"], line.get("outcome"), line["decision"]) for line in at.log] == [
        ("c", None, "asked"),
        ("c/1", "denied", "denied"),
        ("c", "error", "allowed"),
    ]
    assert "it can be asked about when it is called by itself" in dict(seen(resumed))["c"]


def test_two_tools_that_stand_in_for_each_other_end(at: Edge) -> None:
    at.server.answer = lambda _: Answer(503)
    recovery = {
        "health": Recovery(ways=(Fallback(tool="list_pets", arguments={}),)),
        "list_pets": Recovery(ways=(Fallback(tool="health", arguments={}),)),
    }
    assert at.call(at.petstore(recovery=recovery, retry=False), "health").outcome == "error"
    assert at.targets == ["GET /health", "GET /pets"]
