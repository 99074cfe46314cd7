"""What a loop and a model say to each other: frozen, and JSON both ways."""

import json
import re
from dataclasses import FrozenInstanceError

import pytest

from toolmint.runtime.agent.conversation import (
    Assistant,
    CallDelta,
    ModelRequest,
    ModelResponse,
    Observation,
    Part,
    Raw,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    ToolChoice,
    ToolSpec,
    Usage,
    User,
)
from toolmint.runtime.agent.conversation_data import from_data, to_data
from toolmint.runtime.operation import Effects

THINKING = {"type": "thinking", "thinking": "", "signature": "EqQB="}
TURN = Assistant(
    text="I look it up.",
    calls=(ToolCall("c1", "get_pet", {"id": 7, "tag": None}), ToolCall("c2", "x", '{"id": ')),
    raw=Raw("anthropic", (THINKING, {"type": "text", "text": "I look it up."})),
)
REQUEST = ModelRequest(
    messages=(User("Which pet?"), TURN, Observation("c1", "get_pet", '{"id":7}', failed=True)),
    tools=(ToolSpec("get_pet", "Get a pet.", {"type": "object"}, Effects(read_only=True)),),
    instructions="Be brief.",
    tool_choice=ToolChoice("required", "get_pet"),
    parallel_calls=False,
    max_output_tokens=100,
)


@pytest.mark.parametrize(
    "part",
    [
        REQUEST,
        ModelRequest(messages=()),
        ModelResponse(
            message=Assistant(refusal="No."),
            stop="refusal",
            usage=Usage(input_tokens=3, output_tokens=2, cached_tokens=1, reasoning_tokens=1),
            model="m-1",
            response_id="r",
        ),
        TextDelta("a"),
        ReasoningDelta("b"),
        RefusalDelta("c"),
        CallDelta(0, "c1", "get_pet", '{"i'),
        ToolChoice(),
    ],
)
def test_everything_survives_json(part: Part) -> None:
    assert from_data(json.loads(json.dumps(to_data(part)))) == part


def test_stored_data_is_plain_and_leaves_out_what_is_at_rest() -> None:
    assert to_data(ModelRequest(messages=(User("hi"), Observation("c", "t", "ok")))) == {
        "kind": "request",
        "messages": [
            {"kind": "user", "text": "hi"},
            {"kind": "observation", "call_id": "c", "name": "t", "text": "ok"},
        ],
    }


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "the value: must be an object with a kind"),
        ({"kind": "os.system"}, "/kind: 'os.system' is no kind of message, request or response"),
        ({"kind": ["user"]}, "/kind: ['user'] is no kind of message, request or response"),
        ({"kind": "user"}, "the value: User.__init__() missing 1 required positional argument"),
        ({"kind": "user", "text": 1}, "/text: int does not belong here"),
        ({"kind": "user", "text": "a", "role": "system"}, "/role: user has no such field"),
        (
            {"kind": "request", "messages": [{"kind": "call", "id": "1"}]},
            "/messages/0: dict does not belong here",
        ),
        (
            {"kind": "observation", "call_id": "1", "name": "t", "text": "x", "failed": 1},
            "/failed: int does not belong here",
        ),
        (
            {"kind": "response", "message": {"kind": "assistant"}, "stop": "whenever"},
            "/stop: str does not belong here",
        ),
        ({"kind": "tool_choice", "mode": "auto", "function": "x"}, "a tool is named, but the mode"),
    ],
)
def test_what_was_not_stored_by_us_is_refused_with_its_place(data: object, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        from_data(data)


def test_messages_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        User("a").text = "b"  # type: ignore[misc]


def test_usage_adds_up() -> None:
    one = Usage(input_tokens=10, output_tokens=4, cached_tokens=3, reasoning_tokens=2)
    assert one + one == Usage(input_tokens=20, output_tokens=8, cached_tokens=6, reasoning_tokens=4)
    assert one.total_tokens == 14


@pytest.mark.parametrize(
    ("value", "choice"),
    [
        (None, ToolChoice("auto")),
        ("auto", ToolChoice("auto")),
        ("required", ToolChoice("required")),
        ("none", ToolChoice("none")),
        ({"mode": "none"}, ToolChoice("none")),
        ({"mode": "required"}, ToolChoice("required")),
        ({"mode": "required", "required_function_name": "x"}, ToolChoice("required", "x")),
        (ToolChoice("required", "x"), ToolChoice("required", "x")),
    ],
)
def test_tool_choice_has_one_parser(value: object, choice: ToolChoice) -> None:
    assert ToolChoice.parse(value) == choice


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("any", "got 'any'"),
        ({}, "got None"),
        ({"mode": ["auto"]}, "got \\['auto'\\]"),
        ({"mode": "auto", "required_function_name": "x"}, 'goes with mode "required" only'),
        ({"mode": "required", "required_function_name": ""}, "is a tool's name"),
        ({"mode": "required", "required_function_name": 3}, "is a tool's name"),
        ({"mode": "required", "name": "x"}, "unknown key 'name'"),
        (3, "not int"),
    ],
)
def test_tool_choice_errors_say_what_it_takes(value: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ToolChoice.parse(value)


def test_a_forced_tool_must_be_there() -> None:
    choice = ToolChoice("required", "get_pet")
    assert choice.named(frozenset({"get_pet"})) is choice
    with pytest.raises(ValueError, match="requires 'get_pet', which is no tool here"):
        choice.named(frozenset({"get_pets"}))
