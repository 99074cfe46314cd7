"""What is generated from a hostile description runs, is formatted and is strictly typed."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from toolmint.generator.load import parse
from toolmint.generator.model.catalogue import Catalogue, Effects, Gate, Tool
from toolmint.generator.sources.openapi import lower
from toolmint.generator.targets.python import Settings, generate

HOSTILE = Path(__file__).with_name("hostile.yaml")
NAME = "hostile_names_of_a_package_that_is_called_so_long_that_no_line_of_it_fits_tools"


def catalogue() -> Catalogue:
    """Every operation as a tool of its operationId, which need not be a good name."""
    api = lower(parse(HOSTILE.read_bytes(), file=HOSTILE.name))
    reads = Effects(read_only=True, destructive=False, idempotent=True, reason="test")
    tools = tuple(
        Tool(
            operation=operation,
            name=operation.operation_id or "",
            description=f"{operation.summary}\n\n{operation.description}".strip(),
            effects=reads,
            gate=Gate(),
            rate_limit=None,
            trimmed=(),
        )
        for operation in api.operations
    )
    return Catalogue(api=api, tools=tools)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package."""
    root = tmp_path_factory.mktemp("generated")
    for path, text in generate(catalogue(), Settings(package=NAME, source="a.yaml")).items():
        file = root / NAME / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return root


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--isolated", "--quiet"),
        ("ruff", "format", "--check", "--isolated", "--quiet"),
        ("mypy", "--strict", "--no-error-summary"),
    ],
    ids=" ".join,
)
def test_a_tool_with_default_settings_finds_nothing(folder: Path, command: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", *command, NAME],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("", "", 0)


def test_pyright_strict_finds_nothing(folder: Path) -> None:
    settings = {"typeCheckingMode": "strict", "include": [NAME]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    ran = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert json.loads(ran.stdout)["generalDiagnostics"] == []


def test_every_module_imports_and_every_tool_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    package = importlib.import_module(NAME)
    for name in package.__all__:
        getattr(package, name)
    assert sorted(package.TOOLSET(credentials={}).names()) == sorted(
        tool.name for tool in catalogue().tools
    )
