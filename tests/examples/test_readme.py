"""What README.md and docs/ show is what toolmint does."""

import ast
import builtins
import re
import textwrap
import tomllib
from pathlib import Path

import pytest

from toolmint.generator import Config, compile
from toolmint.generator.cli import run
from toolmint.generator.settings.table import package_settings

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted(ROOT.glob("docs/*.md"))]
DESK = Config(source=str(ROOT / "generator/demo/desk.yaml"), output="desk_tools")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    text = page.read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_code_in_the_readme_is_generated_code() -> None:
    [shown] = [block for block in blocks(README, "python") if block.startswith("@http(")]
    assert textwrap.indent(shown, "    ") in compile(DESK).files["tickets.py"]


def test_the_figures_in_the_readme_are_those_of_the_demo() -> None:
    package = compile(DESK)
    made = package.report
    said = f"desk_tools: {made.tools} tools from {made.operations} operations; "
    assert f"{said}{len(package.files)} files written\n" in README.read_text("utf-8")


def test_the_settings_in_the_readme_are_settings() -> None:
    [shown] = blocks(README, "toml")
    [package] = tomllib.loads(shown)["package"]
    assert package_settings(package, "toolmint.toml").result_tokens == 4000


def test_the_commands_in_the_readme_are_all_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    listed = re.findall(r"^  (\w+)  ", capsys.readouterr().out, re.MULTILINE)
    rows = re.findall(r"^\| `toolmint (\w+)", README.read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(listed)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_shown_as_python_is_python(page: Path) -> None:
    for block in blocks(page, "python"):
        flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        assert isinstance(builtins.compile(block, page.name, "exec", flags), ast.Module)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_leads_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
