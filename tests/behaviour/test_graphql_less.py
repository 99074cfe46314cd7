"""Calls that ask for other fields than committed: chosen ones, or fewer after a refusal."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import graphql as core
import pytest

from toolmint.generator.settings.policy import PackageSettings, ToolSettings
from toolmint.runtime import ToolResult, Toolset

from .graphql_packages import tracker_package
from .loopback import Answer, Seen, loopback

SDL = """
type Query { thing(id: ID): Thing }
type Thing {
  id: ID!
  a: Int!
  b: Int!
  icon(size: Int!): String
  parts(first: Int, after: String, of: String!): Parts
  owner(at: String!): Owner
}
type Owner { id: ID! name: String! }
type Parts { nodes: [Part!]! pageInfo: PageInfo! }
type Part { id: ID! name: String! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
"""
SCHEMA = core.build_schema(SDL)
THING: dict[str, Any] = {
    "thing": {
        "id": "1",
        "a": 1,
        "b": 2,
        "icon": "i.png",
        "parts": {"nodes": [{"id": "2", "name": "Bolt"}], "pageInfo": {"hasNextPage": False}},
        "owner": {"id": "3", "name": "Ann"},
    }
}
GIVEN = {"id": "1", "parts_of": "x", "owner_at": "now"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    thing = ToolSettings(lift=("parts", "owner"), args={"icon": {"size": 50}})
    folder: Path = tmp_path_factory.mktemp("graphql")
    return tracker_package(
        folder, "graphql_less_tools", PackageSettings(tools={"thing": thing}), sdl=SDL
    )


def resolved(seen: Seen) -> Answer:
    """What a server answers that finds fault with what GraphQL forbids."""
    asked = json.loads(seen.body)
    parsed = core.parse(asked["query"])
    assert core.validate(SCHEMA, parsed) == []
    declared = cast(Any, parsed.definitions[0]).variable_definitions
    assert asked.get("variables", {}).keys() <= {one.variable.name.value for one in declared}
    made = cast(Any, core).execute_sync(SCHEMA, parsed, THING, variable_values=asked["variables"])
    return Answer.of(made.formatted)


def called(
    package: type[Toolset], arguments: Any, refuses: Callable[[str], Any] = lambda _: None
) -> tuple[ToolResult, list[str]]:
    """The result, and the documents that were sent; `refuses` may answer first."""

    def answer(seen: Seen) -> Answer:
        refusal = refuses(json.loads(seen.body)["query"])
        return resolved(seen) if refusal is None else Answer.of(refusal)

    with loopback() as server:
        server.answer = answer

        async def main() -> ToolResult:
            async with package(base_url=server.url, credentials={}, retry=False) as tools:
                return await tools.call("thing", arguments)

        result = asyncio.run(main())
        return result, [json.loads(seen.body)["query"] for seen in server.seen]


def test_chosen_fields_declare_only_the_variables_they_use(package: type[Toolset]) -> None:
    result, sent = called(package, {**GIVEN, "_fields": ["a"]})
    assert sent == ["query Thing(\n  $id: ID\n) {\n  thing(id: $id) {\n    a\n  }\n}\n"]
    assert (result.data, result.metadata.get("notes")) == ({"a": 1}, None)


def test_chosen_fields_keep_the_arguments_that_settings_give_them(package: type[Toolset]) -> None:
    result, sent = called(package, {**GIVEN, "_fields": ["icon", "owner.name"]})
    assert "icon(size: 50)" in sent[0] and "owner(at: $owner_at)" in sent[0]
    assert result.data == {"icon": "i.png", "owner": {"name": "Ann"}}


def test_a_chosen_connection_shows_its_items(package: type[Toolset]) -> None:
    result, _ = called(package, {**GIVEN, "_fields": ["parts"]})
    assert result.data == {"parts": {"nodes": [{"id": "2", "name": "Bolt"}]}}


def test_less_after_a_refusal_declares_only_what_it_uses(package: type[Toolset]) -> None:
    def too_complex(query: str) -> Any:
        error = {"message": "no", "extensions": {"code": "QUERY_TOO_COMPLEX"}}
        return {"errors": [error]} if "owner" in query else None

    result, sent = called(package, GIVEN, too_complex)
    assert (result.data, len(sent)) == ({"id": "1", "a": 1, "b": 2, "icon": "i.png"}, 2)
    assert sent[1].startswith("query Thing(\n  $id: ID\n) {")


def test_forbidden_fields_are_left_out_once(package: type[Toolset]) -> None:
    """A server that names one at a time is not asked as often as there are fields."""

    def forbids(query: str) -> Any:
        name = next(one for one in ("owner", "icon", "parts") if f" {one}(" in query)
        error = {"message": "no", "path": ["thing", name], "extensions": {"code": "FORBIDDEN"}}
        return {"data": {"thing": None}, "errors": [error]}

    result, sent = called(package, GIVEN, forbids)
    assert (result.outcome, str(result.error)) == ("error", "thing: no (at thing.icon)")
    assert [" owner(" in query for query in sent] == [True, False]
