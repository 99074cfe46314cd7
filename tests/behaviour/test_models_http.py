"""What all providers share over HTTP: keys, errors, and another try where it helps."""

import asyncio
import json
import pickle
import traceback
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.providers import ASK, KEY, ask, events, listen
from tests.clock import ManualClock
from toolmint.runtime import (
    AnthropicMessages,
    Bounds,
    GeminiModel,
    ModelError,
    ModelRequest,
    OpenAIChat,
    OpenAIResponses,
    User,
)
from toolmint.runtime.edge.retry import RetryPolicy
from toolmint.runtime.models import model_named
from toolmint.runtime.models.provider import ProviderModel

KINDS: list[type[ProviderModel]] = [OpenAIChat, OpenAIResponses, AnthropicMessages, GeminiModel]
OK = {"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        yield server


def model(server: Loopback, **settings: Any) -> OpenAIChat:
    return OpenAIChat("m", api_key=KEY, base_url=server.url, **settings)


def failed(kind: type[ProviderModel], server: Loopback, answer: Answer) -> ModelError:
    """The error that an answer becomes, tried once."""
    server.answer = lambda _: answer
    asked = kind("m", api_key=KEY, base_url=server.url, retries=RetryPolicy(attempts=1))
    with pytest.raises(ModelError) as caught:
        ask(asked)
    return caught.value


OPENAI = {
    "error": {"message": "Bad key.", "type": "auth", "param": None, "code": "invalid_api_key"}
}
ANTHROPIC = {"type": "error", "error": {"type": "not_found_error", "message": "model: m"}}
GEMINI = {"error": {"code": 400, "message": "Bad schema.", "status": "INVALID_ARGUMENT"}}
GONE = {"error": {"message": "Pay.", "type": "insufficient_quota", "code": "insufficient_quota"}}
LONG = {"error": {"message": "Too long.", "code": "context_length_exceeded"}}


@pytest.mark.parametrize(
    ("kind", "status", "body", "expected", "told"),
    [
        (OpenAIChat, 401, OPENAI, "authentication", "invalid_api_key: Bad key. (401)"),
        (OpenAIChat, 429, GONE, "quota", "insufficient_quota: Pay. (429)"),
        (OpenAIResponses, 400, LONG, "too_large", "context_length_exceeded: Too long. (400)"),
        (AnthropicMessages, 404, ANTHROPIC, "not_found", "not_found_error: model: m (404)"),
        (GeminiModel, 400, GEMINI, "invalid_request", "INVALID_ARGUMENT: Bad schema. (400)"),
        (GeminiModel, 400, [GEMINI], "invalid_request", "INVALID_ARGUMENT: Bad schema. (400)"),
        (OpenAIChat, 403, {"error": "no"}, "permission", "no (403)"),
        (OpenAIChat, 400, {"message": "odd", "code": 3}, "invalid_request", "odd (400)"),
        (OpenAIChat, 500, {}, "server", "{} (500)"),
    ],
)
def test_errors_are_typed_and_say_what_the_provider_says(
    server: Loopback,
    kind: type[ProviderModel],
    status: int,
    body: object,
    expected: str,
    told: str,
) -> None:
    error = failed(kind, server, Answer.of(body, status, request_id="req_1"))
    assert (error.kind, error.status, error.request_id) == (expected, status, "req_1")
    assert str(error) == f"{kind.provider}: {told}"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"<html><body>nginx</body></html>", "a web page (502)"),
        (b"upstream died\nbadly", "upstream died badly (502)"),
        (b"", "an empty body (502)"),
        (b"\xff\xfe", "\ufffd\ufffd (502)"),
    ],
)
def test_errors_of_a_proxy(server: Loopback, body: bytes, told: str) -> None:
    error = failed(OpenAIChat, server, Answer(502, body))
    assert (error.kind, str(error)) == ("server", f"openai-chat: {told}")


