"""Bad input ends in one line that names the place and the way out, and leaves nothing behind.

Each case of `fixtures/broken/cases.toml` is a command in that folder, its exit status and the
lines on stderr that are not progress.
"""

import shlex
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .command_line import runner

BROKEN = Path(__file__).parents[2] / "fixtures/broken"
OUTPUT = "out_tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A command that goes wrong, and how it says so."""

    command: str
    status: int
    said: tuple[str, ...]
    folder: str = "."


def cases() -> list[Case]:
    read: list[dict[str, Any]] = tomllib.loads((BROKEN / "cases.toml").read_text())["case"]
    return [
        Case(
            command=one["command"],
            status=one["status"],
            said=tuple(one["said"]),
            folder=one.get("folder", "."),
        )
        for one in read
    ]


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every path below a folder, and what its file holds."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.folder}: {case.command}")
def test_a_case(
    case: Case,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = tmp_path / "broken"
    shutil.copytree(BROKEN, copy)
    before = contents(copy)
    monkeypatch.chdir(copy / case.folder)
    ran = runner(capsys)(*shlex.split(case.command))
    said = [line for line in ran.err.splitlines() if not line.startswith(f"{OUTPUT}: ")]
    assert (ran.status, len(said)) == (case.status, len(case.said)), ran.err
    for line, expected in zip(said, case.said, strict=True):
        whole, cut, _ = expected.partition("…")  # after it stand a library's own words
        assert line == whole or (cut and line.startswith(whole)), line
    if case.status:
        assert contents(copy) == before
    else:
        check = "check " + case.command.removeprefix("generate ")
        assert runner(capsys)(*shlex.split(check)).status == 0
