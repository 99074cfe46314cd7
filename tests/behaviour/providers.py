"""Ask a model behind a loopback server, plainly and by a stream."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import Any, TypeAlias

from tests.behaviour.loopback import Answer, Loopback
from toolmint.runtime.agent.conversation import (
    Assistant,
    Delta,
    ModelRequest,
    ModelResponse,
    Observation,
    Raw,
    ToolCall,
    ToolSpec,
    User,
)
from toolmint.runtime.models.provider import ProviderModel
from toolmint.runtime.operation import Effects

KEY = "sk-test-0123456789abcdef"
WEATHER = ToolSpec(
    "get_weather",
    "Get the weather.",
    {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "unit": {"type": "string", "enum": ["c", "f"]},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
    Effects(read_only=True, idempotent=True),
)
QUESTION = User("How is the weather in Paris and Rome?")
ASK = ModelRequest(messages=(QUESTION,), tools=(WEATHER,), instructions="Be brief.")
Heard: TypeAlias = list[Delta | ModelResponse]


def ask(model: ProviderModel, request: ModelRequest = ASK) -> ModelResponse:
    """The whole turn."""

    async def run() -> ModelResponse:
        try:
            return await model.respond(request)
        finally:
            await model.aclose()

    return asyncio.run(run())


def listen(model: ProviderModel, request: ModelRequest = ASK) -> tuple[list[Delta], ModelResponse]:
    """What came of a stream: the pieces, and the whole."""
    *pieces, whole = asyncio.run(_heard(model, request))
    assert isinstance(whole, ModelResponse)
    return [piece for piece in pieces if not isinstance(piece, ModelResponse)], whole


async def _heard(model: ProviderModel, request: ModelRequest) -> Heard:
    try:
        stream: AsyncGenerator[Delta | ModelResponse] = model.stream(request)
        async with aclosing(stream) as heard:
            return [piece async for piece in heard]
    finally:
        await model.aclose()


def after(response: ModelResponse, *texts: str) -> ModelRequest:
    """What is asked next: the turn, and what came of its calls; the last one failed."""
    calls = response.message.calls
    told = [
        Observation(call.id, call.name, text, failed=text == texts[-1])
        for call, text in zip(calls, texts, strict=True)
    ]
    return ModelRequest(messages=(QUESTION, response.message, *told), tools=(WEATHER,))


FOREIGN = ModelRequest(
    messages=(
        QUESTION,
        Assistant(
            text="I look.",
            calls=(
                ToolCall("c1", "get_weather", {"city": "Paris"}),
                ToolCall("c2", "get_weather", '{"city": '),
            ),
            raw=Raw("another", ({"odd": True},)),
        ),
        Observation("c1", "get_weather", "sunny"),
        Observation("c2", "get_weather", "not JSON", failed=True),
        User("And now?"),
    ),
)
"""A conversation that another provider began."""


def sent(server: Loopback, index: int = -1) -> dict[str, Any]:
    """The body of a request that the server saw."""
    body: dict[str, Any] = json.loads(server.seen[index].body)
    return body


def events(data: Iterable[Mapping[str, Any] | str], *, named: bool = False, cut: int = 7) -> Answer:
    """A stream of events, cut anywhere."""
    text = ""
    for item in data:
        name = f"event: {item['type']}\n" if named and isinstance(item, Mapping) else ""
        told = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        text += f"{name}data: {told}\n\n"
    body = text.encode()
    pieces = tuple(body[at : at + cut] for at in range(0, len(body), cut))
    return Answer(200, headers={"Content-Type": "text/event-stream"}, pieces=pieces)
