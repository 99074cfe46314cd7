"""Who is asked: a person at the terminal, or a function. Anything but a real True denies."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO, TypeAlias

from ..shown.visible import one_line, visible
from .questions import Question

if TYPE_CHECKING:
    import asyncio

_SCREEN = 16  # lines that a terminal shows at once for sure
Approver: TypeAlias = Callable[[Question], "bool | Awaitable[bool]"]
"""Says True to allow one call. Anything else, an exception too, denies it."""


async def granted(approver: Approver, question: Question) -> tuple[bool, str]:
    """Whether an approver said a real True, and who took the decision."""
    import asyncio

    name = getattr(approver, "__name__", None) or type(approver).__name__
    try:
        answer: object = approver(question)
        if inspect.isawaitable(answer):
            answer = await answer
    except Exception as error:  # noqa: BLE001 - whatever is wrong with an approver, it denies
        return False, f"{name} failed: {type(error).__name__}"
    task = asyncio.current_task()
    if task is not None and task.cancelling():  # also where the approver took no notice of it
        raise asyncio.CancelledError
    return answer is True, name


class TerminalApprover:
    """Shows the exact call and waits for `y`; one question at a time.

    What was typed or pasted before a question is no answer to it. Whoever is not at a terminal cannot say yes: without one on both ends everything is denied.
    """

    __name__ = "the person at the terminal"

    def __init__(self, answers: TextIO | None = None, shown: TextIO | None = None) -> None:
        self._answers = answers
        self._shown = shown
        self._lock: asyncio.Lock | None = None

    async def __call__(self, question: Question) -> bool:
        """Ask; True for y or yes only."""
        import asyncio

        answers, shown = self._answers or sys.stdin, self._shown or sys.stderr
        if not (answers.isatty() and shown.isatty()):
            return False
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            _forget_typed(answers)
            shown.write(asked(question) + "\nAllow this call? [y/N] ")
            shown.flush()
            answer = await read_line(answers)
            if not answer.endswith("\n"):  # no more comes from there
                shown.write("\n")
            return answer.strip().lower() in ("y", "yes")


def asked(question: Question) -> str:
    """A question as text for a terminal; what it is about stands below long arguments again."""
    arguments = visible(json.dumps(question.arguments, indent=2, ensure_ascii=False))
    reasons = "; ".join(one_line(reason) for reason in question.reasons)
    head = f"{one_line(question.tool)}: {reasons}"
    again = f"\n{head}" if arguments.count("\n") > _SCREEN or len(arguments) > 80 * _SCREEN else ""
    return f"\n{head}\n{arguments}{again}"


def _forget_typed(stream: TextIO) -> None:
    """Drop the lines that a terminal holds already."""
    try:
        import termios
    except ImportError:  # Windows
        return
    with suppress(OSError, ValueError, termios.error):  # no real terminal
        termios.tcflush(stream.fileno(), termios.TCIFLUSH)


async def read_line(stream: TextIO) -> str:
    """The next line; its thread is left behind when the wait is cancelled, and ends with us."""
    import asyncio
    from threading import Thread

    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def settle(text: str) -> None:
        if not line.done():
            line.set_result(text)

    def read() -> None:
        try:
            text = stream.readline()
        except (OSError, ValueError):
            text = ""
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, text)

    Thread(target=read, daemon=True, name="toolmint-approval").start()
    return await line
