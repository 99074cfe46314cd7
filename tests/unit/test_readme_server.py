"""What a package's README says of its server: nothing that is not needed, all that is."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolmint.generator import Config, compile

ADDRESS = "https://a.example"
REGION = {"url": "https://{region}.a.example", "variables": {"region": {"default": "eu"}}}
OPEN = {
    "url": "https://{tenant}.a.example/{v}",
    "variables": {"v": {"default": "1", "enum": ["1", "2"]}},
}


def readme(tmp_path: Path, servers: list[Any], own: list[Any]) -> str:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "A", "version": "1"},
        "servers": servers,
        "paths": {"/a": {"get": {"operationId": "a", "servers": own}}},
    }
    (tmp_path / "a.json").write_text(json.dumps(document), "utf-8")
    config = Config(source=str(tmp_path / "a.json"), output=str(tmp_path / "a_tools"))
    return compile(config).files["README.md"]


def between(text: str) -> str:
    """From the example to the tools."""
    return text.partition("\na = ")[2].partition("## Tools")[0]


@pytest.mark.parametrize(
    ("servers", "own"), [([{"url": ADDRESS}], []), ([], [{"url": ADDRESS}]), ([OPEN], [REGION])]
)
def test_a_whole_address_needs_no_word(tmp_path: Path, servers: list[Any], own: list[Any]) -> None:
    assert between(readme(tmp_path, servers, own)) == "A()\n```\n\n"


@pytest.mark.parametrize("servers", [[], [{"url": "/v1"}]])
def test_without_a_whole_address_one_has_to_be_given(tmp_path: Path, servers: list[Any]) -> None:
    assert between(readme(tmp_path, servers, [])) == (
        'A(\n    base_url="https://api.example.com",\n)\n```\n\n'
        "## Server\n\nThe description names no whole address: give `base_url=`.\n\n"
    )


def test_variables_are_listed(tmp_path: Path) -> None:
    assert between(readme(tmp_path, [REGION], [])) == (
        "A()\n```\n\n## Server\n\n"
        "Calls go to `https://{region}.a.example`; "
        "`variables=` fills it in, `base_url=` replaces it.\n\n"
        "| variable | default | values |\n| --- | --- | --- |\n"
        "| `region` | `eu` | any |\n\n"
    )


def test_a_variable_that_is_needed_is_in_the_example(tmp_path: Path) -> None:
    assert between(readme(tmp_path, [OPEN], [])) == (
        'A(\n    variables={\n        "tenant": "…",\n    },\n)\n```\n\n## Server\n\n'
        "Calls go to `https://{tenant}.a.example/{v}`; "
        "`variables=` fills it in, `base_url=` replaces it.\n\n"
        "| variable | default | values |\n| --- | --- | --- |\n"
        "| `tenant` | – (needed) | any |\n| `v` | `1` | `1`, `2` |\n\n"
    )
