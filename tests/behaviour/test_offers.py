"""A model is told of `_fields` and `_page`, calls with them, and gets parts and pages."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.behaviour.edge import edge
from tests.behaviour.generated import generated
from tests.behaviour.graphql_packages import tracker_package
from tests.behaviour.loopback import Answer, Seen, loopback
from tests.behaviour.packages.petstore_tools import Petstore
from tests.behaviour.providers import KEY, sent
from toolmint.runtime import Agent, AnthropicMessages, OpenAIChat, RunResult, Toolset
from toolmint.runtime.shown.ours import SCHEMAS

DESCRIPTION = """
    paths:
      /issues:
        get:
          operationId: list_issues
          parameters:
            - {name: page, in: query, schema: {type: integer, minimum: 1}}
            - {name: per_page, in: query, schema: {type: integer}}
          responses:
            "200":
              description: Some.
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/Issue"}}
      /issues/{id}:
        get:
          operationId: get_issue
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200":
              description: It.
              content: {application/json: {schema: {$ref: "#/components/schemas/Issue"}}}
        delete:
          operationId: delete_issue
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"204": {description: Gone.}}
    components:
      schemas:
        Issue:
          type: object
          properties:
            id: {type: integer}
            user: {type: object, properties: {login: {type: string}, mail: {type: string}}}
