"""How a GraphQL server is spoken to: hashes instead of texts, queries by GET, what is refused."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from toolmint.generator.settings.policy import GraphQLSettings
from toolmint.runtime import ToolError, ToolResult, Toolset

from .graphql_packages import spoken, tracker_package
from .graphql_server import tracker
from .loopback import Answer, Seen


def call(package: type[Toolset], url: str, name: str, arguments: Any, times: int) -> ToolResult:
    async def main() -> ToolResult:
        async with package(base_url=url, credentials={}) as tools:
            results = [await tools.call(name, arguments) for _ in range(times)]
            return results[-1]

    return asyncio.run(main())


def test_a_hash_is_sent_first_and_the_text_only_once(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(persisted="apq"))
    package = tracker_package(tmp_path, "graphql_apq_tools", settings)
    with tracker() as server:
        result = call(package, server.url, "issue", {"id": "1"}, times=2)
        assert result.success
        assert ["query" in one for one in server.seen] == [False, True, False]


def test_a_server_that_takes_no_hashes_is_sent_the_text_alone(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(persisted="apq"))
    package = tracker_package(tmp_path, "graphql_hashless_tools", settings)
    with tracker() as server:
        takes = server.answer

        def answer(request: Seen) -> Answer:
            refused = {"errors": [{"message": "PersistedQueryNotSupported"}]}
            return Answer.of(refused) if b"persistedQuery" in request.body else takes(request)

        server.http.answer = answer
        assert call(package, server.url, "issue", {"id": "1"}, times=1).success
        assert [sorted(one) for one in server.seen] == [["operationName", "query", "variables"]]


def test_trusted_documents_are_only_ever_sent_by_their_hash(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(persisted="trusted"))
    package = tracker_package(tmp_path, "graphql_trusted_tools", settings)
    tools = package(credentials={}, base_url="https://x.example")
    with tracker() as server:
        text = str(tools["issue"].document)
        digest = json.loads(tools.prepare("issue", {"id": "1"}).body or b"")
        server.stored[digest["extensions"]["persistedQuery"]["sha256Hash"]] = text
        result = call(package, server.url, "issue", {"id": "1"}, times=1)
        assert result.success and "query" not in server.seen[0]
        some = call(package, server.url, "issue", {"id": "1", "_fields": ["title"]}, times=1)
        assert some.data == {"title": "Issue 1"} and server.seen[1] == server.seen[0]
    with pytest.raises(ToolError, match="only committed documents may be sent"):
        tools.graphql("query Mine { viewer { id } }").prepare("mine", {})


def test_trusted_documents_that_a_server_does_not_know_are_not_told_it(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(persisted="trusted"))
    package = tracker_package(tmp_path, "graphql_untold_tools", settings)
    with tracker() as server:
        result = call(package, server.url, "issue", {"id": "1"}, times=1)
        assert (result.outcome, ["query" in one for one in server.seen]) == ("error", [False])


def test_queries_go_by_get_and_mutations_do_not(tmp_path: Path) -> None:
    package = tracker_package(tmp_path, "graphql_get_tools", spoken(GraphQLSettings(get=True)))
    tools = package(credentials={}, base_url="https://x.example/graphql?v=1")
    request = tools.prepare("issue", {"id": "a b&c"})
    query = parse_qs(urlsplit(request.url).query)
    assert (request.method, request.body, query["v"]) == ("GET", None, ["1"])
    assert query["variables"] == ['{"id":"a b&c"}']
    assert query["query"] == [tools["issue"].document]
    assert tools.prepare("delete_issue", {"id": "1"}).method == "POST"
    with tracker() as server:
        assert call(package, server.url, "issue", {"id": "1"}, times=1).data["id"] == "1"


def test_a_document_edited_by_hand_is_not_sent(tmp_path: Path) -> None:
    package = tracker_package(tmp_path, "graphql_edited_tools")
    document = tmp_path / "graphql_edited_tools/operations/issue.graphql"
    document.write_text(document.read_text("utf-8").replace("title", "body"), "utf-8")
    tools = package(credentials={}, base_url="https://x.example")
    with pytest.raises(ToolError, match="is not the document that was generated"):
        tools.prepare("issue", {"id": "1"})


def test_a_tool_is_found_by_its_root_field(tmp_path: Path) -> None:
    tools = tracker_package(tmp_path, "graphql_found_tools")(credentials={})
    tool = tools.find("Mutation.deleteIssue")
    assert (tool.name, tool.operation_id) == ("delete_issue", "Mutation.deleteIssue")
    assert str(tool.document).startswith("mutation DeleteIssue($id: ID!) {")


def test_importing_a_package_and_preparing_a_call_imports_no_graphql_library() -> None:
    """graphql-core judges at generation; a package runs without it."""
    import subprocess
    import sys

    fixture = Path(__file__).parents[2] / "fixtures/graphql/cyclic-types/expected"
    code = (
        "import sys; from graphql_cyclic_tools import TOOLSET; "
        "t = TOOLSET(credentials={}); t.prepare('user', {'id': '1', '_fields': ['name']}); "
        "t.graphql('query Q { user(id: 1) { id } }'); "
        "print([n for n in sys.modules if n == 'graphql' or n.startswith('graphql.')])"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=fixture, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
