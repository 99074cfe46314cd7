"""Loaders and `describe_type`: tools that a model has beside the operations."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from examples.agent.desk_tools import Desk
from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.runtime.agent.exposure import ToolList
from toolmint.runtime.agent.loading import loaders
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.run_context import AgentTool, Context
from toolmint.runtime.gates.approvals import Approvals

from .agents import LOOK, adder, call, outcomes, run, script, seen


@pytest.fixture
def desk() -> Iterator[Desk]:
    toolset = Desk(credentials={"token": "secret-1"}, base_url="http://127.0.0.1:9")
    yield toolset
    toolset.close()


# ── the helper for parts that were cut ──────────────────────────────────────────────


def petstore(prefix: str = "") -> Petstore:
    return Petstore(
        credentials={"bearerAuth": "secret-1"}, base_url="http://127.0.0.1:9", prefix=prefix
    )


def test_describe_type_explains_what_was_added_later_too() -> None:
    turns = [call("add")], [call("describe_type", tool="b_list_pets", argument="filter.deep")]
    result = run(Agent(script(*turns, "done"), [petstore(), adder(petstore("b_"))]))
    assert outcomes(result) == [("add", "ok"), ("describe_type", "ok")]
    assert seen(result)[1][1].startswith('<untrusted-data tool="describe_type">')


def test_describe_type_that_came_with_a_loader_survives_a_resume_in_another_process() -> None:
    def agent(*turns: Any) -> Agent:
        return Agent(script(*turns), loaders(petstore()), approvals=Approvals(b"k" * 32))

    delete = {"name": "delete_pet", "arguments": {"id": 1}}
    explain = call("describe_type", tool="list_pets", argument="filter.deep")
    first = agent([call("load_pets_tools")], [delete])
    paused = run(first)
    assert paused.state is not None
    assert paused.state.offered[-1] == "describe_type"
    answer = first.approvals.answer(paused.questions[0], False, by="ada")
    second = agent([explain], "done")
    resumed = asyncio.run(second.resume(paused.state.to_json(first.approvals), [answer]))
    assert outcomes(resumed) == [("delete_pet", "denied"), ("describe_type", "ok")]


# ── loaders ─────────────────────────────────────────────────────────────────────────


def test_a_loader_says_what_it_offers_and_sends_nothing(desk: Desk) -> None:
    [agents, tickets] = loaders(desk)
    assert (agents.name, agents.description) == (
        "load_agents_tools",
        "Offer the tools of 'agents' from the next turn on: list_agents.",
    )
    assert tickets.advertised_schema == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }
    assert tickets.tools.names() == [tool.name for tool in desk.select(tags="tickets")]


def test_loaders_keep_the_prefix_and_know_their_groups() -> None:
    desk = Desk(credentials={"token": "secret-1"}, prefix="desk_")
    assert [loader.name for loader in loaders(desk, ["tickets"])] == ["desk_load_tickets_tools"]
    with pytest.raises(KeyError, match="no group 'nope'; there are agents, tickets"):
        loaders(desk, ["nope"])


def test_a_loader_outside_a_run_says_so(desk: Desk) -> None:
    [loader, _] = loaders(desk)
    result = asyncio.run(loader.execute({}, Context()))
    assert (result.outcome, "inside a run only" in str(result.error)) == ("error", True)


def test_a_loaders_name_is_known_to_call_too_and_loads_nothing_there(desk: Desk) -> None:
    result = asyncio.run(desk.call("load_tickets_tools"))
    assert (result.outcome, str(result.error)) == (
        "error",
        "the tools of 'tickets' are loaded inside a run only; call them by name",
    )
    assert asyncio.run(desk.call("load_nothing_tools")).outcome == "unknown_tool"


def test_every_kind_of_tool_is_an_agent_tool(desk: Desk) -> None:
    tools: list[AgentTool] = list(ToolList([desk, LOOK, *loaders(desk)]))
    assert [tool.name for tool in tools] == [
        *desk.names(),
        "look",
        "load_agents_tools",
        "load_tickets_tools",
    ]
    assert [tool for tool in tools if not (tool.description and tool.advertised_schema)] == []


@pytest.mark.parametrize("name", ["create_pet", "get_pet"])
def test_a_loader_of_fewer_tools_is_another_one(name: str) -> None:
    petstore = Petstore(credentials={})
    tools = ToolList(loaders(petstore, ["pets"]))
    tools.add(loaders(petstore, ["pets"]))
    with pytest.raises(ValueError, match="another tool 'load_pets_tools'"):
        tools.add(loaders(petstore.select(names=name)))
    assert len(tools) == 1
