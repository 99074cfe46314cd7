"""Every call of the case projects gives exactly the right request, through the generated package.

The cases stand for public bug reports of well-known tools; `calls.json` names them.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from email import message_from_bytes
from email.policy import HTTP
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
    differing = {name: headers.get(name) for name in wanted if not fits(headers, name, wanted)}
    assert differing == {}
    assert [name for name in expect["headers_absent"] if name.lower() in headers] == []
    assert_body(request.body, expect["body"], headers.get("content-type", ""))


def fits(headers: Mapping[str, str], name: str, wanted: Mapping[str, str]) -> bool:
    """The header is as wanted, where `<any>` stands for some characters."""
    pattern = re.escape(wanted[name]).replace("<any>", ".+")
    return re.fullmatch(pattern, headers.get(name, "")) is not None


def refusal(error: ToolError) -> str:
    """What the cases call an outcome."""
    if error.outcome == "denied":
        return "missing_credentials"
    assert error.outcome == "invalid_arguments"
    (argument,) = {detail["argument"] for detail in error.details if isinstance(detail, dict)}
    return f"invalid_argument:{argument}"


def assert_body(body: bytes | None, expect: dict[str, Any] | None, media_type: str) -> None:
    if expect is None:
        assert body is None
    elif "json" in expect:
        assert body is not None
        assert json.loads(body) == expect["json"]
    elif "parts" in expect:
        assert body is not None
        assert_parts(body, media_type, expect["parts"])
    elif "raw_hex" in expect:
        assert body is not None
        assert body.hex() == expect["raw_hex"]
    else:
        assert body == expect["raw"].encode()


def assert_parts(body: bytes, media_type: str, expect: list[dict[str, Any]]) -> None:
    """The parts as the standard library's MIME reader sees them."""
    head = f"Content-Type: {media_type}\r\n\r\n".encode()
    message = message_from_bytes(head + body, policy=HTTP)
    for part, wanted in zip(message.iter_parts(), expect, strict=True):
        assert part.get_param("name", header="content-disposition") == wanted["name"]
        assert part.get_filename() == wanted["filename"]
        declared = part["content-type"]
        assert (None if declared is None else part.get_content_type()) in wanted["content_type"]
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        if "json" in wanted:
            assert json.loads(data) == wanted["json"]
        else:
            assert data == wanted["data"].encode()


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
