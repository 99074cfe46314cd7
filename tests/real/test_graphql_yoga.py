"""What a real server does beyond plain answers: parts that come later, documents by their hash."""

import asyncio
from pathlib import Path
from typing import Any

from tests.behaviour.graphql_packages import spoken, tracker_package
from tests.services.graphql import yoga
from toolmint.generator.settings.policy import GraphQLSettings
from toolmint.runtime import ToolResult, Toolset

SDL = """
type Query { issue(id: ID!): Issue }
type Issue { id: ID! title: String! author: User! }
type User { id: ID! name: String! }
"""


def call(tools: Toolset, name: str, arguments: Any) -> ToolResult:
    async def main() -> ToolResult:
        async with tools:
            return await tools.call(name, arguments)

    return asyncio.run(main())


def test_deferred_parts_are_put_in_their_place(tmp_path: Path) -> None:
    package = tracker_package(tmp_path, "graphql_deferred_tools", sdl=SDL)
    text = """
    query Late($id: ID!) { issue(id: $id) { id ... on Issue @defer { author { name } } } }
    """
    with yoga(tmp_path / "tracker.graphql") as address:
        tools = package(base_url=address, credentials={}).graphql(text)
        result = call(tools, "late", {"id": "1"})
        assert result.success, result.error
        headers: Any = result.metadata["headers"]
    assert headers["content-type"].startswith("multipart/mixed")
    assert result.data["author"] == {"name": "Hello World"}


def test_automatic_persisted_queries_are_learned(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(persisted="apq"))
    package = tracker_package(tmp_path, "graphql_learned_tools", settings, sdl=SDL)
    with yoga(tmp_path / "tracker.graphql") as address:
        first = call(package(base_url=address, credentials={}), "issue", {"id": "1"})
        again = call(package(base_url=address, credentials={}), "issue", {"id": "1"})
    assert (first.success, first.metadata["attempts"]) == (True, 2)
    assert (again.success, again.metadata["attempts"]) == (True, 1)
