"""Anthropic's Messages: what is sent, and what is made of the documented answers and events."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.providers import ASK, FOREIGN, KEY, WEATHER, after, ask, events, listen, sent
from toolmint.runtime import (
    AnthropicMessages,
    Assistant,
    CallDelta,
    ModelError,
    ModelRequest,
    ModelResponse,
    Observation,
    Raw,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolChoice,
    Usage,
    User,
)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        yield server


def model(server: Loopback, **settings: Any) -> AnthropicMessages:
    return AnthropicMessages("claude-test", api_key=KEY, base_url=server.url, **settings)


THINKING = {"type": "thinking", "thinking": "Two cities.", "signature": "EqQBCgIYAg=="}
REDACTED = {"type": "redacted_thinking", "data": "EmwKAhgB"}


def use(identity: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": "get_weather", "input": given}


CONTENT = [
    THINKING,
    REDACTED,
    {"type": "text", "text": "I look it up."},
    use("toolu_1", city="Paris"),
    use("toolu_2", city="Rome", unit="c"),
]


def answer(content: list[dict[str, Any]], stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test-1"}
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 5,
        "cache_read_input_tokens": 64,
        "output_tokens": 20,
    }
    ended = {"stop_reason": stop, "stop_sequence": None}
    return {**told, "content": content, **ended, "usage": usage, **more}


WHOLE = ModelResponse(
    message=Assistant(
        text="I look it up.",
        calls=(
            ToolCall("toolu_1", "get_weather", {"city": "Paris"}),
            ToolCall("toolu_2", "get_weather", {"city": "Rome", "unit": "c"}),
        ),
        raw=Raw("anthropic", tuple(CONTENT)),
    ),
    stop="calls",
    usage=Usage(input_tokens=79, output_tokens=20, cached_tokens=64),
    model="claude-test-1",
    response_id="msg_1",
)
OK = answer([{"type": "text", "text": "ok"}])


def test_a_request_and_its_answer(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(answer(CONTENT, "tool_use"))
    assert ask(model(server)) == WHOLE
    assert (server.seen[0].method, server.seen[0].target) == ("POST", "/v1/messages")
    headers = server.seen[0].headers
    assert (headers["x-api-key"], headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert "authorization" not in headers
    assert sent(server) == {
        "model": "claude-test",
        "max_tokens": 8192,
        "system": "Be brief.",
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "How is the weather in Paris and Rome?"}],
            }
        ],
        "tools": [
            {
                "name": "get_weather",
                "description": "Get the weather.",
                "strict": True,
                "input_schema": WEATHER.advertised_schema,
            }
        ],
    }


def test_blocks_go_back_as_they_came_and_results_in_one_message(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)
    request = after(WHOLE, "sunny", "no such city")
    late = ModelRequest(messages=(*request.messages[:2], User("Hurry."), *request.messages[2:]))
    for asked in (request, late):
        ask(model(server), asked)
        _, turn, results = sent(server)["messages"]
        assert turn == {"role": "assistant", "content": CONTENT}
        assert results["role"] == "user"
        assert results["content"][:2] == [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "sunny"},
            {
                "type": "tool_result",
                "tool_use_id": "toolu_2",
                "content": "no such city",
                "is_error": True,
            },
        ]
    assert results["content"][2:] == [{"type": "text", "text": "Hurry."}]


def test_another_providers_turn_is_built_anew(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)
    assert ask(model(server), FOREIGN).message.text == "ok"
    _, turn, results = sent(server)["messages"]
    assert turn["content"] == [
        {"type": "text", "text": "I look."},
        use("c1", city="Paris"),
        use("c2", INVALID_JSON='{"city": '),
    ]
    assert [block["type"] for block in results["content"]] == ["tool_result", "tool_result", "text"]


def test_empty_texts_are_not_sent(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)
    nothing = Assistant(raw=Raw("anthropic", ({"type": "text", "text": ""},)))
    ask(model(server), ModelRequest(messages=(User("a"), nothing, Assistant(), User("b"))))
    assert sent(server)["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    ]


@pytest.mark.parametrize(
    ("choice", "parallel", "told"),
    [
        (ToolChoice("auto"), True, None),
        (ToolChoice("auto"), False, {"type": "auto", "disable_parallel_tool_use": True}),
        (ToolChoice("none"), False, {"type": "none"}),
        (ToolChoice("required"), True, {"type": "any"}),
        (
            ToolChoice("required", "get_weather"),
            False,
            {"type": "tool", "name": "get_weather", "disable_parallel_tool_use": True},
        ),
    ],
)
def test_tool_choice(server: Loopback, choice: ToolChoice, parallel: bool, told: object) -> None:
    server.answer = lambda _: Answer.of(OK)
    request = ModelRequest(
        messages=(User("x"),),
        tools=(WEATHER,),
        tool_choice=choice,
        parallel_calls=parallel,
        max_output_tokens=9,
    )
    ask(model(server), request)
    assert sent(server).get("tool_choice") == told
    assert sent(server)["max_tokens"] == 9


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "paused"),
        ("whatever", "other"),
    ],
)
def test_how_a_turn_ends(server: Loopback, reason: str, stop: str) -> None:
    server.answer = lambda _: Answer.of(answer([{"type": "text", "text": "Hi"}], reason))
    response = ask(model(server))
    assert (response.message.text, response.stop) == ("Hi", stop)


def test_a_refusal(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(answer([{"type": "text", "text": "I can't."}], "refusal"))
    response = ask(model(server))
    assert (response.message.text, response.message.refusal) == ("", "I can't.")
    assert response.stop == "refusal"
    details = {"type": "refusal", "category": "cyber", "explanation": "Not that."}
    server.answer = lambda _: Answer.of(answer([], "refusal", stop_details=details))
    response = ask(model(server))
    assert (response.message.refusal, response.detail) == ("Not that.", "cyber")


def start(index: int, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def more(index: int, kind: str, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **delta}}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def stream(last_input: list[str], reason: str) -> list[dict[str, Any]]:
    first = answer([])
    first |= {"stop_reason": None, "usage": {**first["usage"], "output_tokens": 1}}
    return [
        {"type": "message_start", "message": first},
        start(0, {"type": "thinking", "thinking": "", "signature": ""}),
        {"type": "ping"},
        more(0, "thinking_delta", thinking="Two "),
        more(0, "thinking_delta", thinking="cities."),
        more(0, "signature_delta", signature="EqQBCgIYAg=="),
        stop(0),
        start(1, REDACTED),
        stop(1),
        start(2, {"type": "text", "text": ""}),
        more(2, "text_delta", text="I look "),
        more(2, "text_delta", text="it up."),
        stop(2),
        start(3, use("toolu_1")),
        more(3, "input_json_delta", partial_json=""),
        more(3, "input_json_delta", partial_json='{"city": "Pa'),
        more(3, "input_json_delta", partial_json='ris"}'),
        stop(3),
        start(4, use("toolu_2")),
        *(more(4, "input_json_delta", partial_json=text) for text in last_input),
        stop(4),
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"input_tokens": None, "output_tokens": 20},
        },
        {"type": "message_stop"},
    ]


def test_a_stream(server: Loopback) -> None:
    server.answer = lambda _: events(stream(['{"city":"Rome","unit":"c"}'], "tool_use"), named=True)
    pieces, whole = listen(model(server))
    assert sent(server)["stream"] is True
    assert pieces == [
        ReasoningDelta("Two "),
        ReasoningDelta("cities."),
        TextDelta("I look "),
        TextDelta("it up."),
        CallDelta(0, "toolu_1", "get_weather", ""),
        CallDelta(0, "toolu_1", "get_weather", '{"city": "Pa'),
        CallDelta(0, "toolu_1", "get_weather", 'ris"}'),
        CallDelta(1, "toolu_2", "get_weather", ""),
        CallDelta(1, "toolu_2", "get_weather", '{"city":"Rome","unit":"c"}'),
    ]
    assert whole == WHOLE


def test_an_input_that_was_cut_off_comes_raw_and_goes_back_as_an_object(server: Loopback) -> None:
    server.answer = lambda _: events(stream(['{"city": "Ro'], "max_tokens"), named=True)
    _, whole = listen(model(server))
    assert whole.stop == "length"
    assert whole.message.calls[1] == ToolCall("toolu_2", "get_weather", '{"city": "Ro')
    server.answer = lambda _: Answer.of(OK)
    ask(model(server), after(whole, "sunny", "not JSON"))
    assert sent(server)["messages"][1]["content"][4] == use("toolu_2", INVALID_JSON='{"city": "Ro')


def test_a_call_without_arguments(server: Loopback) -> None:
    server.answer = lambda _: events(stream([], "tool_use"), named=True)
    _, whole = listen(model(server))
    assert whole.message.calls[1] == ToolCall("toolu_2", "get_weather", {})


def test_an_error_inside_a_stream(server: Loopback) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    server.answer = lambda _: events([stream([], "tool_use")[0], error], named=True)
    with pytest.raises(ModelError, match="overloaded_error: Overloaded") as caught:
        listen(model(server))
    assert caught.value.kind == "overloaded"


def test_a_stream_that_ends_too_early(server: Loopback) -> None:
    server.answer = lambda _: events(stream([], "tool_use")[:-1])
    with pytest.raises(ModelError, match="the stream ended before the answer did"):
        listen(model(server))


ODD: list[object] = [{}, {"content": [{}]}, {"content": [{"type": "tool_use"}]}, {"content": None}]


@pytest.mark.parametrize("value", ODD)
def test_an_answer_of_another_form_is_an_error(server: Loopback, value: object) -> None:
    server.answer = lambda _: Answer.of(value)
    with pytest.raises(ModelError) as caught:
        ask(model(server))
    assert caught.value.kind == "malformed"


def test_a_refusal_can_be_answered(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)
    refused = Assistant(refusal="I can't.")
    told = Observation("x", "get_weather", "late")
    ask(model(server), ModelRequest(messages=(*ASK.messages, refused, told)))
    assert sent(server)["messages"][1]["content"] == [{"type": "text", "text": "I can't."}]
