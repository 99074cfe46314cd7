"""A run as lines for a person: what was offered, decided, asked, executed, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .conversation import Arguments
from .messages import TAG
from .steps import Answered, Asked, Decided, Described, Ended, Executed, Step
from .visible import one_line

ROOM = 100  # characters of a line
_SHOWN = 8  # names in a line


def lines(step: Step, room: int = ROOM) -> Iterator[str]:
    """What a step looks like; nothing for a part of one that is still being written.

    Text of models and servers is shown without a character that could move the cursor.
    """
    match step:
        case Described(turn=turn, tools=tools):
            more = f" and {len(tools) - _SHOWN} more" if len(tools) > _SHOWN else ""
            yield one_line(
                f"describe  turn {turn}: {', '.join(tools[:_SHOWN]) or 'no tools'}{more}", room
            )
        case Decided(message=message, kinds=kinds):
            if message.calls and message.text:
                yield one_line(f"decide    {message.text}", room)
            for call, kind in zip(message.calls, kinds, strict=True):
                yield one_line(f"decide    {call.name}({_given(call.arguments)})  [{kind}]", room)
        case Asked(question=question):
            yield one_line(f"ask       {question.tool}: {'; '.join(question.reasons)}", room)
        case Answered(granted=granted, by=by):
            yield one_line(f"ask       {'granted' if granted else 'denied'} by {by}", room)
        case Executed():
            yield one_line(f"execute   {step.call.name}: {_outcome(step)}", room)
            if step.powers:
                yield one_line(f"          the run holds: {', '.join(step.powers)}", room)
        case Ended(result=result):
            yield one_line(f"end       {result.reason}: {result.text}", room)
        case _:
            return


def _outcome(step: Executed) -> str:
    if step.result.error is not None:
        told = step.result.error.message.removeprefix(f"{step.call.name}: ")
        return f"{step.outcome}: {told}"
    return f"{step.outcome}, {'untrusted ' if TAG in step.text else ''}{_data(step.result.data)}"


def _data(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)


def _given(arguments: Arguments) -> str:
    if isinstance(arguments, str):
        return arguments
    return ", ".join(f"{name}={_data(value)}" for name, value in arguments.items())
