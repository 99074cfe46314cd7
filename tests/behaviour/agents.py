"""What the tests of the loop share: scripted models, small tools, and what came of a run."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolmint.runtime.agent.conversation import ModelRequest, Observation
from toolmint.runtime.agent.functions import FunctionTool
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.run_context import Context
from toolmint.runtime.agent.steps import RunResult
from toolmint.runtime.models.scripted import ScriptedModel, Turn
from toolmint.runtime.operation import Effects, Gate

READS = Effects(read_only=True, idempotent=True, reason="a test says so")
WRITES = Effects(reason="a test says so")
DESTROYS = Effects(destructive=True, reason="a test says so")


def reader(function: Callable[..., Any], **given: Any) -> FunctionTool:
    """A function that only reads, as a tool."""
    return FunctionTool(function, effects=READS, **given)


def writer(function: Callable[..., Any], **given: Any) -> FunctionTool:
    """A function that changes something, as a tool."""
    return FunctionTool(function, effects=WRITES, **given)


def look(thing: str = "it") -> str:
    """Look at a thing."""
    return f"saw {thing}"


def change(thing: str = "it") -> str:
    """Change a thing."""
    return f"changed {thing}"


LOOK = reader(look)
CHANGE = writer(change)


def call(name: str, id: str | None = None, **arguments: Any) -> dict[str, Any]:
    """One call of a scripted turn."""
    told = {"name": name, "arguments": arguments}
    return told if id is None else {**told, "id": id}


def script(*turns: Turn) -> ScriptedModel:
    """A model that says these turns."""
    return ScriptedModel(turns)


def run(agent: Agent, prompt: str = "go", **given: Any) -> RunResult:
    """A whole run."""
    return asyncio.run(agent.run(prompt, **given))


def outcomes(result: RunResult) -> list[tuple[str, str]]:
    """Every call's tool and outcome, in the order in which they came to it."""
    return [(one.call.name, one.outcome) for one in result.calls]


def seen(result: RunResult) -> list[tuple[str, str]]:
    """Every observation's call id and text, in the order in which the model reads them."""
    return [
        (message.call_id, message.text)
        for message in result.messages
        if isinstance(message, Observation)
    ]


def offered(requests: Sequence[ModelRequest]) -> list[list[str]]:
    """The tools' names of each request."""
    return [[tool.name for tool in request.tools] for request in requests]


def gated(function: Callable[..., Any], effects: Effects = WRITES, **gate: Any) -> FunctionTool:
    """A function with a gate of its own."""
    return FunctionTool(function, effects=effects, gate=Gate(**gate))


Arguments = Mapping[str, Any]


def adder(*tools: Any, name: str = "add") -> FunctionTool:
    """A tool that offers others once it is called."""

    def add(ctx: Context) -> str:
        """Offer more tools."""
        ctx.add_tools(tools)
        return "added"

    return reader(add, name=name)