@pytest.mark.parametrize("kind", KINDS)
def test_the_key_is_never_shown(server: Loopback, kind: type[ProviderModel]) -> None:
    echo = {"error": {"message": f"Incorrect key {KEY}: Bearer {KEY}", "type": KEY}}
    error = failed(kind, server, Answer.of(echo, 401))
    asked = kind("m", api_key=KEY, base_url=server.url)
    shown = [str(error), repr(error), error.message, repr(asked), repr(vars(asked))]
    shown += traceback.format_exception(error)
    assert [text for text in shown if KEY in text] == []
    assert "***" in str(error)
    assert KEY not in repr(pickle.loads(pickle.dumps(error)))


def test_an_error_survives_pickling(server: Loopback) -> None:
    error = failed(OpenAIChat, server, Answer.of(OPENAI, 401, x_request_id="r"))
    again = pickle.loads(pickle.dumps(error))
    assert vars(again) == vars(error)
    assert str(again) == str(error)


class Failing:
    """Fails some times, then answers."""

    def __init__(self, server: Loopback, *answers: Answer) -> None:
        self._answers = iter(answers)
        server.answer = lambda _: next(self._answers, Answer.of(OK))


def longest(low: float, high: float) -> float:
    return max(low, high)


def tried(server: Loopback, *answers: Answer, **settings: Any) -> tuple[str, list[float]]:
    """What came of a request that failed first, and how long was waited between."""
    Failing(server, *answers)
    clock = ManualClock()
    asked = model(server, clock=clock, uniform=longest, **settings)

    async def run() -> str:
        try:
            return (await clock.drive_real(asked.respond(ASK))).message.text
        except ModelError as error:
            return error.kind
        finally:
            await asked.aclose()

    return asyncio.run(run()), clock.slept


SLOW = {"error": {"message": "Slow down.", "type": "requests", "code": "rate_limit_exceeded"}}
DELAY = {
    "error": {
        "code": 429,
        "message": "Slow down.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.Help"},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3.5s"},
        ],
    }
}


@pytest.mark.parametrize(
    ("answers", "told", "waits"),
    [
        ([Answer.of(SLOW, 429)], "ok", [1.0]),
        ([Answer.of(SLOW, 429, Retry_After="7")], "ok", [7.7]),
        ([Answer.of(SLOW, 429, retry_after_ms="2500")], "ok", [2.75]),
        ([Answer.of(DELAY, 429)], "ok", [3.85]),
        ([Answer(529), Answer(500)], "ok", [1.0, 2.0]),
        ([Answer(hang_up=True)], "ok", [1.0]),
        ([Answer(500)] * 3, "server", [1.0, 2.0]),
        ([Answer.of(SLOW, 429, Retry_After="31")], "rate_limited", []),
        ([Answer.of(GONE, 429)], "quota", []),
        ([Answer.of(OPENAI, 401)], "authentication", []),
        ([Answer.of(GEMINI, 400)], "invalid_request", []),
        ([Answer(500, headers={"x-should-retry": "false"})], "server", []),
    ],
)
def test_another_try_where_it_helps(
    server: Loopback, answers: list[Answer], told: str, waits: list[float]
) -> None:
    came, waited = tried(server, *answers)
    assert came == told
    assert waited == pytest.approx(waits)
    assert len(server.seen) == len(waits) + 1


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_a_number_that_is_none_makes_no_answer(server: Loopback, number: str) -> None:
    """It could be sent back to nobody: not to the provider, nor with a paused run."""
    whole = json.dumps({"choices": [{"message": {"content": "ok", "odd": 0}}]})
    server.answer = lambda _: Answer(200, whole.replace("0", number).encode())
    with pytest.raises(ModelError) as caught:
        ask(model(server))
    assert caught.value.kind == "malformed"


