"""Whole packages keep each provider's rules: fixtures always, real ones where they are there.

`python -m bench.documents` lays the real descriptions where these tests find them.
"""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, get_args

import pytest

from tests.behaviour.packages.petstore_tools import Petstore
from tests.needs import document
from tests.provider_rules import anthropic, gemini, mcp, openai
from toolmint.generator.cli import run
from toolmint.runtime import Export, Provider, Toolset

Check: TypeAlias = Callable[..., list[str]]
CHECKS: dict[str, Check] = {
    "openai": openai.violations,
    "anthropic": anthropic.violations,
    "gemini": gemini.violations,
    "mcp": mcp.violations,
}


def violations(toolset: Toolset, provider: Provider, *, strict: bool) -> list[str]:
    """What the tools of a package break: each alone, and all of them but for OpenAI's 128."""
    exported = toolset.export(provider, strict=strict)
    check = CHECKS.get(provider)
    return check(exported.payload, whole_request=provider != "openai") if check else []


@pytest.mark.parametrize("provider", get_args(Provider))
@pytest.mark.parametrize("strict", [True, False])
def test_the_fixture_package(provider: Provider, strict: bool) -> None:
    assert violations(Petstore(credentials={}), provider, strict=strict) == []


@contextmanager
def generated(name: str, folder: Path) -> Generator[Toolset]:
    """The package made of a real description, imported for as long as it is needed."""
    source = document(f"{name}.json")
    package = f"{name}_rules_tools"
    assert run(("generate", str(source), "-o", str(folder / package))) == 0
    sys.path.insert(0, str(folder))
    try:
        toolset: type[Toolset] = __import__(package).TOOLSET
        yield toolset(credentials={})
    finally:
        sys.path.remove(str(folder))
        for module in [each for each in sys.modules if each.partition(".")[0] == package]:
            del sys.modules[module]


@pytest.mark.parametrize(
    ("name", "least"), [("github", 1000), ("stripe", 400), ("kubernetes", 800)]
)
def test_every_tool_of_a_real_package(name: str, least: int, tmp_path: Path) -> None:
    with generated(name, tmp_path) as toolset:
        assert len(toolset) >= least
        for provider in get_args(Provider):
            for strict in (True, False):
                assert violations(toolset, provider, strict=strict) == []
        exported = toolset.export("openai")
        assert strict_tools(exported) > least / 2
        for tool in toolset:  # what restores nothing changes nothing
            assert exported.restore(tool.name, {}) == (tool.name, {})


def test_a_call_goes_by_the_names_that_the_provider_was_sent(tmp_path: Path) -> None:
    with generated("github", tmp_path) as toolset:
        tool = toolset.find("GET /enterprises/{enterprise}/teams/{enterprise-team}/memberships")
        given = {"enterprise": "acme", "enterprise_team": "blue"}
        exported = toolset.export("gemini")
        own = {"enterprise": "acme", "enterprise-team": "blue"}
        assert exported.restore(tool.name, given) == (tool.name, own)
        view = toolset.select(names=tool.name)
        (declared,) = view.describe("gemini")[0]["functionDeclarations"]
        assert set(given) <= set(declared["parametersJsonSchema"]["properties"])


def strict_tools(exported: Export) -> int:
    """How many functions are strict."""
    return sum(tool["function"]["strict"] for tool in exported.payload)
