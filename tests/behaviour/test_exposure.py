"""Progressive exposure: a live list for each run, whose changes the model sees at its next turn."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any, cast

import pytest

from examples.agent.desk_tools import Desk
from examples.agent.mail_tools import Mail
from toolmint.runtime.agent.conversation import Delta, ModelRequest, ModelResponse, User
from toolmint.runtime.agent.exposure import ToolList
from toolmint.runtime.agent.functions import FunctionTool
from toolmint.runtime.agent.loading import loaders
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.middleware import CallNext, Invocation
from toolmint.runtime.agent.run_context import Context
from toolmint.runtime.agent.run_state import StateError
from toolmint.runtime.gates.approvals import Approvals
from toolmint.runtime.models.scripted import ScriptedModel
from toolmint.runtime.operation import Gate

from .agents import (
    CHANGE,
    LOOK,
    adder,
    call,
    change,
    look,
    offered,
    outcomes,
    reader,
    run,
    script,
    seen,
)


def names(tools: ToolList) -> list[str]:
    return [tool.name for tool in tools]


def remover(*tools: Any) -> FunctionTool:
    def remove(ctx: Context) -> str:
        """Offer fewer tools."""
        ctx.remove_tools(tools)
        return "removed"

    return reader(remove)


@pytest.fixture
def desk() -> Iterator[Desk]:
    toolset = Desk(credentials={"token": "secret-1"}, base_url="http://127.0.0.1:9")
    yield toolset
    toolset.close()


# ── a live list per run ─────────────────────────────────────────────────────────────


def test_a_run_has_a_copy_of_the_callers_list_and_never_the_list_itself() -> None:
    given = [LOOK, adder(CHANGE)]
    model = script([call("add")], "done")
    run(Agent(model, given))
    assert [tool.name for tool in given] == ["look", "add"]
    assert offered(model.requests) == [["look", "add"], ["look", "add", "change"]]


def test_what_the_caller_does_to_the_list_later_changes_no_run() -> None:
    given = [LOOK]
    model = script("done")
    agent = Agent(model, given)
    given.append(CHANGE)
    run(agent)
    assert offered(model.requests) == [["look"]]


def test_each_run_begins_anew() -> None:
    model = script([call("add")], "done", "done")
    agent = Agent(model, [adder(CHANGE)])
    run(agent)
    run(agent)
    assert offered(model.requests) == [["add"], ["add", "change"], ["add"]]


class EachItsOwn:
    """Two scripts behind one agent, told apart by the prompt."""

    def __init__(self) -> None:
        self.scripts = {
            which: script([call("add", which=which)], "done") for which in ("one", "two")
        }

    async def respond(self, request: ModelRequest) -> ModelResponse:
        return await self._script(request).respond(request)

    def stream(self, request: ModelRequest) -> AsyncGenerator[Delta | ModelResponse]:
        return self._script(request).stream(request)

    def _script(self, request: ModelRequest) -> ScriptedModel:
        [first, *_] = request.messages
        assert isinstance(first, User)
        return self.scripts[first.text]


def test_two_runs_of_one_agent_at_once_never_see_each_others_additions() -> None:
    model = EachItsOwn()

    async def main() -> None:
        added = {"one": asyncio.Event(), "two": asyncio.Event()}

        async def add(ctx: Context, which: str) -> str:
            ctx.add_tools(reader(look, name=f"only_{which}"))
            added[which].set()
            await asyncio.gather(*(event.wait() for event in added.values()))
            return which

        agent = Agent(model, [reader(add)])
        await asyncio.gather(agent.run("one"), agent.run("two"))

    asyncio.run(main())
    assert offered(model.scripts["one"].requests) == [["add"], ["add", "only_one"]]
    assert offered(model.scripts["two"].requests) == [["add"], ["add", "only_two"]]


# ── visible at the next turn ────────────────────────────────────────────────────────


def test_additions_and_removals_are_visible_at_the_next_turn() -> None:
    model = script([call("add")], [call("remove")], "done")
    run(Agent(model, [adder(CHANGE), remover("change", "add")]))
    assert offered(model.requests) == [
        ["add", "remove"],
        ["add", "remove", "change"],
        ["remove"],
    ]


def test_a_tool_that_is_removed_in_the_same_batch_still_runs() -> None:
    model = script([call("remove"), call("look")], "done")
    result = run(Agent(model, [remover("look"), LOOK]))
    assert sorted(outcomes(result)) == [("look", "ok"), ("remove", "ok")]
    assert offered(model.requests)[1] == ["remove"]


def test_a_tool_that_is_added_and_called_in_the_same_batch_is_unknown_with_a_hint() -> None:
    model = script([call("look", "b"), call("add", "a")], "done")
    result = run(Agent(model, [adder(LOOK)]))
    assert outcomes(result) == [("add", "ok"), ("look", "unknown_tool")]
    assert json.loads(dict(seen(result))["b"]) == {
        "outcome": "unknown_tool",
        "error": "look: it was added in this very turn; call it from the next turn on",
    }


def test_an_added_tool_is_called_in_the_next_turn() -> None:
    result = run(Agent(script([call("add")], [call("look")], "done"), [adder(LOOK)]))
    assert outcomes(result) == [("add", "ok"), ("look", "ok")]


def test_middleware_adds_and_removes_too() -> None:
    async def swap(invocation: Invocation, call_next: CallNext) -> None:
        invocation.context.add_tools(CHANGE)
        invocation.context.remove_tools("look")
        await call_next()

    model = script([call("look")], "done")
    run(Agent(model, [LOOK], middleware=[swap]))
    assert offered(model.requests) == [["look"], ["change"]]


# ── add_tools ───────────────────────────────────────────────────────────────────────


def test_one_or_many_of_every_kind_are_added(desk: Desk) -> None:
    tools = ToolList()
    tools.add(LOOK)
    tools.add([change, desk["get_ticket"], [desk.select(tags="agents")]])
    assert names(tools) == ["look", "change", "get_ticket", "list_agents"]


def test_a_plain_callable_is_wrapped() -> None:
    def greet(name: str, loud: bool = False) -> str:
        """Say hello."""
        return name

    [tool] = ToolList(greet)
    assert (tool.name, tool.description, tool.effects.consequential) == (
        "greet",
        "Say hello.",
        True,
    )
    assert tool.advertised_schema == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "loud": {"type": "boolean"}},
        "required": ["name"],
        "additionalProperties": False,
    }


class Shop:
    def sell(self) -> str:
        """Sell something."""
        return "sold"


def test_the_same_object_again_is_no_news(desk: Desk) -> None:
    shop = Shop()
    tools = ToolList()
    for _ in range(2):
        tools.add([LOOK, change, shop.sell, desk, desk["get_ticket"], loaders(desk)])
    assert len(tools) == 3 + len(desk) + 2


def test_the_same_plain_callable_twice_in_one_batch_is_no_news() -> None:
    assert names(ToolList([change, change])) == ["change"]


@pytest.mark.parametrize("other", [reader(look), lambda: None, Shop().sell])
def test_another_object_under_a_taken_name_is_a_value_error(other: Any) -> None:
    other = FunctionTool(other, name="look") if not isinstance(other, FunctionTool) else other
    tools = ToolList(LOOK)
    with pytest.raises(ValueError, match="another tool 'look'"):
        tools.add(other) if other.origin is not look else tools.add(
            FunctionTool(change, name="look")
        )
    assert list(tools) == [LOOK]


def test_the_same_function_with_another_gate_is_another_tool() -> None:
    tools = ToolList([look])
    with pytest.raises(ValueError, match="another tool 'look'"):
        tools.add(FunctionTool(look, gate=Gate(approval="always")))
    tools.add([look, FunctionTool(look)])
    assert names(tools) == ["look"]


def test_a_method_of_another_object_is_another_tool() -> None:
    tools = ToolList(Shop().sell)
    with pytest.raises(ValueError, match="another tool 'sell'"):
        tools.add(Shop().sell)


def test_a_batch_is_all_or_nothing() -> None:
    tools, number, name = ToolList(LOOK), cast("Any", 7), cast("Any", "change")
    with pytest.raises(ValueError, match="another tool 'look'"):
        tools.add([CHANGE, FunctionTool(change, name="look")])
    with pytest.raises(TypeError, match="int is no tool"):
        tools.add([CHANGE, number])
    with pytest.raises(TypeError, match="str is no tool"):
        tools.add(name)
    assert names(tools) == ["look"]


def test_a_clash_inside_a_tool_is_told_to_the_model() -> None:
    result = run(
        Agent(script([call("add", "a")], "done"), [LOOK, adder(reader(change, name="look"))])
    )
    assert "there is another tool 'look' already" in dict(seen(result))["a"]


# ── remove_tools ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        ("look", ["change", "sell"]),
        (LOOK, ["change", "sell"]),
        (look, ["change", "sell"]),
        (change, ["look", "sell"]),
        (["look", change], ["sell"]),
        ("nobody", ["look", "change", "sell"]),
        (print, ["look", "change", "sell"]),
        ([], ["look", "change", "sell"]),
    ],
)
def test_tools_are_removed_by_name_tool_callable_or_many(removed: Any, left: list[str]) -> None:
    tools = ToolList([LOOK, change, Shop().sell])
    tools.remove(removed)
    assert names(tools) == left


def test_a_toolset_is_removed_whole(desk: Desk) -> None:
    tools = ToolList([desk, LOOK])
    tools.remove(desk)
    assert names(tools) == ["look"]


# ── outside a run ───────────────────────────────────────────────────────────────────


def test_outside_a_run_there_are_no_tools_to_change() -> None:
    context = Context()
    assert context.tools is None
    with pytest.raises(RuntimeError, match="inside a run only"):
        context.add_tools(look)
    with pytest.raises(RuntimeError, match="inside a run only"):
        context.remove_tools("look")


def test_inside_a_run_the_list_can_be_read() -> None:
    read: list[list[str]] = []

    def peek(ctx: Context) -> None:
        tools = ctx.tools
        assert tools is not None
        read.append([tool.name for tool in tools])

    run(Agent(script([call("peek")], "done"), [reader(peek), LOOK]))
    assert read == [["peek", "look"]]


# ── better than the model for this feature ──────────────────────────────────────────


def test_removing_the_last_tool_orphans_no_later_call() -> None:
    model = script([call("remove")], [call("look", "late")], "done")
    result = run(Agent(model, [remover("look", "remove"), LOOK]))
    assert offered(model.requests) == [["remove", "look"], [], []]
    assert (result.reason, result.text) == ("done", "done")
    assert outcomes(result) == [("remove", "ok"), ("look", "unknown_tool")]
    assert json.loads(dict(seen(result))["late"])["error"] == "there is no tool 'look'"


def test_loaders_in_parallel_lose_nothing() -> None:
    desk = Desk(credentials={"token": "secret-1"})
    mail = Mail(credentials={"token": "secret-1"})
    both = [*loaders(desk), *loaders(mail)]
    model = script([call(loader.name) for loader in both], "done")
    run(Agent(model, both))
    before, after = offered(model.requests)
    assert before == [
        "load_agents_tools",
        "load_tickets_tools",
        "load_contacts_tools",
        "load_inbox_tools",
    ]
    assert after[:4] == before
    assert sorted(after[4:]) == sorted([*desk.names(), *mail.names()])


def test_the_order_is_append_only() -> None:
    model = script([call("first")], [call("second")], [call("remove")], [call("first")], "done")
    tools = [adder(LOOK, name="first"), adder(CHANGE, name="second"), remover("look")]
    run(Agent(model, tools))
    assert offered(model.requests) == [
        ["first", "second", "remove"],
        ["first", "second", "remove", "look"],
        ["first", "second", "remove", "look", "change"],
        ["first", "second", "remove", "change"],
        ["first", "second", "remove", "change", "look"],
    ]


def test_an_approval_for_an_added_tool_survives_a_resume_in_another_process() -> None:
    shared = Approvals(b"k" * 32)

    def agent(*turns: Any) -> Agent:
        return Agent(script(*turns), [adder(CHANGE)], approvals=shared)

    paused = run(agent([call("add")], [call("change", "c")]))
    assert paused.reason == "approval"
    assert paused.state is not None
    text = paused.state.to_json(shared)
    answer = shared.answer(paused.questions[0], True, by="ada")

    with pytest.raises(StateError, match="had the tool 'change', which is not known here"):
        asyncio.run(agent("done").resume(text, [answer]))
    resumed = asyncio.run(agent("done").resume(text, [answer], tools=CHANGE))
    assert (resumed.reason, outcomes(resumed)) == ("done", [("change", "ok")])


def test_a_tool_that_a_loader_added_is_found_again_without_help(desk: Desk) -> None:
    def agent(*turns: Any) -> Agent:
        return Agent(script(*turns), loaders(desk), approvals=Approvals(b"k" * 32))

    first = agent([call("load_tickets_tools")], [call("add_comment", number=1, text="hi")])
    paused = run(first)
    assert paused.state is not None
    answer = first.approvals.answer(paused.questions[0], False, by="ada")
    text = paused.state.to_json(first.approvals)
    resumed = asyncio.run(agent("done").resume(text, [answer]))
    assert outcomes(resumed) == [("add_comment", "denied")]
