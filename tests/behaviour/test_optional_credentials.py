"""Parameters that are credentials by their name: each is sent where it is given, none is asked for."""

from itertools import chain, combinations
from pathlib import Path

import pytest

from tests.behaviour.generated import generated
from toolmint.runtime import ToolError, Toolset

API = """
    servers: [{url: https://api.example}]
    security: [{main: []}, {other: []}]
    components:
      securitySchemes:
        main: {type: http, scheme: bearer}
        other: {type: apiKey, in: header, name: X-Other}
    paths:
      /x:
        parameters:
          - {name: api_key, in: query, schema: {type: string}}
          - {name: X-Auth-Token, in: header, schema: {type: string}}
          - {name: session_token, in: cookie, schema: {type: string}}
        get: {operationId: getX, responses: {'200': {description: ok}}}
        put: {operationId: putX, security: [], responses: {'200': {description: ok}}}
      /y: {get: {operationId: getY, responses: {'200': {description: ok}}}}
"""
OPTIONAL = ("api_key", "X-Auth-Token", "session_token")
SENT: dict[str, tuple[str, dict[str, str]]] = {
    "api_key": ("?api_key=a", {}),
    "X-Auth-Token": ("", {"X-Auth-Token": "b"}),
    "session_token": ("", {"Cookie": "session_token=c"}),
}
VALUES = {"api_key": "a", "X-Auth-Token": "b", "session_token": "c"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    return generated(tmp_path_factory.mktemp("optional"), API, package="optional_tools")


def subsets() -> list[tuple[str, ...]]:
    return list(chain.from_iterable(combinations(OPTIONAL, many) for many in range(4)))


@pytest.mark.parametrize("given", subsets())
def test_any_subset_that_is_given_is_sent(made: type[Toolset], given: tuple[str, ...]) -> None:
    tools = made(credentials={"other": "o", **{name: VALUES[name] for name in given}})
    request = tools.prepare("get_x", {})
    headers = {"X-Other": "o"}
    for name in given:
        headers |= SENT[name][1]
    assert request.url == "https://api.example/x" + "".join(SENT[name][0] for name in given)
    assert {name: request.headers[name] for name in headers} == headers
    assert {*request.headers} == {*headers, "Accept", "User-Agent"}


def test_only_what_is_really_missing_is_named(made: type[Toolset]) -> None:
    with pytest.raises(ToolError) as caught:
        made(credentials={"api_key": "a"}).prepare("get_x", {})
    assert (caught.value.outcome, caught.value.details) == ("denied", ("main", "other"))
    assert str(caught.value) == (
        "get_x: missing credentials: main (HTTP bearer), or other (API key in a header)"
    )


def test_they_go_along_where_nothing_is_asked_for(made: type[Toolset]) -> None:
    tools = made(credentials=VALUES)
    assert tools.prepare("put_x", {}).url == "https://api.example/x?api_key=a"
    assert made(credentials={}).prepare("put_x", {}).url == "https://api.example/x"


def test_an_operation_without_the_parameter_does_not_send_it(made: type[Toolset]) -> None:
    request = made(credentials={"main": "m", **VALUES}).prepare("get_y", {})
    assert request.url == "https://api.example/y"
    assert {*request.headers} == {"Accept", "User-Agent", "Authorization"}


def test_a_tool_says_which_they_are(made: type[Toolset]) -> None:
    tool = made(credentials={})["get_x"]
    assert tool.security == [{"main": []}, {"other": []}]
    assert tuple(tool.optional_credentials) == OPTIONAL
    assert made(credentials={})["get_y"].optional_credentials == ()


def test_the_package_prints_them_apart(tmp_path: Path) -> None:
    generated(tmp_path, API, package="printed_tools")
    assert """
        security=[],
        optional_credentials=("api_key", "X-Auth-Token", "session_token"),
""" in (tmp_path / "printed_tools" / "default.py").read_text()
    readme = (tmp_path / "printed_tools" / "README.md").read_text()
    assert "`main` or `other`; optional: `api_key`, `X-Auth-Token`, `session_token` |" in readme
