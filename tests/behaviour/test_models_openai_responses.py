"""The Responses API: what is sent, and what is made of the documented answers and events."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.providers import FOREIGN, KEY, WEATHER, after, ask, events, listen, sent
from toolmint.runtime import (
    Assistant,
    CallDelta,
    ModelError,
    ModelRequest,
    ModelResponse,
    OpenAIResponses,
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


def model(server: Loopback, **settings: Any) -> OpenAIResponses:
    return OpenAIResponses("gpt-test", api_key=KEY, base_url=f"{server.url}/v1", **settings)


def call(identity: str, arguments: str) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"fc_{identity}",
        "call_id": identity,
        "name": "get_weather",
        "arguments": arguments,
        "status": "completed",
    }


def message(*parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "message",
        "id": "msg_1",
        "status": "completed",
        "role": "assistant",
        "content": list(parts),
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "output_text", "text": words, "annotations": [], "logprobs": []}


REASONING: dict[str, Any] = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [],
    "encrypted_content": "gAAAA=",
}
OUTPUT = [
    REASONING,
    message(text("I look "), text("it up.")),
    call("call_1", '{"city":"Paris","unit":null}'),
    call("call_2", '{"city": "Rome", "un'),
]
USAGE = {
    "input_tokens": 80,
    "input_tokens_details": {"cached_tokens": 64},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 8},
    "total_tokens": 100,
}


def response(output: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    told = {"id": "resp_1", "object": "response", "status": "completed", "error": None}
    kept = {"incomplete_details": None, "model": "gpt-test-2026", "usage": USAGE}
    return {**told, **kept, "output": output, **more}


WHOLE = ModelResponse(
    message=Assistant(
        text="I look it up.",
        calls=(
            ToolCall("call_1", "get_weather", {"city": "Paris"}),
            ToolCall("call_2", "get_weather", '{"city": "Rome", "un'),
        ),
        raw=Raw("openai-responses", tuple(OUTPUT)),
    ),
    stop="calls",
    usage=Usage(input_tokens=80, output_tokens=20, cached_tokens=64, reasoning_tokens=8),
    model="gpt-test-2026",
    response_id="resp_1",
)


def test_a_request_and_its_answer(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(response(OUTPUT))
    assert ask(model(server)) == WHOLE
    assert (server.seen[0].method, server.seen[0].target) == ("POST", "/v1/responses")
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    body = sent(server)
    (tool,) = body.pop("tools")
    assert (tool["type"], tool["name"], tool["strict"]) == ("function", "get_weather", True)
    assert set(tool) == {"type", "name", "description", "parameters", "strict"}
    assert body == {
        "model": "gpt-test",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": "How is the weather in Paris and Rome?"}],
        "store": False,
    }


def test_every_item_goes_back_as_it_came(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(response(OUTPUT))
    ask(model(server), after(WHOLE, "sunny", "not JSON"))
    assert sent(server)["input"][1:] == [
        *OUTPUT,
        {"type": "function_call_output", "call_id": "call_1", "output": "sunny"},
        {"type": "function_call_output", "call_id": "call_2", "output": "not JSON"},
    ]


def test_reasoning_is_asked_for_in_a_form_that_can_go_back(server: Loopback) -> None:
    """Models that do not reason refuse to be asked, so the first answer of one that does tells."""
    server.answer = lambda _: Answer.of(response(OUTPUT))
    ask(model(server))
    assert "include" not in sent(server)
    ask(model(server), after(WHOLE, "sunny", "not JSON"))
    assert sent(server)["include"] == ["reasoning.encrypted_content"]


@pytest.mark.parametrize("form", [{}, {"encrypted_content": None}])
def test_reasoning_that_no_server_knows_is_not_sent_back(
    server: Loopback, form: dict[str, None]
) -> None:
    unread: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": [], **form}
    server.answer = lambda _: Answer.of(response([unread, *OUTPUT[1:]]))
    turn = ask(model(server))
    ask(model(server), after(turn, "sunny", "not JSON"))
    assert sent(server)["input"][1:-2] == OUTPUT[1:]
    assert sent(server)["include"] == ["reasoning.encrypted_content"]


def test_another_providers_turn_is_built_anew(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(response([message(text("ok"))]))
    assert ask(model(server), FOREIGN).message.text == "ok"
    assert sent(server)["input"][1:4] == [
        {"role": "assistant", "content": "I look."},
        {
            "type": "function_call",
            "call_id": "c1",
            "name": "get_weather",
            "arguments": '{"city":"Paris"}',
        },
        {
            "type": "function_call",
            "call_id": "c2",
            "name": "get_weather",
            "arguments": '{"city": ',
        },
    ]


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (ToolChoice("auto"), None),
        (ToolChoice("none"), "none"),
        (ToolChoice("required"), "required"),
        (ToolChoice("required", "get_weather"), {"type": "function", "name": "get_weather"}),
    ],
)
def test_tool_choice(server: Loopback, choice: ToolChoice, told: object) -> None:
    server.answer = lambda _: Answer.of(response([message(text("ok"))]))
    request = ModelRequest(
        messages=(User("x"),),
        tools=(WEATHER,),
        tool_choice=choice,
        parallel_calls=False,
        max_output_tokens=9,
    )
    ask(model(server), request)
    body = sent(server)
    assert body.get("tool_choice") == told
    assert (body["parallel_tool_calls"], body["max_output_tokens"]) == (False, 9)


@pytest.mark.parametrize(
    ("answer", "said", "refusal", "stop", "detail"),
    [
        (response([message(text("Hi."))]), "Hi.", None, "end", ""),
        (
            response([message({"type": "refusal", "refusal": "No."})]),
            "",
            "No.",
            "refusal",
            "",
        ),
        (
            response([], status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            "",
            None,
            "length",
            "max_output_tokens",
        ),
        (
            response([], status="incomplete", incomplete_details={"reason": "content_filter"}),
            "",
            None,
            "filtered",
            "content_filter",
        ),
    ],
)
def test_how_a_turn_ends(
    server: Loopback,
    answer: dict[str, Any],
    said: str,
    refusal: str | None,
    stop: str,
    detail: str,
) -> None:
    server.answer = lambda _: Answer.of(answer)
    told = ask(model(server))
    assert (told.message.text, told.message.refusal, told.stop, told.detail) == (
        said,
        refusal,
        stop,
        detail,
    )


FAILED = response(
    [], status="failed", error={"code": "rate_limit_exceeded", "message": "Slow down."}
)


def test_a_turn_that_failed_is_an_error(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(FAILED)
    with pytest.raises(ModelError, match="rate_limit_exceeded: Slow down") as caught:
        ask(model(server))
    assert caught.value.kind == "rate_limited"


def happened(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "sequence_number": 1, **more}


def stream(*, complete: dict[str, Any]) -> list[dict[str, Any]]:
    unwritten = {**call("call_1", ""), "status": "in_progress"}
    found = [
        happened("response.created", response=response([], status="in_progress")),
        happened("response.output_item.added", output_index=0, item=REASONING),
        happened("response.reasoning_summary_text.delta", output_index=0, delta="Two "),
        happened("response.output_item.done", output_index=0, item=REASONING),
        happened("response.output_item.added", output_index=1, item=message()),
        happened("response.output_text.delta", output_index=1, delta="I look "),
        happened("response.output_text.delta", output_index=1, delta="it up."),
        happened("response.output_item.done", output_index=1, item=OUTPUT[1]),
        happened("response.output_item.added", output_index=2, item=unwritten),
        happened(
            "response.function_call_arguments.delta",
            output_index=2,
            item_id="fc_call_1",
            delta='{"city":',
        ),
        happened("response.something.new", output_index=2),
        happened("response.output_item.done", output_index=2, item=OUTPUT[2]),
        happened("response.output_item.done", output_index=3, item=OUTPUT[3]),
    ]
    return [*found, happened("response.completed", response=complete)]


@pytest.mark.parametrize("output", [OUTPUT, []])
def test_a_stream(server: Loopback, output: list[dict[str, Any]]) -> None:
    server.answer = lambda _: events(stream(complete=response(output)), named=True)
    pieces, whole = listen(model(server))
    assert sent(server)["stream"] is True
    assert pieces == [
        ReasoningDelta("Two "),
        TextDelta("I look "),
        TextDelta("it up."),
        CallDelta(0, "call_1", "get_weather", ""),
        CallDelta(0, "call_1", "get_weather", '{"city":'),
    ]
    assert whole == WHOLE


def test_a_stream_of_a_refusal(server: Loopback) -> None:
    refused = response([message({"type": "refusal", "refusal": "No."})])
    server.answer = lambda _: events(
        [
            happened("response.refusal.delta", output_index=0, delta="No."),
            happened("response.completed", response=refused),
        ]
    )
    pieces, whole = listen(model(server))
    assert pieces == [RefusalDelta("No.")]
    assert (whole.message.refusal, whole.stop) == ("No.", "refusal")


@pytest.mark.parametrize(
    ("event", "kind", "told"),
    [
        (happened("response.failed", response=FAILED), "rate_limited", "Slow down."),
        (happened("error", code="server_error", message="Oh."), "server", "server_error: Oh."),
        (
            happened("error", error={"code": "context_length_exceeded", "message": "Long."}),
            "too_large",
            "Long.",
        ),
    ],
)
def test_errors_inside_a_stream(
    server: Loopback, event: dict[str, Any], kind: str, told: str
) -> None:
    server.answer = lambda _: events([event])
    with pytest.raises(ModelError) as caught:
        listen(model(server))
    assert caught.value.kind == kind
    assert told in str(caught.value)


def test_a_stream_that_ends_too_early(server: Loopback) -> None:
    server.answer = lambda _: events(stream(complete=response(OUTPUT))[:-1])
    with pytest.raises(ModelError, match="the stream ended before the answer did"):
        listen(model(server))


@pytest.mark.parametrize(
    "event", [{"type": "response.output_text.delta"}, {"type": "response.completed"}]
)
def test_an_event_of_another_form_is_an_error(server: Loopback, event: dict[str, Any]) -> None:
    server.answer = lambda _: events([event])
    with pytest.raises(ModelError) as caught:
        listen(model(server))
    assert caught.value.kind == "malformed"
