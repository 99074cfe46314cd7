"""How far a command is, on stderr: a bar on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Callable
from typing import TextIO, TypeAlias

Progress: TypeAlias = Callable[[str], None]
"""Told the name of each step as it starts."""

STEPS = ("read", "lower", "shape", "print", "write")
_WIDTH = 20


def silent(step: str) -> None:
    """Progress that nobody watches."""


class Bar:
    """One line that is redrawn at each step, and wiped by `close`."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total, self._done, self._stream = total, 0, stream

    def __call__(self, text: str) -> None:
        filled = _WIDTH * self._done // max(self._total, 1)
        self._done += 1
        bar = "━" * filled + "╌" * (_WIDTH - filled)
        self._draw(f"{bar} {text}"[:79])

    def close(self) -> None:
        self._draw("")

    def _draw(self, line: str) -> None:
        self._stream.write(f"\r\x1b[2K{line}")
        self._stream.flush()


class Lines:
    """A line at each step, for logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, text: str) -> None:
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Nothing to wipe."""


def watched(total: int, stream: TextIO | None = None) -> Bar | Lines:
    """The progress that suits where stderr goes."""
    watcher = sys.stderr if stream is None else stream
    return Bar(total, watcher) if watcher.isatty() else Lines(watcher)
