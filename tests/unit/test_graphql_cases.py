"""The GraphQL cases, each after a public bug report: names, inputs, documents, gates.

`case.json` beside each schema names the reports and says what is right.
"""

import json
import re
from typing import Any

import graphql as core
import jsonschema_rs
import pytest

from toolmint.generator.plain import is_array, is_object
from toolmint.runtime import Tool

from ..golden.projects import GRAPHQL, Project

CASES = [
    pytest.param(project, case, id=f"{project.name}-{case['name']}")
    for project in GRAPHQL
    if (project.folder / "case.json").exists()
    for case in json.loads((project.folder / "case.json").read_text("utf-8"))["tools"]
]


def tool_of(project: Project, case: dict[str, Any]) -> Tool:
    tools = project.toolset(credentials={})
    by_hand = case["root"].startswith("operations/")
    found = tools[case["name"]] if by_hand else tools.find(case["root"])
    assert found.name == case["name"]
    return found


def schema_of(project: Project) -> core.GraphQLSchema:
    return core.build_schema((project.folder / "schema.graphql").read_text("utf-8"))


def without_empty_required(schema: Any) -> Any:
    if is_object(schema):
        kept = {key: value for key, value in schema.items() if (key, value) != ("required", [])}
        return {key: without_empty_required(value) for key, value in kept.items()}
    return [without_empty_required(one) for one in schema] if is_array(schema) else schema


@pytest.mark.parametrize(("project", "case"), CASES)
def test_the_input_schema_is_exactly_this(project: Project, case: dict[str, Any]) -> None:
    assert tool_of(project, case).input_schema == without_empty_required(case["schema"])


@pytest.mark.parametrize(("project", "case"), CASES)
def test_it_takes_what_it_should_and_nothing_else(project: Project, case: dict[str, Any]) -> None:
    tool = tool_of(project, case)
    assert [given for given in case["accept"] if tool.problems(given)] == []
    assert [given for given in case["reject"] if not tool.problems(given)] == []


@pytest.mark.parametrize(("project", "case"), CASES)
def test_the_document_is_valid_and_asks_for_this(project: Project, case: dict[str, Any]) -> None:
    document = tool_of(project, case).document
    assert document is not None
    assert core.validate(schema_of(project), core.parse(document)) == []
    assert [pattern for pattern in case["must"] if not re.search(pattern, document)] == []
    assert [pattern for pattern in case["forbid"] if re.search(pattern, document)] == []


@pytest.mark.parametrize(("project", "case"), CASES)
def test_the_gate_follows_the_kind(project: Project, case: dict[str, Any]) -> None:
    effects = tool_of(project, case).effects
    assert {"pure": effects.pure, "consequential": effects.consequential}[case["gate"]]


@pytest.mark.parametrize("project", GRAPHQL, ids=lambda project: project.name)
def test_every_schema_of_a_package_compiles(project: Project) -> None:
    for tool in project.toolset(credentials={}):
        jsonschema_rs.validator_for(tool.input_schema)
        assert isinstance(tool.output_schema, dict)
        jsonschema_rs.validator_for(tool.output_schema)


# ── what the cases say in words ─────────────────────────────────────────────────────


def project_of(name: str) -> Project:
    return next(project for project in GRAPHQL if project.name == name)


def body_of(name: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    request = project_of(name).toolset(credentials={}).prepare(tool, arguments)
    assert request.body is not None
    sent: dict[str, Any] = json.loads(request.body)
    return sent


def test_null_is_sent_and_what_is_absent_is_not() -> None:
    given = {"id": "1", "input": {"bio": None}}
    assert body_of("null-versus-absent", "edit_profile", given)["variables"] == given


def test_the_default_page_makes_way_for_last() -> None:
    page = {"last": 5}
    assert body_of("connection-edges-only", "products", page)["variables"] == {
        "last": 5,
        "first": None,
    }
    both = {"first": 50, "last": 5}
    assert body_of("connection-edges-only", "products", both)["variables"] == both
    assert "variables" not in body_of("connection-edges-only", "products", {})


def test_a_union_names_its_type_and_clashes_are_kept_apart() -> None:
    tool = project_of("union-conflicting-fields").toolset(credentials={})["events"]
    output = tool.output_schema
    assert isinstance(output, dict)
    branches = output["items"]["anyOf"]
    assert [branch["properties"]["__typename"] for branch in branches] == [
        {"const": "Closed"},
        {"const": "Merged"},
        {"const": "Renamed"},
    ]
    assert all("__typename" in branch["required"] for branch in branches)
    assert "merged_at: at" in str(tool.document)


def test_a_written_document_is_sent_with_the_fragments_it_uses_only() -> None:
    folder = project_of("operation-document").folder
    written = (folder / "operations/open_issues.graphql").read_text("utf-8")
    start, end = written.index("query OpenIssues"), written.index("\n\nfragment Unused")
    given = {"owner": "o", "name": "n"}
    assert body_of("operation-document", "open_issues", given) == {
        "operationName": "OpenIssues",
        "query": written[start:end] + "\n",
        "variables": given,
    }


def test_a_written_document_says_what_it_is_for_and_what_may_be_missing() -> None:
    tool = project_of("operation-document").toolset(credentials={})["open_issues"]
    assert tool.description == "List the open issues of a repository."
    output = tool.output_schema
    assert isinstance(output, dict)
    issue = output["properties"]["issues"]["properties"]["nodes"]["items"]
    assert (issue["type"], issue["required"]) == (["object", "null"], ["id", "title"])
    assert set(issue["properties"]) == {"id", "title", "body"}
