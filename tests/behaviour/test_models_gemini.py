"""Gemini's generateContent: what is sent, and what is made of the documented answers."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.providers import FOREIGN, KEY, WEATHER, after, ask, events, listen, sent
from toolmint.runtime import (
    Assistant,
    CallDelta,
    GeminiModel,
    ModelError,
    ModelRequest,
    ModelResponse,
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


def model(server: Loopback, name: str = "gemini-test", **settings: Any) -> GeminiModel:
    return GeminiModel(name, api_key=KEY, base_url=f"{server.url}/v1beta", **settings)


def call(identity: str | None, **args: Any) -> dict[str, Any]:
    told = {"name": "get_weather", "args": args}
    return {"functionCall": told if identity is None else {"id": identity, **told}}


THOUGHT: dict[str, Any] = {"text": "Two cities.", "thought": True}
PARTS: list[dict[str, Any]] = [
    THOUGHT,
    {"text": "I look it up."},
    {**call("8f2b1a3c", city="Paris"), "thoughtSignature": "CiQB="},
    call("9c3d2b1a", city="Rome", unit="c"),
]
USAGE = {
    "promptTokenCount": 80,
    "candidatesTokenCount": 12,
    "thoughtsTokenCount": 8,
    "cachedContentTokenCount": 64,
    "totalTokenCount": 100,
}


def answer(parts: list[dict[str, Any]], finish: str = "STOP", **more: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": parts}
    candidate = {"content": content, "finishReason": finish, "index": 0, **more}
    known = {"modelVersion": "gemini-test-001", "responseId": "r1"}
    return {"candidates": [candidate], "usageMetadata": USAGE, **known}


WHOLE = ModelResponse(
    message=Assistant(
        text="I look it up.",
        calls=(
            ToolCall("8f2b1a3c", "get_weather", {"city": "Paris"}),
            ToolCall("9c3d2b1a", "get_weather", {"city": "Rome", "unit": "c"}),
        ),
        raw=Raw("gemini", tuple(PARTS)),
    ),
    stop="calls",
    detail="STOP",
    usage=Usage(input_tokens=80, output_tokens=20, cached_tokens=64, reasoning_tokens=8),
    model="gemini-test-001",
    response_id="r1",
)
OK = answer([{"text": "ok"}])


def test_a_request_and_its_answer(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(answer(PARTS))
    assert ask(model(server)) == WHOLE
    assert server.seen[0].target == "/v1beta/models/gemini-test:generateContent"
    assert server.seen[0].headers["x-goog-api-key"] == KEY
    assert sent(server) == {
        "contents": [
            {"role": "user", "parts": [{"text": "How is the weather in Paris and Rome?"}]}
        ],
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [
            {
                "functionDeclarations": [
                    {
                        "name": "get_weather",
                        "description": "Get the weather.",
                        "parametersJsonSchema": WEATHER.advertised_schema,
                    }
                ]
            }
        ],
    }


def test_parts_go_back_as_they_came_and_results_together(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)
    ask(model(server), after(WHOLE, "sunny", "no such city"))
    assert sent(server)["contents"][1:] == [
        {"role": "model", "parts": PARTS},
        {
            "role": "user",
            "parts": [
                {
                    "functionResponse": {
                        "id": "8f2b1a3c",
                        "name": "get_weather",
                        "response": {"output": "sunny"},
                    }
                },
                {
                    "functionResponse": {
                        "id": "9c3d2b1a",
                        "name": "get_weather",
                        "response": {"error": "no such city"},
                    }
                },
            ],
        },
    ]


def test_a_call_without_an_id_is_answered_without_one(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(answer([call(None, city="Paris"), call(None, city="Rome")]))
    response = ask(model(server))
    assert [each.id for each in response.message.calls] == ["call_1_0", "call_1_1"]
    ask(model(server), after(response, "a", "b"))
    _, turn, results = sent(server)["contents"]
    assert turn["parts"] == [call(None, city="Paris"), call(None, city="Rome")]
    assert [part["functionResponse"] for part in results["parts"]] == [
        {"name": "get_weather", "response": {"output": "a"}},
        {"name": "get_weather", "response": {"error": "b"}},
    ]


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("gemini-3-pro", {"thoughtSignature": "skip_thought_signature_validator"}),
        ("gemini-flash-latest", {"thoughtSignature": "skip_thought_signature_validator"}),
        ("models/gemini-2.5-flash", {}),
    ],
)
def test_another_providers_turn_is_built_anew(
    server: Loopback, name: str, signature: dict[str, str]
) -> None:
    server.answer = lambda _: Answer.of(OK)
    assert ask(model(server, name), FOREIGN).message.text == "ok"
    _, turn, results = sent(server)["contents"]
    assert turn == {
        "role": "model",
        "parts": [{"text": "I look."}, {**call(None, city="Paris"), **signature}, call(None)],
    }
    assert results["parts"][-1] == {"text": "And now?"}


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (ToolChoice("auto"), None),
        (ToolChoice("none"), {"mode": "NONE"}),
        (ToolChoice("required"), {"mode": "ANY"}),
        (
            ToolChoice("required", "get_weather"),
            {"mode": "ANY", "allowedFunctionNames": ["get_weather"]},
        ),
    ],
)
def test_tool_choice(server: Loopback, choice: ToolChoice, told: object) -> None:
    server.answer = lambda _: Answer.of(OK)
    request = ModelRequest(
        messages=(User("x"),), tools=(WEATHER,), tool_choice=choice, max_output_tokens=9
    )
    ask(model(server, "models/gemini-test"), request)
    assert server.seen[0].target == "/v1beta/models/gemini-test:generateContent"
    body = sent(server)
    config = body.get("toolConfig", {"functionCallingConfig": None})["functionCallingConfig"]
    assert (config, body["generationConfig"]) == (told, {"maxOutputTokens": 9})


@pytest.mark.parametrize(
    ("value", "text", "stop", "detail"),
    [
        (answer([{"text": "Hi"}], "MAX_TOKENS"), "Hi", "length", "MAX_TOKENS"),
        (answer([], "SAFETY"), "", "filtered", "SAFETY"),
        (
            answer([], "MALFORMED_FUNCTION_CALL", finishMessage="Malformed function call: x("),
            "",
            "other",
            "MALFORMED_FUNCTION_CALL: Malformed function call: x(",
        ),
        ({"candidates": [{"finishReason": "STOP"}]}, "", "end", "STOP"),
    ],
)
def test_how_a_turn_ends(
    server: Loopback, value: dict[str, Any], text: str, stop: str, detail: str
) -> None:
    server.answer = lambda _: Answer.of(value)
    response = ask(model(server))
    assert (response.message.text, response.stop, response.detail) == (text, stop, detail)


BLOCKED = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": USAGE}


def test_a_blocked_prompt(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(BLOCKED)
    plain = ask(model(server))
    server.answer = lambda _: events([BLOCKED])
    _, streamed = listen(model(server))
    assert plain == streamed
    assert plain.message == Assistant(refusal="The prompt was blocked: PROHIBITED_CONTENT")
    assert (plain.stop, plain.detail) == ("filtered", "PROHIBITED_CONTENT")


def chunk(parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": parts}, "index": 0, **more}
    known = {"modelVersion": "gemini-test-001", "responseId": "r1"}
    return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 80}, **known}


def test_a_stream(server: Loopback) -> None:
    server.answer = lambda _: events(
        [
            chunk([{"text": "Two ", "thought": True}]),
            chunk([{"text": "cities.", "thought": True}]),
            chunk([{"text": "I look "}]),
            chunk([{"text": "it up."}, PARTS[2]]),
            chunk([PARTS[3]]),
            {**chunk([], finishReason="STOP"), "usageMetadata": USAGE},
        ]
    )
    pieces, whole = listen(model(server))
    assert server.seen[0].target == "/v1beta/models/gemini-test:streamGenerateContent?alt=sse"
    assert pieces == [
        ReasoningDelta("Two "),
        ReasoningDelta("cities."),
        TextDelta("I look "),
        TextDelta("it up."),
        CallDelta(0, "8f2b1a3c", "get_weather", '{"city":"Paris"}'),
        CallDelta(1, "9c3d2b1a", "get_weather", '{"city":"Rome","unit":"c"}'),
    ]
    assert whole == WHOLE


def test_a_part_with_a_signature_is_merged_with_no_other(server: Loopback) -> None:
    signed = {"text": "", "thoughtSignature": "CiQB="}
    server.answer = lambda _: events(
        [
            chunk([{"text": "a"}]),
            chunk([signed]),
            chunk([{"text": "b"}]),
            chunk([{"text": "c"}], finishReason="STOP"),
        ]
    )
    _, whole = listen(model(server))
    assert whole.message.text == "abc"
    assert whole.message.raw == Raw("gemini", ({"text": "a"}, signed, {"text": "bc"}))


def test_a_stream_that_ends_too_early(server: Loopback) -> None:
    server.answer = lambda _: events([chunk([{"text": "a"}])])
    with pytest.raises(ModelError, match="the stream ended before the answer did"):
        listen(model(server))


def test_an_error_inside_a_stream(server: Loopback) -> None:
    error = {"error": {"code": 503, "message": "Busy.", "status": "UNAVAILABLE"}}
    server.answer = lambda _: events([chunk([{"text": "a"}]), error])
    with pytest.raises(ModelError, match=r"gemini: UNAVAILABLE: Busy\."):
        listen(model(server))


@pytest.mark.parametrize("value", [{}, {"candidates": []}, answer([{"functionCall": {}}])])
def test_an_answer_of_another_form_is_an_error(server: Loopback, value: object) -> None:
    server.answer = lambda _: Answer.of(value)
    with pytest.raises(ModelError) as caught:
        ask(model(server))
    assert caught.value.kind == "malformed"
