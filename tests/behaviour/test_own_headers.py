"""What the runtime says of itself gives way to what a caller says."""

from pathlib import Path
from typing import Any

from tests.behaviour.generated import generated

API = """
    servers: [{url: https://api.example}]
    paths:
      /x:
        get:
          operationId: getX
          parameters: [{name: user-agent, in: header, schema: {type: string}}]
          responses: {'200': {description: ok}}
"""


def test_a_user_agent_among_the_arguments_is_the_only_one(tmp_path: Path) -> None:
    tools = generated(tmp_path, API, package="agent_tools")(credentials={})
    assert tools.prepare("get_x", {"user-agent": "mine/1"}).headers == {
        "Accept": "*/*",
        "user-agent": "mine/1",
    }
    assert tools.prepare("get_x", {}).headers["User-Agent"].endswith(" agent_tools")


def test_a_call_shows_names_that_are_no_words_as_texts(tmp_path: Path) -> None:
    tools = generated(tmp_path, API, package="shown_tools")(credentials={})
    group: Any = tools
    call = group.default.get_x(user_agent="mine/1")
    assert repr(call) == "Call(get_x: 'user-agent'='mine/1')"
