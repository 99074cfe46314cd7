"""A run's audit: a line for each call, whoever made its outcome, and the one the model is told."""

import asyncio
import gc
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolmint.auth import acting_for
from toolmint.runtime import Audit, Policy, Proposal, RateLimit
from toolmint.runtime.agent.conversation import Assistant, ModelResponse, ToolCall
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.middleware import CallNext, Invocation, Terminate
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.gates.breaker import Budget
from toolmint.runtime.policy import Decision, Denied

from .agents import CHANGE, LOOK, call, outcomes, reader, run, script, seen, writer
from .edge import Edge, edge
from .loopback import Answer

Line = tuple[str, str | None, str, str]


class Lines:
    """A sink: what it was given."""

    def __init__(self) -> None:
        self.all: list[Mapping[str, Any]] = []

    def __call__(self, entry: Mapping[str, Any]) -> None:
        self.all.append(entry)

    @property
    def told(self) -> list[Line]:
        """Of each line its call, outcome, decision, and who took it."""
        return [
            (one["call"], one.get("outcome"), one.get("decision", ""), one.get("decided_by", ""))
            for one in self.all
        ]


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        started.server.answer = lambda _: Answer.of({"id": 1, "name": "Rex"})
        yield started


def check(result: RunResult, lines: Lines) -> None:
    """Each call has one outcome, the same in the log and for the model."""
    logged = {one["call"]: one["outcome"] for one in lines.all if "outcome" in one}
    assert logged == {one.call.id: one.outcome for one in result.calls}
    assert len(logged) == len([one for one in lines.all if "outcome" in one])


def of_pet(tool: str, call_id: str, pet: int) -> dict[str, Any]:
    """A call about a pet, whose argument has the name of the call's own id."""
    return {"name": tool, "id": call_id, "arguments": {"id": pet}}


# ── who made the outcome ────────────────────────────────────────────────────────────


def test_a_function_is_recorded_with_who_allowed_it(lines: Lines) -> None:
    def approve(_: Any) -> bool:
        return True

    turn = [call("look", "a", thing="x"), call("change", "b"), call("look", "c", thing=1)]
    with acting_for("ada"):
        result = run(Agent(script(turn, "done"), [LOOK, CHANGE], approve=approve, audit=lines))
    check(result, lines)
    assert sorted(lines.told) == [
        ("a", "ok", "allowed", "gate"),
        ("b", "ok", "allowed", "approve"),
        ("c", "invalid_arguments", "", ""),
    ]
    assert {(one["run"], one["principal"]) for one in lines.all} == {(result.run, "ada")}


def test_whoever_denies_is_named(lines: Lines) -> None:
    class Never:
        async def decide(self, proposal: Proposal) -> Decision:
            return Denied(by="never", reason="no")

    result = run(Agent(script([call("change", "a")], "done"), CHANGE, approve=None, audit=lines))
    check(result, lines)
    policy: Policy = Never()
    run(Agent(script([call("look", "b")], "done"), LOOK, policy=policy, audit=lines))
    agent = Agent(script([call("look", "c")], "done"), LOOK, audit=lines)
    run(agent, tool_choice="none")
    assert lines.told == [
        ("a", "denied", "denied", "gate"),
        ("b", "denied", "denied", "never"),
        ("c", "denied", "denied", "tool_choice"),
    ]


def test_what_a_middleware_answers_or_denies_is_recorded_as_its_own(lines: Lines) -> None:
    async def guard(invocation: Invocation, call_next: CallNext) -> None:
        match invocation.call_id:
            case "answered":
                invocation.result = "from the cache"
            case "denied":
                raise PermissionError
            case "ended":
                raise Terminate
            case _:
                await call_next()

    turn = [call("look", name, thing=name) for name in ("ran", "answered", "denied", "ended")]
    result = run(Agent(script(turn), LOOK, middleware=[guard], audit=lines))
    check(result, lines)
    assert sorted(lines.told) == [
        ("answered", "ok", "", "middleware"),
        ("denied", "denied", "denied", "middleware"),
        ("ended", "skipped", "denied", "middleware"),
        ("ran", "ok", "allowed", "gate"),
    ]


def test_what_never_began_is_recorded_too(lines: Lines) -> None:
    turn = [call("look", "a"), call("look", "b", thing="other"), call("nothing", "c")]
    result = run(Agent(script(turn), LOOK, budget=Budget(calls=2), audit=lines))
    check(result, lines)
    cut = ModelResponse(message=Assistant(calls=(ToolCall("d", "look", {}),)), stop="length")
    run(Agent(script(cut), LOOK, audit=lines))
    assert lines.told == [
        ("c", "skipped", "denied", "breaker"),
        ("a", "ok", "allowed", "gate"),
        ("b", "ok", "allowed", "gate"),
        ("d", "skipped", "denied", "loop"),
    ]


def test_calls_of_two_turns_that_have_one_id_have_a_line_each(lines: Lines) -> None:
    turns = [[call("look", "a")], [call("look", "a", thing=1)], [call("look", "a")]]
    run(Agent(script(*turns, "done"), LOOK, audit=lines))
    assert lines.told == [
        ("a", "ok", "allowed", "gate"),
        ("a", "invalid_arguments", "", ""),
        ("a", "ok", "allowed", "gate"),
    ]


