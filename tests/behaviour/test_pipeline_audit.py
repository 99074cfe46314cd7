"""The audit log of real calls: who called what, who allowed it, what came of it; no secret."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.behaviour.agents import script
from tests.behaviour.edge import TOKEN, Edge, edge
from tests.behaviour.loopback import Answer
from toolmint.auth import acting_for
from toolmint.runtime import Audit
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.canonical import digest
from toolmint.runtime.context import CallContext

TOLD = ("run", "call", "arguments_digest", "decision", "decided_by", "outcome")


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


def test_a_call_is_one_line_of_json(at: Edge, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    petstore = at.petstore(audit=path)
    with acting_for("ann"):
        at.call(petstore, "create_pet", {"name": "Rex"}, call_id="c1")
    (line,) = [json.loads(text) for text in path.read_text().splitlines()]
    assert line == {
        "time": "2023-11-14T22:13:20.000+00:00",
        "call": "c1",
        "principal": "ann",
        "tool": "create_pet",
        "arguments_digest": digest({"name": "Rex"}),
        "decision": "allowed",
        "decided_by": "code",
        "outcome": "ok",
        "attempts": 1,
        "status": 200,
        "elapsed": 0.0,
    }
    assert "Rex" not in path.read_text()


def test_a_run_and_its_principal_come_from_the_entry(at: Edge) -> None:
    async def main() -> None:
        async with at.petstore() as petstore:
            context = CallContext(call_id="c1", run="r1", principal="bob")
            await petstore["get_pet"].execute({"id": 1}, context)

    asyncio.run(main())
    assert [(line["run"], line["call"], line["principal"]) for line in at.log] == [
        ("r1", "c1", "bob")
    ]


def test_the_digest_is_of_the_arguments_the_tool_ran_with(at: Edge) -> None:
    petstore = at.petstore(validation="repair")
    for given in ({"id": 1}, {"id": "1"}, '{"id": 1}', {"id": 1, "_fields": ["id"]}):
        at.call(petstore, "get_pet", given)
    assert {line["arguments_digest"] for line in at.log} == {digest({"id": 1})}


def test_arguments_only_when_asked_for_and_never_a_secret(at: Edge, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    petstore = at.petstore(audit=Audit(path, arguments=True))
    at.call(petstore, "create_pet", {"name": f"Rex {TOKEN}", "tag": "sk-" + "a1b2" * 8})
    line = json.loads(path.read_text())
    assert line["arguments"] == {"name": "Rex ***", "tag": "***"}


@pytest.mark.parametrize(("granted", "outcome"), [(True, "ok"), (False, "denied")])
def test_a_pause_for_approval_has_a_line_and_the_call_one_outcome(
    at: Edge, granted: bool, outcome: str
) -> None:
    async def main() -> tuple[str, str]:
        async with at.petstore() as petstore:
            turn = [{"name": "create_pet", "id": "c1", "arguments": {"name": "Rex"}}]
            agent = Agent(script(turn, "done"), petstore, approve="pause")
            paused = await agent.run("go")
            answers = [agent.approvals.answer(q, granted, by="ada") for q in paused.questions]
            assert paused.state is not None
            return paused.run, (await agent.resume(paused.state, answers)).run

    run, resumed = asyncio.run(main())
    asked, ended = ({name: line.get(name) for name in TOLD} for line in at.log)
    same = {"run": run, "call": "c1", "arguments_digest": digest({"name": "Rex"})}
    by = {"decision": "allowed" if granted else "denied", "decided_by": "ada"}
    assert run == resumed
    assert asked == {**same, "decision": "asked", "decided_by": None, "outcome": None}
    assert ended == {**same, **by, "outcome": outcome}


def test_names_that_others_make_up_hold_no_secret(at: Edge) -> None:
    long = f"{'x' * 195}{TOKEN}"
    with acting_for(TOKEN):
        at.call(at.petstore(), long, {}, call_id=f"c-{TOKEN}")
    (line,) = at.log
    assert (line["principal"], line["call"], line["tool"]) == ("***", "c-***", f"{'x' * 195}***")
    assert "tok" not in json.dumps(line)


def test_attempts_and_status_are_those_of_the_wire(at: Edge) -> None:
    at.server.answer = lambda _: Answer(503)
    at.call(at.petstore(), "get_pet", {"id": 1})
    assert [(line["outcome"], line["attempts"], line["status"]) for line in at.log] == [
        ("error", 5, 503)
    ]


def test_a_log_that_cannot_be_written_ends_no_call(at: Edge) -> None:
    def broken(_: object) -> None:
        raise OSError("disk full")

    assert at.call(at.petstore(audit=broken), "get_pet", {"id": 1}).success


def test_a_closed_toolset_holds_no_file(at: Edge, tmp_path: Path) -> None:
    import os

    def open_files() -> list[str]:
        links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
        return [os.readlink(link) for link in links if os.path.islink(link)]

    path = tmp_path / "audit.jsonl"
    petstore = at.petstore(audit=path)
    for _ in range(2):  # the second call opens it again
        at.call(petstore, "health")
        assert str(path) not in open_files()
    assert len(path.read_text().splitlines()) == 2
