"""Order: a record is read before it is changed, in this run, and it is the same record."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from examples.agent.desk_tools import Desk
from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.arguments import Path
from toolmint.runtime.gates.order import History
from toolmint.runtime.gates.run_policy import RunPolicy
from toolmint.runtime.operation import HttpOperation

from .agents import call, gated, look, outcomes, reader, run, script, seen

TICKET: dict[str, Any] = {
    "number": 1,
    "title": "Broken",
    "status": "open",
    "priority": "low",
    "customer": {"name": "Ada", "email": "ada@customer.example"},
    "agent": None,
    "labels": [],
    "comments": [],
}


def answer(request: Seen) -> Answer:
    """Ticket 404 is not there; every other is."""
    if request.target.endswith("/404"):
        return Answer.of({"title": "no such ticket"}, 404)
    if request.method == "DELETE":
        return Answer(status=204)
    return Answer.of([TICKET] if request.target == "/tickets" else TICKET)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as started:
        started.answer = answer
        yield started


@pytest.fixture
def desk(server: Loopback) -> Iterator[Desk]:
    toolset = Desk(credentials={"token": "secret-1"}, base_url=server.url)
    yield toolset
    toolset.close()


def ran(desk: Desk, *turns: Any) -> RunResult:
    return run(Agent(script(*turns, "done"), desk, approve=lambda _: True))


def advice(result: RunResult, call_id: str) -> str:
    return str(json.loads(dict(seen(result))[call_id])["error"])


def sent(server: Loopback) -> list[str]:
    return [f"{request.method} {request.target}" for request in server.seen]


# ── for the same identifier ─────────────────────────────────────────────────────────


def test_a_ticket_is_read_before_it_is_changed(desk: Desk, server: Loopback) -> None:
    result = ran(
        desk,
        [call("get_ticket", number=1)],
        [call("update_ticket", number=1, status="solved")],
        [call("delete_ticket", number=1)],
    )
    assert [outcome for _, outcome in outcomes(result)] == ["ok", "ok", "ok"]
    assert sent(server) == ["GET /tickets/1", "PATCH /tickets/1", "DELETE /tickets/1"]


def test_unread_it_is_refused_with_a_corrective_message_and_nothing_is_sent(
    desk: Desk, server: Loopback
) -> None:
    result = ran(desk, [call("delete_ticket", "d", number=1)])
    assert outcomes(result) == [("delete_ticket", "denied")]
    assert advice(result, "d") == (
        "delete_ticket: call get_ticket for the same thing first, then call delete_ticket again"
    )
    assert sent(server) == []


def test_another_record_than_the_one_that_was_read_is_refused(desk: Desk, server: Loopback) -> None:
    result = ran(desk, [call("get_ticket", number=1)], [call("delete_ticket", "d", number=2)])
    assert advice(result, "d") == (
        "delete_ticket: get_ticket has run in this run, but for something else; call get_ticket "
        "for the very thing that delete_ticket is to change, then call delete_ticket again"
    )
    assert sent(server) == ["GET /tickets/1"]


def test_a_model_that_follows_the_advice_gets_there(desk: Desk) -> None:
    result = ran(
        desk,
        [call("delete_ticket", number=1)],
        [call("get_ticket", number=1)],
        [call("delete_ticket", number=1)],
    )
    assert [outcome for _, outcome in outcomes(result)] == ["denied", "ok", "ok"]


def test_a_read_that_failed_does_not_count(desk: Desk) -> None:
    result = ran(desk, [call("get_ticket", number=404)], [call("delete_ticket", number=404)])
    assert [outcome for _, outcome in outcomes(result)] == ["error", "denied"]


def test_a_read_in_the_same_batch_has_not_run_yet(desk: Desk) -> None:
    """What a model has not seen it cannot have taken into account."""

    result = ran(desk, [call("delete_ticket", number=1), call("get_ticket", number=1)])
    assert dict(outcomes(result))["delete_ticket"] == "denied"


def test_nobody_is_asked_about_a_call_that_is_out_of_order(desk: Desk) -> None:
    asked: list[str] = []

    def approve(question: Any) -> bool:
        asked.append(question.tool)
        return True

    run(Agent(script([call("delete_ticket", number=1)], "done"), desk, approve=approve))
    assert asked == []


# ── re-armed each run, enforced at every entry ──────────────────────────────────────


def test_it_is_re_armed_each_run(desk: Desk) -> None:
    model = script(
        [call("get_ticket", number=1)], "done", [call("delete_ticket", number=1)], "done"
    )
    agent = Agent(model, desk, approve=lambda _: True)
    assert outcomes(run(agent)) == [("get_ticket", "ok")]
    assert outcomes(run(agent)) == [("delete_ticket", "denied")]


def test_it_survives_a_pause(desk: Desk) -> None:
    first = Agent(script([call("get_ticket", number=1)], [call("delete_ticket", number=1)]), desk)
    paused = run(first)
    assert paused.state is not None
    answer = first.approvals.answer(paused.questions[0], True, by="ada")
    text = paused.state.to_json(first.approvals)
    second = Agent(script("done"), desk, approvals=first.approvals)
    assert outcomes(asyncio.run(second.resume(text, [answer]))) == [("delete_ticket", "ok")]


def test_the_same_gate_stands_before_typed_calls_and_calls_by_name(server: Loopback) -> None:
    policy = RunPolicy(approve=lambda _: True)
    with Desk(credentials={"token": "secret-1"}, base_url=server.url, policy=policy) as desk:
        assert desk.tickets.delete_ticket(number=1).result().run().outcome == "denied"
        desk.tickets.get_ticket(number=1).run()
        assert desk.tickets.delete_ticket(number=1).result().run().outcome == "ok"
        assert asyncio.run(desk.call("update_ticket", {"number": 1})).outcome == "ok"
        assert asyncio.run(desk.call("update_ticket", {"number": 2})).outcome == "denied"


def test_a_prefix_changes_nothing(server: Loopback) -> None:
    desk = Desk(credentials={"token": "secret-1"}, base_url=server.url, prefix="d_")
    result = ran(
        desk,
        [call("d_delete_ticket", "d", number=1)],
        [call("d_get_ticket", number=1)],
        [call("d_delete_ticket", number=1)],
    )
    assert [outcome for _, outcome in outcomes(result)] == ["denied", "ok", "ok"]
    assert "call d_get_ticket for the same thing first" in advice(result, "d")


# ── what the same thing is ──────────────────────────────────────────────────────────


class Named:
    """A tool, as far as order looks at it."""

    def __init__(self, operation: HttpOperation) -> None:
        self.name = operation.name
        self.operation = operation


def tool(name: str, method: str, path: str, **argument_names: str) -> Named:
    found = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    arguments = tuple(Path(one, argument_names.get(one)) for one in found)
    return Named(HttpOperation(name=name, method=method, path=path, arguments=arguments))


def missing(
    target: Named, arguments: Any, *done: tuple[Named, Any, Any], requires: Sequence[str] = ("get",)
) -> bool:
    history = History()
    for one, given, data in done:
        history.add(one, given, data)
    return history.missing(target, requires, arguments) is not None


GET = tool("get", "GET", "/orgs/{org}/pets/{id}")
PUT = tool("put", "PUT", "/orgs/{org}/pets/{pet_id}")


@pytest.mark.parametrize(
    ("read", "changed", "refused"),
    [
        ({"org": "a", "id": 1}, {"org": "a", "pet_id": 1}, False),
        ({"org": "a", "id": 1}, {"org": "a", "pet_id": "1"}, False),
        ({"org": "a", "id": 1}, {"org": "b", "pet_id": 1}, True),
        ({"org": "a", "id": 1}, {"org": "a", "pet_id": 2}, True),
        ({"org": "a", "id": 1}, {"org": "a", "pet_id": True}, True),
    ],
)
def test_identifiers_are_paired_by_their_place_in_the_path(
    read: Any, changed: Any, refused: bool
) -> None:
    assert missing(PUT, changed, (GET, read, None)) is refused


def test_any_of_several_reads_will_do() -> None:
    reads = [(GET, {"org": "a", "id": number}, None) for number in (1, 2, 3)]
    assert not missing(PUT, {"org": "a", "pet_id": 2}, *reads)
    assert missing(PUT, {"org": "a", "pet_id": 4}, *reads)


def test_below_the_thing_that_was_read_it_is_the_same_thing() -> None:
    void = tool("void", "POST", "/orgs/{org}/pets/{id}/void")
    assert not missing(void, {"org": "a", "id": 1}, (GET, {"org": "a", "id": 1}, None))
    assert missing(void, {"org": "a", "id": 2}, (GET, {"org": "a", "id": 1}, None))


def test_after_a_list_it_is_one_of_those_that_were_listed() -> None:
    listed = tool("get", "GET", "/orgs/{org}/pets")
    data = {"items": [{"id": 1}, {"id": "x-2", "friend": {"id": 3}}]}
    for number, refused in ((1, False), ("x-2", False), (4, True)):
        assert missing(PUT, {"org": "a", "pet_id": number}, (listed, {"org": "a"}, data)) is refused
    assert missing(PUT, {"org": "b", "pet_id": 1}, (listed, {"org": "a"}, data))


def test_an_argument_of_another_name_is_the_same_by_its_place() -> None:
    renamed = tool("get", "GET", "/pets/{id}", id="id__path")
    target = tool("put", "PUT", "/pets/{id}")
    assert not missing(target, {"id": 1}, (renamed, {"id__path": 1}, None))
    assert missing(target, {"id": 2}, (renamed, {"id__path": 1}, None))


def test_all_that_is_required_must_have_run() -> None:
    other = replace(GET.operation, name="other")
    done = (GET, {"org": "a", "id": 1}, None)
    arguments = {"org": "a", "pet_id": 1}
    assert missing(PUT, arguments, done, requires=("get", "other"))
    also = (Named(other), {"org": "a", "id": 1}, None)
    assert not missing(PUT, arguments, done, also, requires=("get", "other"))


def test_plain_functions_compare_the_arguments_that_they_share() -> None:
    def drop(thing: str) -> str:
        return f"dropped {thing}"

    tools = [reader(look), gated(drop, requires=("look",))]
    turns: list[Any] = [
        [call("look", thing="a")],
        [call("drop", thing="b")],
        [call("drop", thing="a")],
        "done",
    ]
    result = run(Agent(script(*turns), tools, approve=lambda _: True))
    assert [outcome for _, outcome in outcomes(result)] == ["ok", "denied", "ok"]


def test_what_a_function_takes_where_nothing_is_said_is_compared_too() -> None:
    def drop(thing: str = "it", why: str = "") -> str:
        return f"dropped {thing}{why}"

    tools = [reader(look), gated(drop, requires=("look",))]
    turns: list[Any] = [
        [call("look")],
        [call("drop", thing="b")],
        [call("drop", why="old")],
        [call("drop", thing="it")],
        "done",
    ]
    result = run(Agent(script(*turns), tools, approve=lambda _: True))
    assert [outcome for _, outcome in outcomes(result)] == ["ok", "denied", "ok", "ok"]


def test_where_no_path_names_the_thing_the_arguments_do() -> None:
    read = Named(HttpOperation(name="get", method="GET", path="/records.get"))
    change = Named(HttpOperation(name="put", method="POST", path="/records.rename"))
    done = (read, {"record": 7, "full": True}, None)
    assert not missing(change, {"record": "7", "name": "new", "full": False}, done)
    assert not missing(change, {"body": {"record": 7, "name": "new"}}, done)
    assert missing(change, {"record": 8, "name": "new"}, done)
    assert missing(change, {"body": {"record": 8}}, done)