"""


def issues(seen: Seen) -> Answer:
    """Five issues, by pages."""
    asked = parse_qs(urlsplit(seen.target).query)
    page, size = int(asked.get("page", ["1"])[0]), int(asked["per_page"][0])
    numbers = range(1, 6)[(page - 1) * size : page * size]
    return Answer.of([{"id": n, "user": {"login": f"u{n}", "mail": "x"}} for n in numbers])


def test_a_generated_package_says_what_each_tool_offers(tmp_path: Path) -> None:
    toolset = generated(tmp_path, DESCRIPTION, package="offering_tools")(credentials={})
    assert {tool.name: tool.offers for tool in toolset} == {
        "delete_issue": (),
        "get_issue": ("_fields",),
        "list_issues": ("_fields", "_page"),
    }
    assert toolset["list_issues"].advertised_schema == {
        "type": "object",
        "properties": {
            "page": {"type": "integer", "minimum": 1},
            "per_page": {"type": "integer"},
            **SCHEMAS,
        },
        "additionalProperties": False,
    }
    assert list(toolset["list_issues"].input_schema["properties"]) == ["page", "per_page"]
    assert toolset["delete_issue"].advertised_schema == toolset["delete_issue"].input_schema


def test_a_graphql_package_says_so_too(tmp_path: Path) -> None:
    tools = tracker_package(tmp_path, "offering_graphql_tools")(credentials={})
    assert tools["issues"].offers == ("_fields", "_page")
    assert tools["issue"].offers == ("_fields",)
    document = tools.graphql("query Mine($id: ID!) { issue(id: $id) { title } }")["mine"]
    assert (document.offers, document.advertised_schema) == ((), document.input_schema)


def test_a_package_from_before_that_was_said_works_as_it_did() -> None:
    tool = Petstore(credentials={})["health"]
    assert (tool.offers, tool.advertised_schema) == ((), tool.input_schema)
    with edge() as at:
        at.server.answer = lambda _: Answer.of({"open": True, "since": 9})
        assert at.call(at.petstore(), "health", {"_fields": ["open"]}).data == {"open": True}


# ── through a model ─────────────────────────────────────────────────────────────────


def told(result: RunResult) -> list[Any]:
    """The data of each observation, as the model was shown it."""
    texts = [str(getattr(one, "text", "")) for one in result.messages]
    return [json.loads(text.split("\n")[2]) for text in texts if "</untrusted-data>" in text]


def after(seen: Seen) -> str:
    """What the last result said to go on by."""
    found = re.search(r'\\"after\\": \\"([^"\\]+)\\"', seen.body.decode())
    assert found is not None
    return found[1]


def chat_turn(arguments: dict[str, Any] | None) -> Answer:
    """A turn of Chat Completions: one call, or the end."""
    function = {"name": "list_issues", "arguments": json.dumps(arguments)}
    call = {"id": "c", "type": "function", "function": function}
    message: dict[str, Any] = {"tool_calls": [call]} if arguments else {"content": "Done."}
    choice = {"message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return Answer.of({"id": "1", "model": "m", "choices": [choice]})


def test_a_strict_model_sends_nulls_for_what_it_does_not_ask(tmp_path: Path) -> None:
    made = generated(tmp_path, DESCRIPTION, package="offering_openai_tools")
    with loopback() as service, loopback() as provider:
        service.answer = issues

        def turn(seen: Seen) -> Answer:
            usual: dict[str, Any] = {"page": None, "per_page": 2}
            match len(provider.seen):
                case 1:
                    more = {"after": None, "pages": 2}
                    return chat_turn({**usual, "_fields": ["user.login"], "_page": more})
                case 2:
                    rest = {"after": after(seen), "pages": None}
                    return chat_turn({**usual, "_fields": None, "_page": rest})
                case _:
                    return chat_turn(None)

        provider.answer = turn
        result = run(
            made(credentials={}, base_url=service.url),
            OpenAIChat("m", api_key=KEY, base_url=provider.url),
        )
    function = sent(provider, 0)["tools"][2]["function"]
    assert (function["name"], function["strict"]) == ("list_issues", True)
    assert function["parameters"]["required"] == ["page", "per_page", "_fields", "_page"]
    assert told(result) == [
        [{"user": {"login": f"u{n}"}} for n in (1, 2, 3, 4)],
        [{"id": 5, "user": {"login": "u5", "mail": "x"}}],
    ]
    assert [seen.target for seen in service.seen] == [
        "/issues?per_page=2",
        "/issues?page=2&per_page=2",
        "/issues?page=3&per_page=2",
    ]


def test_a_model_that_may_leave_things_out_walks_pages(tmp_path: Path) -> None:
    made = generated(tmp_path, DESCRIPTION, package="offering_anthropic_tools")
    with loopback() as service, loopback() as provider:
        service.answer = issues

        def turn(seen: Seen) -> Answer:
            asked: dict[str, Any] = {"per_page": 3, "_fields": ["id"]}
            match len(provider.seen):
                case 1:
                    return messages_turn(asked)
                case 2:
                    return messages_turn({**asked, "_page": {"after": after(seen)}})
                case _:
                    return messages_turn(None)

        provider.answer = turn
        result = run(
            made(credentials={}, base_url=service.url),
            AnthropicMessages("m", api_key=KEY, base_url=provider.url),
        )
    tool = sent(provider, 0)["tools"][2]
    assert (tool["name"], tool["strict"]) == ("list_issues", True)
    assert list(tool["input_schema"]["properties"]) == ["page", "per_page", "_fields", "_page"]
    assert told(result) == [[{"id": 1}, {"id": 2}, {"id": 3}], [{"id": 4}, {"id": 5}]]
    assert [seen.target for seen in service.seen] == [
        "/issues?per_page=3",
        "/issues?page=2&per_page=3",
    ]


def messages_turn(arguments: dict[str, Any] | None) -> Answer:
    """A turn of Messages: one call, or the end."""
    call = {"type": "tool_use", "id": "c", "name": "list_issues", "input": arguments}
    content = [{"type": "text", "text": "Done."} if arguments is None else call]
    usage = {"input_tokens": 1, "output_tokens": 1}
    told = {"id": "1", "model": "m", "role": "assistant", "content": content, "usage": usage}
    return Answer.of({**told, "stop_reason": "end_turn" if arguments is None else "tool_use"})


def run(toolset: Toolset, model: OpenAIChat | AnthropicMessages) -> RunResult:
    """A whole run against servers of this machine."""

    async def main() -> RunResult:
        try:
            async with toolset:
                return await Agent(model, toolset).run("Which issues are there?")
        finally:
            await model.aclose()

    return asyncio.run(main())
