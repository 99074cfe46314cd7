"""Every committed golden package is clean for the strictest checkers, with their own defaults."""

from pathlib import Path

from ..golden.projects import PROJECTS
from .checkers import mypy, pyright, run

PACKAGES = [project.package for project in PROJECTS]
PARENTS = [package.parent for package in PACKAGES]


def test_ruff_has_nothing_to_say(tmp_path: Path) -> None:
    status, said = run(["ruff", "check", "--isolated", "--no-cache", *PACKAGES], tmp_path)
    assert (status, said.strip()) == (0, "All checks passed!")


def test_ruff_would_format_nothing(tmp_path: Path) -> None:
    options = ["--check", "--isolated", "--no-cache"]
    status, said = run(["ruff", "format", *options, *PACKAGES], tmp_path)
    assert status == 0, said


def test_mypy_strict_is_clean(tmp_path: Path) -> None:
    assert mypy(PACKAGES, tmp_path, PARENTS) == []


def test_pyright_strict_is_clean(tmp_path: Path) -> None:
    assert pyright(PACKAGES, tmp_path, PARENTS) == []
