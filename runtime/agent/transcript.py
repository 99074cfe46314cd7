"""A run as lines for a person: what was offered, decided, asked, executed, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..shown.messages import TAG
from ..shown.visible import one_line
from .conversation import Arguments
from .steps import Answered, Decided, Described, Ended, Executed, Step

ROOM = 100  # characters of a line
_SHOWN = 8  # names in a line
_LABEL = 10  # columns of the word that says what a line is


def lines(step: Step, room: int = ROOM) -> Iterator[str]:
    """What a step looks like; nothing for a part of one that is still being written.

    Text of models and servers is shown without a character that could move the cursor.
    """
    for label, text in _told(step):
        yield f"{label:<{_LABEL}}{one_line(text, room - _LABEL)}"


def _told(step: Step) -> Iterator[tuple[str, str]]:
    match step:
        case Described(turn=turn, tools=tools):
            more = f" and {len(tools) - _SHOWN} more" if len(tools) > _SHOWN else ""
            names = ", ".join(tools[:_SHOWN]) or "no tools"
            yield "describe", f"turn {turn}: {names}{more}"
        case Decided(message=message, kinds=kinds):
            if message.calls and message.text:
                yield "decide", message.text
            for call, kind in zip(message.calls, kinds, strict=True):
                yield "decide", f"{kind}: {call.name}({_given(call.arguments)})"
        case Answered(question=question, granted=granted, by=by):
            decision = "granted" if granted else "denied"
            yield "ask", f"{decision} by {by}: {question.tool}, because {_why(question.reasons)}"
        case Executed():
            yield "execute", f"{step.call.name}: {_outcome(step)}"
            if step.result.success:
                yield (
                    "observe",
                    f"{'untrusted ' if TAG in step.text else ''}{_data(step.result.data)}",
                )
        case Ended(result=result):
            yield "end", f"{result.reason}: {result.text}"
        case _:
            return


def _outcome(step: Executed) -> str:
    if step.result.error is not None:
        told = step.result.error.message.removeprefix(f"{step.call.name}: ")
        return told if told.startswith(step.outcome) else f"{step.outcome}: {told}"
    held = ", ".join(step.powers)
    return f"{step.outcome} [the run holds: {held}]" if held else step.outcome


def _why(reasons: Sequence[str]) -> str:
    return "; ".join(reasons)


def _data(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)


def _given(arguments: Arguments) -> str:
    if isinstance(arguments, str):
        return arguments
    return ", ".join(f"{name}={_data(value)}" for name, value in arguments.items())
