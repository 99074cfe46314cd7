"""A run as lines: every step can be read, and nothing of strangers moves the cursor."""

import asyncio
from typing import Any

from toolmint.runtime.agent.conversation import TextDelta
from toolmint.runtime.agent.loop import Agent
from toolmint.runtime.agent.transcript import lines

from .agents import CHANGE, READS, call, gated, look, script


def told(agent: Agent) -> list[str]:
    async def main() -> list[str]:
        return [line async for step in agent.stream("go") for line in lines(step)]

    return asyncio.run(main())


def no(question: Any) -> bool:
    return False


def test_every_step_is_a_line() -> None:
    reading = gated(look, READS, reads=("untrusted",))
    turn = {"text": "I look first.", "calls": [call("look", thing="a")]}
    agent = Agent(script(turn, [call("change"), call("x")], "done"), [reading, CHANGE], approve=no)
    assert told(agent) == [
        "describe  turn 1: look, change",
        "decide    I look first.",
        'decide    pure: look(thing="a")',
        "execute   look: ok [the run holds: untrusted]",
        'observe   untrusted "saw a"',
        "describe  turn 2: look, change",
        "decide    consequential: change()",
        "decide    unknown: x()",
        "ask       denied by no: change, because it changes something",
        "execute   change: denied by no",
        "execute   x: unknown_tool: there is no tool 'x'",
        "describe  turn 3: look, change",
        "end       done: done",
    ]


def test_parts_that_are_still_written_are_no_lines() -> None:
    assert list(lines(TextDelta("do"))) == []


def test_lines_are_short_and_hold_no_control_character() -> None:
    hostile = "\x1b[2Jdone\r\n\u202eend\tx" * 40
    agent = Agent(script([{"name": hostile, "arguments": hostile}], hostile), [])
    plain = r"\u001b[2Jdone \u202eend x" * 4
    assert told(agent) == [
        "describe  turn 1: no tools",
        f"decide    unknown: {plain}"[:99] + "…",
        f"execute   {plain}"[:99] + "…",
        "describe  turn 2: no tools",
        f"end       done: {plain}"[:99] + "…",
    ]
