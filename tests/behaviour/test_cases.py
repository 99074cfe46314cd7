"""Every call of the case projects gives exactly the right request, through the generated package.

The cases stand for public bug reports of well-known tools; `calls.json` names them.
"""

import asyncio
import json
from typing import Any

import pytest

from toolmint.runtime import PreparedRequest, ToolError, Toolset

from ..golden.projects import PROJECTS, Project
from .loopback import loopback

CASES = [
    pytest.param(project, call, id=f"{project.name}-{number}")
    for project in PROJECTS
    if (project.folder / "calls.json").exists()
    for number, call in enumerate(
        json.loads((project.folder / "calls.json").read_text("utf-8"))["calls"], 1
    )
]


def toolset(project: Project, call: dict[str, Any]) -> Toolset:
    return project.toolset(credentials=call["credentials"])


def prepared(project: Project, call: dict[str, Any]) -> PreparedRequest:
    tools = toolset(project, call)
    return tools.prepare(tools.find(call["operation"]).name, call["arguments"])


@pytest.mark.parametrize(("project", "call"), CASES)
def test_a_call_gives_the_right_request_or_refusal(project: Project, call: dict[str, Any]) -> None:
    expect = call["expect"]
    if "error" in expect:
        with pytest.raises(ToolError) as caught:
            prepared(project, call)
        assert refusal(caught.value) == expect["error"]
        return
    request = prepared(project, call)
    assert (request.method, request.url) == (expect["method"], expect["url"])
    headers = {name.lower(): value for name, value in request.headers.items()}
    wanted = {name.lower(): value for name, value in expect["headers"].items()}
    assert {name: headers.get(name) for name in wanted} == wanted
    assert [name for name in expect["headers_absent"] if name.lower() in headers] == []
    assert_body(request.body, expect["body"])


def refusal(error: ToolError) -> str:
    """What the cases call an outcome."""
    if error.outcome == "denied":
        return "missing_credentials"
    assert error.outcome == "invalid_arguments"
    (argument,) = {detail["argument"] for detail in error.details if isinstance(detail, dict)}
    return f"invalid_argument:{argument}"


def assert_body(body: bytes | None, expect: dict[str, Any] | None) -> None:
    if expect is None:
        assert body is None
    elif "json" in expect:
        assert body is not None
        assert json.loads(body) == expect["json"]
    else:
        assert body == expect["raw"].encode()


def test_names_are_as_the_rule_says() -> None:
    (project,) = (project for project in PROJECTS if project.name == "tool-names")
    tools = project.toolset(credentials={})
    assert {tool.path: tool.name for tool in tools} == {
        "/a": "billing_list_invoices_f302df",
        "/b": "billing_list_invoices_db789e",
        "/c": "list_organisation_subscription_payment_method_authorisati_247925",
        "/d": "list_organisation_subscription_payment_method_authorisati_f0d211",
        "/things/{thingId}/parts": "get_thing_parts",
        "/f": "op_2fa_enable",
        "/g": "get_g",
    }


def test_schemas_keep_what_the_cases_fix() -> None:
    def tools(name: str) -> Toolset:
        (project,) = (project for project in PROJECTS if project.name == name)
        return project.toolset(credentials={})

    edit = tools("null-semantics").find("editTask")
    members = edit.input_schema["properties"]
    assert members["priority"] == {"type": ["string", "null"], "enum": ["low", "high", None]}
    assert members["mood"] == {"type": ["string", "null"], "enum": ["calm", "busy", None]}
    assert members["owner"] == {"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}]}
    assert members["title"] == {"type": "string"}
    assert isinstance(edit.output_schema, dict)
    assert "nullable" not in json.dumps([edit.input_schema, edit.output_schema])
    task = edit.output_schema["$defs"]["Task"]["properties"]
    assert task["score"] == {"type": ["number", "null"]}

    composed = tools("composed-bodies")
    pay = composed.find("pay").input_schema
    assert pay["required"] == ["body"]
    assert [one["$ref"] for one in pay["properties"]["body"]["oneOf"]] == [
        "#/$defs/Card",
        "#/$defs/Bank",
    ]
    profile = composed.find("editProfile").input_schema
    assert (list(profile["properties"]), profile["required"]) == (
        ["pid", "name", "email"],
        ["pid", "name"],
    )
    assert "required" not in composed.find("wake").input_schema

    inbox = tools("security").find("readInbox").input_schema
    assert (list(inbox["properties"]), inbox.get("required", [])) == (["unread"], [])


def test_a_header_beyond_ascii_reaches_the_server_as_latin_1() -> None:
    (project,) = (project for project in PROJECTS if project.name == "path-item-parameters")
    with loopback() as server, project.toolset(credentials={}, base_url=server.url) as tools:
        arguments = {"orgId": "o", "memberId": "m", "X-Trace": "café"}
        result = asyncio.run(tools.call(tools.find("dropMember").name, arguments))
    assert result.outcome == "ok"
    assert [seen.headers["x-trace"] for seen in server.seen] == ["café"]