def test_a_stream_is_tried_again_before_it_begins(server: Loopback) -> None:
    chunk = {"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]}
    answers = iter([Answer(503), events([chunk, "[DONE]"])])
    server.answer = lambda _: next(answers)
    quick = RetryPolicy(attempts=2, first_wait=0.0)
    _, whole = listen(model(server, retries=quick))
    assert (whole.message.text, len(server.seen)) == ("ok", 2)


def test_nobody_is_there() -> None:
    with loopback() as gone:
        url = gone.url
    quick = RetryPolicy(attempts=2, first_wait=0.0)
    with pytest.raises(ModelError, match="openai-chat: no answer: ConnectError") as caught:
        ask(OpenAIChat("m", api_key=KEY, base_url=url, retries=quick))
    assert (caught.value.kind, caught.value.status) == ("connection", None)


def test_an_answer_that_does_not_come_in_time(server: Loopback) -> None:
    server.answer = lambda _: Answer(after=0.5)
    with pytest.raises(ModelError) as caught:
        ask(model(server, bounds=Bounds(read_seconds=0.05)))
    assert caught.value.kind == "timeout"
    assert len(server.seen) == 1


def test_an_answer_that_never_ends(server: Loopback) -> None:
    server.answer = lambda _: Answer(pieces=(b" " * 100,) * 50)
    with pytest.raises(ModelError, match="larger than 1000 bytes"):
        ask(model(server, bounds=Bounds(response_bytes=1000)))


def test_a_listener_that_leaves_closes_the_connection(server: Loopback) -> None:
    chunk = {"choices": [{"delta": {"content": "a"}}]}
    server.answer = lambda _: events([chunk] * 200, cut=50)

    async def first() -> object:
        asked = model(server)
        stream = asked.stream(ASK)
        piece = await anext(stream)
        await stream.aclose()
        await asked.aclose()
        return piece

    assert str(asyncio.run(first())) == "TextDelta(text='a')"


def test_a_client_of_ones_own(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)

    async def run() -> str:
        async with httpx.AsyncClient(headers={"X-Team": "blue"}) as client:
            return (await model(server, client=client).respond(ASK)).message.text

    assert asyncio.run(run()) == "ok"
    assert server.seen[0].headers["x-team"] == "blue"


@pytest.mark.parametrize("kind", KINDS)
def test_the_environment_holds_the_key(
    kind: type[ProviderModel], server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in kind.environment:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match=f"set {kind.environment[0]}.*or pass api_key=") as caught:
        kind("m")
    assert caught.value.kind == "authentication"
    monkeypatch.setenv(kind.environment[-1], KEY)
    assert repr(kind("m")) == f"{kind.__name__}('m')"


@pytest.mark.parametrize("kind", KINDS)
def test_the_key_of_the_environment_goes_to_nobody_else(
    kind: type[ProviderModel], server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(kind.environment[0], KEY)
    server.answer = lambda _: Answer(400)
    with pytest.raises(ModelError):
        ask(kind("m", base_url=server.url))
    assert KEY not in repr(server.seen)


def test_a_key_does_not_travel_in_the_open() -> None:
    with pytest.raises(ValueError, match="a key is not sent over plain http; use https"):
        OpenAIChat("m", api_key=KEY, base_url="http://models.example/v1")
    OpenAIChat("m", base_url="http://models.example/v1")  # a server in the house, without one
    for address in ("models.example", "ftp://models.example", "https://"):
        with pytest.raises(ValueError, match="must be an http or https address"):
            OpenAIChat("m", base_url=address)


def test_odd_text_is_sent_all_the_same(server: Loopback) -> None:
    server.answer = lambda _: Answer.of(OK)
    ask(model(server), ModelRequest(messages=(User("a\ud83db 😀 \x00"),)))
    assert json.loads(server.seen[0].body)["messages"][0]["content"] == "a?b 😀 \x00"


def test_models_by_their_full_name() -> None:
    settings = {"api_key": KEY}
    assert [
        repr(model_named(name, **settings))
        for name in ("openai:gpt-x", "openai-chat:a:b", "anthropic:c", "gemini:models/g")
    ] == [
        "OpenAIResponses('gpt-x')",
        "OpenAIChat('a:b')",
        "AnthropicMessages('c')",
        "GeminiModel('models/g')",
    ]
    for wrong in ("gpt-x", "openai:", "cohere:x", ""):
        with pytest.raises(ValueError, match="a model is openai:NAME, openai-chat:NAME"):
            model_named(wrong)
