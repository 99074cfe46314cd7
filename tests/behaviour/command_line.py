"""Runs the command line in this process, as a shell would see it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from toolmint.generator.cli import run


@dataclass(frozen=True, slots=True)
class Ran:
    """One command's status and what it printed."""

    status: int
    out: str
    err: str


Toolmint: TypeAlias = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Toolmint:
    """A function that takes the words after `toolmint`."""

    def toolmint(*words: str) -> Ran:
        capsys.readouterr()
        status = run(words)
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return toolmint
