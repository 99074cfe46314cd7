"""Chat Completions: what is sent, and what is made of the documented answers."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.providers import ASK, FOREIGN, KEY, WEATHER, after, ask, events, listen, sent
from toolmint.runtime import (
    Assistant,
    CallDelta,
    ModelError,
    ModelRequest,
    ModelResponse,
    OpenAIChat,
    Raw,
    ReasoningDelta,
    RefusalDelta,
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


def model(server: Loopback, **settings: Any) -> OpenAIChat:
    return OpenAIChat("gpt-test", api_key=KEY, base_url=f"{server.url}/v1/", **settings)


def call(identity: str, arguments: str) -> dict[str, Any]:
    function = {"name": "get_weather", "arguments": arguments}
    return {"id": identity, "type": "function", "function": function}


CALLS = {
    "role": "assistant",
    "content": None,
    "refusal": None,
    "annotations": [],
    "reasoning_content": "Two cities.",
    "tool_calls": [
        call("call_1", '{"city":"Paris","unit":null}'),
        call("call_2", '{"city": "Rome", "un'),
    ],
}
COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-test-2026",
    "choices": [{"index": 0, "message": CALLS, "logprobs": None, "finish_reason": "tool_calls"}],
    "usage": {
        "prompt_tokens": 80,
        "completion_tokens": 20,
        "total_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 8},
    },
}


def completion(message: dict[str, Any], finish: str) -> dict[str, Any]:
    told = {"role": "assistant", **message}
    return {"id": "c", "model": "m", "choices": [{"message": told, "finish_reason": finish}]}


def test_a_request_has_the_documented_form(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(COMPLETION)
    ask(model(server))
    assert (server.seen[0].method, server.seen[0].target) == ("POST", "/v1/chat/completions")
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert sent(server) == {
        "model": "gpt-test",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "How is the weather in Paris and Rome?"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "get_weather",
                    "description": "Get the weather.",
                    "parameters": {
                        "type": "object",
                        "properties": {
                            "city": {"type": "string"},
                            "unit": {"type": ["string", "null"], "enum": ["c", "f", None]},
                        },
                        "required": ["city", "unit"],
                        "additionalProperties": False,
                    },
                    "strict": True,
                },
            }
        ],
    }


def test_parallel_calls_usage_and_broken_arguments(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(COMPLETION)
    assert ask(model(server)) == ModelResponse(
        message=Assistant(
            calls=(
                ToolCall("call_1", "get_weather", {"city": "Paris"}),
                ToolCall("call_2", "get_weather", '{"city": "Rome", "un'),
            ),
            raw=Raw("openai-chat", (CALLS,)),
        ),
        stop="calls",
        usage=Usage(input_tokens=80, output_tokens=20, cached_tokens=64, reasoning_tokens=8),
        model="gpt-test-2026",
        response_id="chatcmpl-1",
    )


def test_a_turn_goes_back_as_it_came(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(COMPLETION)
    response = ask(model(server))
    ask(model(server), after(response, "sunny", "not JSON"))
    assert sent(server)["messages"][1:] == [
        CALLS,
        {"role": "tool", "tool_call_id": "call_1", "content": "sunny"},
        {"role": "tool", "tool_call_id": "call_2", "content": "not JSON"},
    ]


def test_another_providers_turn_is_built_anew(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(completion({"content": "ok"}, "stop"))
    assert ask(model(server), FOREIGN).message.text == "ok"
    assert sent(server)["messages"][1] == {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [call("c1", '{"city":"Paris"}'), call("c2", '{"city": ')],
    }


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (ToolChoice("auto"), {}),
        (ToolChoice("none"), {"tool_choice": "none"}),
        (ToolChoice("required"), {"tool_choice": "required"}),
        (
            ToolChoice("required", "get_weather"),
            {"tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
        ),
    ],
)
def test_tool_choice(server: Loopback, choice: ToolChoice, told: dict[str, Any]) -> None:
    server.answer = lambda _: Answer.of(completion({"content": "ok"}, "stop"))
    request = ModelRequest(
        messages=(User("x"),), tools=(WEATHER,), tool_choice=choice, parallel_calls=False
    )
    ask(model(server, strict=False, options={"temperature": 0}), request)
    body = sent(server)
    assert body["tools"][0]["function"]["strict"] is False
    assert {key: body[key] for key in body if key not in ("model", "messages", "tools")} == {
        **told,
        "parallel_tool_calls": False,
        "temperature": 0,
    }


def test_a_choice_that_cannot_be_is_refused_before_anything_is_sent(server: Loopback) -> None:
    for choice in (ToolChoice("required"), ToolChoice("required", "x")):
        with pytest.raises(ValueError, match="tool_choice requires"):
            ask(model(server), ModelRequest(messages=(User("x"),), tool_choice=choice))
    assert server.seen == []


@pytest.mark.parametrize(
    ("message", "finish", "text", "refusal", "stop"),
    [
        ({"content": "Hi."}, "stop", "Hi.", None, "end"),
        ({"content": "Hi"}, "length", "Hi", None, "length"),
        ({"content": None}, "content_filter", "", None, "filtered"),
        ({"content": None, "refusal": "No."}, "stop", "", "No.", "refusal"),
        ({"content": [{"type": "text", "text": "Hi"}]}, "stop", "Hi", None, "end"),
        ({"content": "Hi"}, "eos", "Hi", None, "other"),
    ],
)
def test_how_a_turn_ends(
    server: Loopback,
    message: dict[str, Any],
    finish: str,
    text: str,
    refusal: str | None,
    stop: str,
) -> None:
    server.answer = lambda _: Answer.of(completion(message, finish))
    response = ask(model(server))
    said = response.message
    assert (said.text, said.refusal, response.stop) == (text, refusal, stop)


def test_a_call_without_an_id_gets_one_that_goes_back(server: Loopback) -> None:
    bare = {"type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    server.answer = lambda _: Answer.of(completion({"tool_calls": [bare, bare]}, "stop"))
    response = ask(model(server))
    assert [each.id for each in response.message.calls] == ["call_1_0", "call_1_1"]
    assert response.stop == "calls"
    ask(model(server), after(response, "a", "b"))
    assert [each["id"] for each in sent(server)["messages"][1]["tool_calls"]] == [
        "call_1_0",
        "call_1_1",
    ]


def test_a_second_call_of_one_id_gets_its_own_that_goes_back(server: Loopback) -> None:
    same = {"id": "x", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    server.answer = lambda _: Answer.of(completion({"tool_calls": [same, same]}, "tool_calls"))
    response = ask(model(server))
    assert [each.id for each in response.message.calls] == ["x", "call_1_1"]
    ask(model(server), after(response, "a", "b"))
    assert [each["id"] for each in sent(server)["messages"][1]["tool_calls"]] == ["x", "call_1_1"]


def test_the_limit_of_tokens_has_two_names(
    server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenAIChat, "home", f"{server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.answer = lambda _: Answer.of(completion({"content": "ok"}, "stop"))
    request = ModelRequest(messages=(User("x"),), max_output_tokens=5)
    ask(OpenAIChat("m"), request)
    assert sent(server)["max_completion_tokens"] == 5
    ask(model(server), request)
    assert sent(server)["max_tokens"] == 5


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {"id": "chatcmpl-2", "model": "gpt-test-2026", "choices": [choice], "usage": None}


def piece(index: int, arguments: str, **first: Any) -> dict[str, Any]:
    function: dict[str, Any] = {"arguments": arguments}
    if first:
        function["name"] = "get_weather"
        first["type"] = "function"
    return {"index": index, **first, "function": function}


def test_a_stream_of_text_and_calls(server: Loopback) -> None:
    server.answer = lambda _: events(
        [
            chunk({"role": "assistant", "content": None, "refusal": None}),
            chunk({"reasoning_content": "Hm, "}),
            chunk({"reasoning_content": "ok."}),
            chunk({"content": "Größe "}),
            chunk({"content": "😀"}),
            chunk({"tool_calls": [piece(0, "", id="call_1")]}),
            chunk({"tool_calls": [piece(0, '{"city":'), piece(1, "", id="call_2")]}),
            chunk({"tool_calls": [piece(0, '"Paris","unit":null}')]}),
            chunk({"tool_calls": [piece(1, '{"city')]}),
            chunk({}, "tool_calls"),
            {"id": "chatcmpl-2", "choices": [], "usage": COMPLETION["usage"]},
            "[DONE]",
        ]
    )
    pieces, whole = listen(model(server))
    assert sent(server)["stream"] is True
    assert sent(server)["stream_options"] == {"include_usage": True}
    assert pieces == [
        ReasoningDelta("Hm, "),
        ReasoningDelta("ok."),
        TextDelta("Größe "),
        TextDelta("😀"),
        CallDelta(0, "call_1", "get_weather", ""),
        CallDelta(0, "call_1", "get_weather", '{"city":'),
        CallDelta(1, "call_2", "get_weather", ""),
        CallDelta(0, "call_1", "get_weather", '"Paris","unit":null}'),
        CallDelta(1, "call_2", "get_weather", '{"city'),
    ]
    assert whole == ModelResponse(
        message=Assistant(
            text="Größe 😀",
            calls=(
                ToolCall("call_1", "get_weather", {"city": "Paris"}),
                ToolCall("call_2", "get_weather", '{"city'),
            ),
            raw=Raw(
                "openai-chat",
                (
                    {
                        "role": "assistant",
                        "content": "Größe 😀",
                        "reasoning_content": "Hm, ok.",
                        "tool_calls": [
                            call("call_1", '{"city":"Paris","unit":null}'),
                            call("call_2", '{"city'),
                        ],
                    },
                ),
            ),
        ),
        stop="calls",
        usage=Usage(input_tokens=80, output_tokens=20, cached_tokens=64, reasoning_tokens=8),
        model="gpt-test-2026",
        response_id="chatcmpl-2",
    )


def test_a_stream_of_a_refusal(server: Loopback) -> None:
    server.answer = lambda _: events(
        [chunk({"refusal": "I "}), chunk({"refusal": "can't."}), chunk({}, "stop"), "[DONE]"]
    )
    pieces, whole = listen(model(server))
    assert pieces == [RefusalDelta("I "), RefusalDelta("can't.")]
    assert (whole.message.refusal, whole.stop) == ("I can't.", "refusal")


def test_servers_that_send_whole_calls_without_an_index(server: Loopback) -> None:
    signed = {**call("a", "{}"), "extra_content": {"google": {"thought_signature": "c2ln"}}}
    server.answer = lambda _: events(
        [chunk({"tool_calls": [signed, call("b", '{"city":"Rome"}')]}, "stop"), "[DONE]"]
    )
    _, whole = listen(model(server))
    assert whole.message.calls == (
        ToolCall("a", "get_weather", {}),
        ToolCall("b", "get_weather", {"city": "Rome"}),
    )
    assert whole.message.raw is not None
    assert whole.message.raw.items[0]["tool_calls"][0] == signed


@pytest.mark.parametrize("others", ["", "another"])
def test_servers_that_give_every_call_the_same_index(server: Loopback, others: str) -> None:
    """Others make up another id for each piece of one call: only a name begins a call."""
    more = {"index": 0, "id": others, "function": {"arguments": '"Rome"}'}}
    first = [piece(0, '{"city":"Paris"}', id="a"), piece(0, '{"city":', id="b"), more]
    server.answer = lambda _: events(
        [*(chunk({"tool_calls": [one]}) for one in first), chunk({}, "tool_calls"), "[DONE]"]
    )
    _, whole = listen(model(server))
    assert whole.message.calls == (
        ToolCall("a", "get_weather", {"city": "Paris"}),
        ToolCall(others or "b", "get_weather", {"city": "Rome"}),
    )


def test_an_error_inside_a_stream(server: Loopback) -> None:
    error = {"error": {"message": "Too much.", "type": "server_error", "code": None}}
    server.answer = lambda _: events([chunk({"content": "a"}), error])
    with pytest.raises(ModelError, match="openai-chat: server_error: Too much") as caught:
        listen(model(server))
    assert caught.value.kind == "server"


@pytest.mark.parametrize("torn", [True, False])
def test_a_stream_that_ends_too_early(server: Loopback, torn: bool) -> None:
    server.answer = lambda _: replace(events([chunk({"content": "a"})]), torn=torn)
    with pytest.raises(ModelError) as caught:
        listen(model(server), ASK)
    assert caught.value.kind == "connection"
    assert len(server.seen) == 1  # what was shown is not asked for again


NOTHING: list[object] = []
ODD: list[object] = [{}, {"choices": []}, {"choices": [{}]}, NOTHING]
EMPTY_CALL: dict[str, Any] = {"message": {"tool_calls": [{}]}}
ODD.append({"choices": [EMPTY_CALL]})


@pytest.mark.parametrize("answer", ODD)
def test_an_answer_of_another_form_is_an_error(server: Loopback, answer: object) -> None:
    server.answer = lambda _: Answer.of(answer)
    with pytest.raises(ModelError) as caught:
        ask(model(server))
    assert caught.value.kind == "malformed"