def test_an_unknown_tool_has_a_line(lines: Lines) -> None:
    check(run(Agent(script([call("nothing", "a")], "done"), LOOK, audit=lines)), lines)
    assert lines.told == [("a", "unknown_tool", "", "")]


def test_a_function_that_waits_has_a_line_before_its_outcome(lines: Lines) -> None:
    agent = Agent(script([call("change", "a")], "done"), CHANGE, audit=lines)
    paused = run(agent)
    assert paused.state is not None
    assert lines.told == [("a", None, "asked", "")]
    answers = [agent.approvals.answer(one, True, by="ada") for one in paused.questions]
    asyncio.run(agent.resume(paused.state, answers))
    assert lines.told[1:] == [("a", "ok", "allowed", "ada")]


# ── toolsets ────────────────────────────────────────────────────────────────────────


def test_a_toolset_without_an_audit_is_in_the_agents(at: Edge, lines: Lines) -> None:
    pets = at.petstore(audit=None)
    check(run(Agent(script([of_pet("get_pet", "a", 1)], "done"), pets, audit=lines)), lines)
    (line,) = lines.all
    assert (line["outcome"], line["attempts"], line["status"]) == ("ok", 1, 200)
    assert (line["decision"], line["decided_by"]) == ("allowed", "gate")


def test_no_call_is_in_two_logs(at: Edge, lines: Lines) -> None:
    turn = [of_pet("get_pet", "a", 1), call("look", "b"), of_pet("delete_pet", "c", 1)]
    agent = Agent(script(turn, "done"), [at.petstore(), LOOK], approve=None, audit=lines)
    run(agent)
    assert sorted((one["call"], one["outcome"]) for one in at.log) == [("a", "ok"), ("c", "denied")]
    assert lines.told == [("b", "ok", "allowed", "gate")]


# ── what was cut off ────────────────────────────────────────────────────────────────


def test_a_write_that_waited_for_a_limit_was_not_sent(at: Edge) -> None:
    """The model is told what the log says: nothing was sent."""
    pets = at.petstore(limits=RateLimit(1, 60))
    turn = [of_pet("delete_pet", "a", 2)]
    agent = Agent(script(turn), pets, approve=lambda _: True, budget=Budget(seconds=0.05))

    async def main() -> RunResult:
        await pets.call("get_pet", {"id": 1})
        return await agent.run("go")

    result = asyncio.run(main())
    assert (result.reason, at.targets) == ("seconds", ["GET /pets/1"])
    assert [one["outcome"] for one in at.log] == ["ok", "cancelled"]
    assert json.loads(dict(seen(result))["a"]) == {
        "outcome": "cancelled",
        "error": "delete_pet: it was stopped: the time was up",
    }


@pytest.mark.parametrize("streamed", [False, True])
def test_a_run_that_is_cancelled_leaves_no_call_without_a_line(
    lines: Lines, streamed: bool
) -> None:
    async def hang() -> None:
        began.set()
        await asyncio.Event().wait()

    async def act() -> None:
        await hang()

    async def main() -> None:
        work = asyncio.ensure_future(told() if streamed else agent.run("go"))
        await began.wait()
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    async def told() -> None:
        async for _ in agent.stream("go"):
            pass

    began = asyncio.Event()
    turn = [call("act", "a"), call("hang", "b"), call("change", "c"), call("nothing", "d")]
    agent = Agent(
        script(turn),
        [writer(act), reader(hang), CHANGE],
        approve=lambda _: True,
        parallel=2,
        audit=lines,
    )
    asyncio.run(main())
    assert lines.told == [
        ("a", "unknown_effect", "allowed", "<lambda>"),
        ("b", "cancelled", "allowed", "gate"),
        ("c", "skipped", "denied", ""),
        ("d", "skipped", "denied", ""),
    ]


def test_a_middleware_that_hangs_before_a_write_has_done_nothing(lines: Lines) -> None:
    async def hang(invocation: Invocation, call_next: CallNext) -> None:
        await asyncio.Event().wait()

    agent = Agent(
        script([call("change", "a")]),
        CHANGE,
        middleware=[hang],
        budget=Budget(seconds=0.05),
        audit=lines,
    )
    result = run(agent)
    check(result, lines)
    assert outcomes(result) == [("change", "cancelled")]


# ── the file ────────────────────────────────────────────────────────────────────────


def test_an_agents_file_is_closed_with_it(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    agent = Agent(script([call("look", "a")], "done"), LOOK, audit=path)
    run(agent)
    assert json.loads(path.read_text("utf-8"))["outcome"] == "ok"
    assert _is_open(path)
    del agent
    gc.collect()
    assert not _is_open(path)
    Audit(path)  # one that was never written to has nothing to close


def _is_open(path: Path) -> bool:
    folder = Path("/proc/self/fd")
    return any(os.path.realpath(one) == str(path) for one in folder.iterdir())
