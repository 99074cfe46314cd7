"""The scripted model says its turns in order and remembers what it was asked."""

import asyncio
from itertools import repeat

import pytest

from toolmint.runtime import (
    Assistant,
    CallDelta,
    Model,
    ModelError,
    ModelRequest,
    ModelResponse,
    ScriptedModel,
    TextDelta,
    ToolCall,
    Usage,
    User,
)
from toolmint.runtime.models.scripted import Turn

REQUEST = ModelRequest(messages=(User("hi"),))


def said(*turns: Turn) -> list[Assistant]:
    model = ScriptedModel(turns)

    async def run() -> list[Assistant]:
        return [(await model.respond(REQUEST)).message for _ in turns]

    return asyncio.run(run())


def test_turns_are_data() -> None:
    call = ToolCall("c", "t", {"a": 1})
    assert said(
        "hello",
        call,
        [call, call],
        [{"name": "t", "arguments": '{"a'}, {"id": "x", "name": "u"}],
        {"text": "I look.", "calls": [{"name": "t", "arguments": {}}]},
        {"refusal": "No."},
        Assistant(text="as it is"),
    ) == [
        Assistant(text="hello"),
        Assistant(calls=(call,)),
        Assistant(calls=(call, call)),
        Assistant(calls=(ToolCall("call_4_0", "t", '{"a'), ToolCall("x", "u", {}))),
        Assistant(text="I look.", calls=(ToolCall("call_5_0", "t", {}),)),
        Assistant(refusal="No."),
        Assistant(text="as it is"),
    ]


def test_a_turn_may_be_a_function_of_the_request() -> None:
    async def later(request: ModelRequest) -> str:
        await asyncio.sleep(0)
        return f"{len(request.messages)} later"

    assert said(lambda request: f"{len(request.messages)} now", later) == [
        Assistant(text="1 now"),
        Assistant(text="1 later"),
    ]


def test_how_a_turn_ends_and_what_it_costs() -> None:
    model = ScriptedModel(
        ["abc", [{"name": "t"}], {"refusal": "No.", "usage": {"input_tokens": 7}}]
    )

    async def run() -> list[ModelResponse]:
        return [await model.respond(REQUEST) for _ in range(3)]

    responses = asyncio.run(run())
    assert [response.stop for response in responses] == ["end", "calls", "refusal"]
    assert [response.usage for response in responses] == [
        Usage(output_tokens=7),
        Usage(output_tokens=6),
        Usage(input_tokens=7),
    ]
    assert model.requests == [REQUEST] * 3
    assert isinstance(model, Model)


def test_an_error_is_raised_and_a_script_ends() -> None:
    model = ScriptedModel([ModelError("busy", kind="overloaded", provider="test")])
    with pytest.raises(ModelError, match="test: busy"):
        asyncio.run(model.respond(REQUEST))
    with pytest.raises(RuntimeError, match="the script has no turn 2"):
        asyncio.run(model.respond(REQUEST))


def test_a_script_may_be_endless() -> None:
    model = ScriptedModel(repeat("again"))

    async def run() -> list[str]:
        return [(await model.respond(REQUEST)).message.text for _ in range(50)]

    assert asyncio.run(run()) == ["again"] * 50


@pytest.mark.parametrize("turn", [3, {"txt": "a"}])
def test_what_is_no_turn_is_refused(turn: object) -> None:
    with pytest.raises(TypeError, match="a turn of a script"):
        said(turn)  # type: ignore[arg-type]


def test_it_streams_word_by_word() -> None:
    model = ScriptedModel([{"text": "a bc\n d", "calls": [{"name": "t", "arguments": {"x": 1}}]}])

    async def run() -> list[object]:
        return [piece async for piece in model.stream(REQUEST)]

    *pieces, whole = asyncio.run(run())
    assert pieces == [
        TextDelta("a "),
        TextDelta("bc\n"),
        TextDelta(" "),
        TextDelta("d"),
        CallDelta(0, "call_1_0", "t", '{"x":1}'),
    ]
    assert isinstance(whole, ModelResponse)
    assert whole.message.text == "a bc\n d"
