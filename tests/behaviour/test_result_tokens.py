"""How much of a result a model is shown is a setting of the package."""

import asyncio
import importlib
import sys
from pathlib import Path

import pytest

from toolmint.generator import Config, compile, write
from toolmint.generator.settings.table import package_settings
from toolmint.runtime import ToolResult

from .command_line import PETSTORE
from .loopback import Answer, loopback


def test_the_cap_of_the_settings_holds_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "petstore.yaml"
    source.write_text(PETSTORE)
    settings = package_settings({"result_tokens": 200}, "toolmint.toml")
    config = Config(source=str(source), output=str(tmp_path / "capped_tools"), settings=settings)
    write(compile(config), config.output)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    package = importlib.import_module("capped_tools")
    assert package.TOOLSET.package.result_tokens == 200

    async def listed(url: str) -> ToolResult:
        async with package.TOOLSET(credentials={"bearerAuth": "t"}, base_url=url) as toolset:
            result = await toolset.call("list_pets", {})
            assert isinstance(result, ToolResult)
            return result

    with loopback() as server:
        server.answer = lambda _: Answer.of([{"id": n, "name": "Rex" * 20} for n in range(100)])
        result = asyncio.run(listed(server.url))
    assert len(result.data) == 100
    assert 400 < len(result.to_message()) < 1600
