"""What did not change is not compiled again; whatever did is noticed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from toolmint.generator import Config, Files, pipeline

from .command_line import PETSTORE, Toolmint, runner

UP_TO_DATE = "petstore_tools: 3 tools from 3 operations; up to date\n"
Compiled = list[str]


@pytest.fixture
def toolmint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Toolmint:
    """The command line in a folder with the petstore and its package."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    run = runner(capsys)
    run("generate", "petstore.yaml")
    return run


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """The sources that are compiled from now on."""
    seen: Compiled = []
    known = pipeline.compile

    def watched(config: Config, *rest: Callable[[str], None]) -> Files:
        seen.append(config.source)
        return known(config, *rest)

    monkeypatch.setattr(pipeline, "compile", watched)
    return seen


def test_nothing_is_compiled_when_nothing_changed(toolmint: Toolmint, compiled: Compiled) -> None:
    ran = toolmint("generate", "petstore.yaml")
    assert (ran.status, ran.out, ran.err) == (0, UP_TO_DATE, "")
    assert compiled == []


def test_the_report_is_the_same(toolmint: Toolmint, compiled: Compiled) -> None:
    def report(*options: str) -> str:
        return toolmint("generate", "petstore.yaml", "--json", *options).out.partition('"seconds"')[
            0
        ]

    assert report() == report("--force")
    assert compiled == ["petstore.yaml"]


def _edit_the_source(folder: Path) -> None:
    (folder / "petstore.yaml").write_text(PETSTORE + "x-note: new\n")


def _edit_a_module(folder: Path) -> None:
    with (folder / "petstore_tools/pets.py").open("a") as file:
        file.write("# mine\n")


def _lose_a_module(folder: Path) -> None:
    (folder / "petstore_tools/pets.py").unlink()


def _break_the_lock(folder: Path) -> None:
    lock = folder / "petstore_tools/toolmint.lock"
    lock.write_text("<<<<<<< ours\n" + lock.read_text())


def _change_the_version(folder: Path) -> None:
    lock = folder / "petstore_tools/toolmint.lock"
    lock.write_text(lock.read_text().replace('"toolmint": "', '"toolmint": "0.0.'))


def _age_the_lock(folder: Path) -> None:
    os.utime(folder / "petstore_tools/toolmint.lock", ns=(1, 1))


@pytest.mark.parametrize(
    "change",
    [
        _edit_the_source,
        _edit_a_module,
        _lose_a_module,
        _break_the_lock,
        _change_the_version,
        _age_the_lock,  # older than toolmint's own code, in a checkout
    ],
)
def test_any_change_is_compiled(
    toolmint: Toolmint, compiled: Compiled, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    change(tmp_path)
    toolmint("generate", "petstore.yaml")
    assert compiled == ["petstore.yaml"]


@pytest.mark.parametrize(
    "options",
    [
        ("--include", "GET /pets"),
        ("--document-url", "https://b.example/v1/api.yaml"),
        ("--package", "other"),
        ("--strict",),
        ("--force",),
        ("--reference-folder", "."),
    ],
)
def test_other_decisions_are_compiled(
    toolmint: Toolmint, compiled: Compiled, options: tuple[str, ...]
) -> None:
    toolmint("generate", "petstore.yaml", "-o", "petstore_tools", *options)
    assert compiled == ["petstore.yaml"]
