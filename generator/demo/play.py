"""The demo's run: a scripted model in the real loop, with a person who is asked."""

import asyncio
from collections.abc import Iterator

from ...runtime import Agent, Budget, Described, Question, ScriptedModel, Step, Toolset, loaders
from ...runtime.agent.transcript import lines

PROMPT = "The printer burns no more: close ticket 3, and tidy up."

_TURNS = (
    {"calls": [{"name": "load_tickets_tools"}]},
    {"calls": [{"name": "delete_ticket", "arguments": {"number": 1}}]},
    {"calls": [{"name": "update_ticket", "arguments": {"number": 3, "status": "solved"}}]},
    {"calls": [{"name": "update_ticket", "arguments": {"number": 3, "status": "solved"}}]},
)


def the_owner(question: Question) -> bool:
    """Lets tickets be changed, and none be deleted."""
    return question.tool == "update_ticket"


def play(desk: Toolset, room: int) -> Iterator[str]:
    """The run as lines: a loader, a call that is denied, one that is granted, the breaker.

    The model never stops by itself: it asks for the same call until the breaker refuses it.
    """
    agent = Agent(
        ScriptedModel(_TURNS),
        loaders(desk),
        approve=the_owner,
        budget=Budget(repeats=1),
    )
    for step in asyncio.run(_steps(agent, desk)):
        if not isinstance(step, Described) or step.turn == 1:
            yield from lines(step, room)


async def _steps(agent: Agent, desk: Toolset) -> list[Step]:
    async with desk:
        return [step async for step in agent.stream(PROMPT)]
