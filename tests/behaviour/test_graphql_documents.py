"""Documents that are written at run time: tools for this process, held against the schema."""

import asyncio
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from toolmint.runtime import ToolResult, Toolset

from .graphql_packages import tracker_package
from .graphql_server import Tracker, tracker

TITLES = """# The titles of some issues.
query IssueTitles($many: Int! = 2, $filter: IssueFilter, $withBody: Boolean = false) {
  issues(first: $many, filter: $filter) { edges { node { ...Short } } }
}
fragment Short on Issue { id title body @include(if: $withBody) }
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    return tracker_package(tmp_path_factory.mktemp("graphql"), "graphql_documents_tools")


@pytest.fixture
def server() -> Generator[Tracker]:
    with tracker() as running:
        yield running


def call(tools: Toolset, name: str, arguments: Any) -> ToolResult:
    async def main() -> ToolResult:
        async with tools:
            return await tools.call(name, arguments)

    return asyncio.run(main())


def test_a_document_is_a_tool(package: type[Toolset], server: Tracker) -> None:
    tools = package(base_url=server.url, credentials={}).graphql(TITLES)
    tool = tools["issue_titles"]
    assert (tool.description, tool.effects.pure) == ("The titles of some issues.", True)
    assert tool.input_schema["properties"]["many"] == {
        "type": "integer",
        "minimum": -2147483648,
        "maximum": 2147483647,
        "default": 2,
    }
    assert sorted(tool.input_schema["$defs"]) == ["IssueFilter", "State"]
    result = call(tools, "issue_titles", {"many": 1})
    assert result.data == {"edges": [{"node": {"id": "1", "title": "Issue 1"}}]}
    assert server.seen[0]["query"] == TITLES


def test_its_variables_are_checked_before_anything_is_sent(
    package: type[Toolset], server: Tracker
) -> None:
    tools = package(base_url=server.url, credentials={}).graphql(TITLES)
    result = call(tools, "issue_titles", {"filter": {"state": "GONE"}})
    assert (result.outcome, server.seen) == ("invalid_arguments", [])


def test_a_mutation_keeps_the_gravest_effects_of_what_it_calls(package: type[Toolset]) -> None:
    text = """
    mutation Replace($id: ID!, $input: CreateIssueInput!) {
      deleteIssue(id: $id)
      createIssue(input: $input) { issue { id } }
    }
    """
    tool = package(credentials={}).graphql(text)["replace"]
    assert (tool.effects.destructive, tool.effects.consequential) == (True, True)


NAMESPACED = """
type Query { me: Person }
type Person { id: ID! email: String }
type Mutation { account: Accounts! }
type Accounts { create(name: String): ID  delete(id: ID!): ID  keys: Keys! }
type Keys { revokeAll(of: ID): Int }
"""


def test_below_a_namespace_the_tool_that_is_called_decides(tmp_path: Path) -> None:
    package = tracker_package(tmp_path, "graphql_namespaced_tools", sdl=NAMESPACED)
    tools = package(credentials={})

    def destroys(selection: str, rest: str = "") -> bool:
        text = f"mutation Do {{ account {{ {selection} }} }} {rest}"
        return tools.graphql(text)["do"].effects.destructive

    assert [
        destroys("create"),
        destroys("delete(id: 1)"),
        destroys("keys { revokeAll }"),
        destroys("create ...More", "fragment More on Accounts { gone: delete(id: 1) }"),
    ] == [False, True, True, True]
    with pytest.raises(ValueError, match=r"Mutation\.account\.delete has no tool in this package"):
        tools.select(names="account_create").graphql("mutation Do { account { delete(id: 1) } }")


def test_what_a_document_reads_counts_for_the_rule_of_two(tmp_path: Path) -> None:
    package = tracker_package(tmp_path, "graphql_reading_tools", sdl=NAMESPACED)
    tools = package(credentials={})
    assert tools["me"].gate.reads == ("sensitive",)
    assert tools.graphql("query Mine { me { id } }")["mine"].gate.reads == ("sensitive",)


def test_files_of_a_document_travel_as_parts(package: type[Toolset], server: Tracker) -> None:
    text = """
    mutation Add($files: [Upload!]!, $note: NoteInput) {
      attach(issue: 1, files: $files, note: $note) { names noteFile }
    }
    """
    tools = package(base_url=server.url, credentials={}).graphql(text)
    files = [{"filename": "a.txt", "data_base64": "YQ=="}]
    note = {"text": "n", "file": {"filename": "n.txt", "data_base64": "bg=="}}
    result = call(tools, "add", {"files": files, "note": note})
    assert result.data == {"names": ["a.txt"], "noteFile": "n.txt"}


def test_a_package_without_a_root_field_s_tool_does_not_call_it(package: type[Toolset]) -> None:
    reads = package(credentials={}).select(effects="pure")
    with pytest.raises(ValueError, match=r"Mutation\.deleteIssue has no tool in this package"):
        reads.graphql("mutation Gone { deleteIssue(id: 1) }")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("query Q { __typename }", "Q asks for nothing"),
        ("query { viewer { id } }", "an operation needs a name"),
        ("query Q { viewer { id }", "line 1: expected a name"),
        ("query Q { viewer }", "Q.viewer: needs a selection of its fields"),
        ("query Q { viewer { id { x } } }", "Q.viewer.id: has no fields of its own"),
        ("query Q { viewer { nam } }", "User has no field 'nam'; did you mean name?"),
        ("query Q { issue { id } }", "Q.issue: needs id"),
        ("query Q { issue(id: $id) { id } }", "$id is not declared"),
        ("query Q($id: ID) { issue(id: $id) { id } }", "$id is ID, and ID! is expected"),
        ("query Q($id: ID!) { issue(id: 1) { id } }", "$id is declared and not used"),
        ("query Q { issue(id: 1, x: 2) { id } }", "has no argument 'x'"),
        ("query Q { issues { totalCount } }", "needs first, or the server may send all"),
        ("query Q { viewer { ...F } }", "there is no fragment F"),
        ("query Q { viewer { ...F } } fragment F on User { ...F }", "fragment F contains itself"),
        ("query Q { viewer { ... on Issue { id } } }", "a User is never a Issue"),
        ("query Q { viewer { id } } fragment F on User { id }", "fragment F is not used"),
        ("query Q { viewer { a: id a: name } }", "Q.viewer.a is asked for in two ways"),
        ("query Q($x: Nope) { search(text: $x) { __typename } }", "$x is Nope"),
        ("query Q " + "{ a " * 100, "nested more than 60 levels deep"),
    ],
)
def test_a_document_that_does_not_fit_is_refused(
    package: type[Toolset], text: str, why: str
) -> None:
    with pytest.raises(ValueError) as caught:
        package(credentials={}).graphql(text)
    assert why in str(caught.value)
