"""A GraphQL API that nobody here wrote: introspected live, generated, and used through tools.

PostGraphile makes its schema of a real PostgreSQL; rows are listed, created, updated and
deleted through the generated tools, the update only after its row was read.
"""

import asyncio
import importlib
import sys
from collections.abc import Generator
from typing import Any

import pytest

from tests.behaviour.agents import call, outcomes, run, script
from tests.services.postgraphile import postgraphile
from toolmint.generator.cli import run as toolmint
from toolmint.runtime import Agent, ToolResult, Toolset

PROJECT = """
[[package]]
endpoint = "{address}"
output = "tasks_tools"

[package.tools."Mutation.updateTaskById"]
gate = {{ requires = ["Query.taskById"] }}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Generator[type[Toolset]]:
    """The package that the command line makes of the live endpoint."""
    folder = tmp_path_factory.mktemp("postgraphile")
    with postgraphile() as address, pytest.MonkeyPatch.context() as patch:
        (folder / "toolmint.toml").write_text(PROJECT.format(address=address), "utf-8")
        patch.chdir(folder)
        assert toolmint(["generate"]) == 0
        patch.setattr(sys, "path", [str(folder), *sys.path])
        yield importlib.import_module("tasks_tools").TOOLSET
        del sys.modules["tasks_tools"]


def titles(result: ToolResult) -> list[str]:
    """The titles of a page of tasks."""
    assert result.success, result.error
    return [task["title"] for task in result.data["nodes"]]


def test_rows_are_listed_made_changed_and_deleted(package: type[Toolset]) -> None:
    async def main() -> None:
        async with package(credentials={}) as tools:
            assert titles(await tools.call("all_tasks")) == ["first", "second", "third"]
            new = {"task": {"title": "new", "mood": "BUSY"}}
            made = await tools.call("create_task", {"input": new})
            number = made.data["task"]["id"]
            assert (made.data["task"]["title"], made.data["task"]["mood"]) == ("new", "BUSY")

            change = {"id": number, "taskPatch": {"title": "newer"}}
            changed = await tools.call("update_task_by_id", {"input": change})
            assert changed.data["task"]["title"] == "newer"
            read = await tools.call("task_by_id", {"id": number})
            assert (read.data["title"], read.data["due"]) == ("newer", None)

            assert tools["delete_task_by_id"].effects.destructive
            gone = await tools.call("delete_task_by_id", {"input": {"id": number}})
            assert gone.success
            assert (await tools.call("task_by_id", {"id": number})).data is None

    asyncio.run(main())


def test_pages_are_walked_and_what_is_wrong_is_told(package: type[Toolset]) -> None:
    async def main() -> None:
        async with package(credentials={}) as tools:
            walked = await tools.call("all_tasks", {"first": 2, "_page": {"pages": 2}})
            assert titles(walked) == ["first", "second", "third"]
            only = await tools.call("all_tasks", {"first": 1, "_fields": ["nodes.title"]})
            assert only.data["nodes"] == [{"title": "first"}]
            refused = await tools.call("create_task", {"input": {"task": {"title": ""}}})
            assert (refused.success, refused.outcome) == (False, "error")
            sad = {"input": {"task": {"title": "x", "mood": "sad"}}}
            assert (await tools.call("create_task", sad)).outcome == "invalid_arguments"

    asyncio.run(main())


def change(number: int, title: str) -> dict[str, Any]:
    """A call that gives a row another title."""
    return call("update_task_by_id", input={"id": number, "taskPatch": {"title": title}})


def test_a_row_is_read_before_it_is_changed_and_it_is_that_row(package: type[Toolset]) -> None:
    tools = package(credentials={})
    turns = (
        [change(1, "unread")],
        [{"name": "task_by_id", "arguments": {"id": 2}}],
        [change(1, "another one")],
        [change(2, "second")],
    )
    result = run(Agent(script(*turns, "done"), tools, approve=lambda _: True))
    tools.close()
    assert [outcome for _, outcome in outcomes(result)] == ["denied", "ok", "denied", "ok"]
