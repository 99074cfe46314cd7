"""An answer that never ends is read within bounds: what came whole before is the result."""

import asyncio
import json
from typing import Any, cast

import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.runtime import Bounds, ToolResult

EVENTS = tuple(b'event: tick\ndata: {"n": %d}\n\n' % n for n in range(20_000))
LINES = tuple(b'{"n": %d}\n' % n for n in range(20_000))


def streamed(media_type: str, *pieces: bytes, between: float = 0.0, torn: bool = False) -> Answer:
    headers = {"Content-Type": media_type}
    return Answer(headers=headers, pieces=pieces, between=between, torn=torn)


def called(server: Loopback, answer: Answer, bounds: Bounds | None = None) -> ToolResult:
    server.answer = lambda _: answer
    with Petstore(credentials={}, base_url=server.url, bounds=bounds) as tools:
        return asyncio.run(tools.call("health", {}))


def rows(result: ToolResult) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", result.data)


def notes(result: ToolResult) -> object:
    return result.metadata.get("notes", ())


def test_a_stream_that_ends_is_read_to_its_end() -> None:
    with loopback() as server:
        result = called(server, streamed("text/event-stream", *EVENTS[:3]))
    assert result.data == [{"event": "tick", "data": {"n": n}} for n in range(3)]
    assert notes(result) == ()


def test_endless_events_are_cut_after_a_number() -> None:
    with loopback() as server:
        result = called(server, streamed("text/event-stream", *EVENTS), Bounds(stream_events=2))
    assert result.data == [{"event": "tick", "data": {"n": n}} for n in range(2)]
    assert notes(result) == ("The stream was cut after 2 events.",)
    assert "The stream was cut after 2 events." in result.to_message()


@pytest.mark.parametrize("media_type", ["text/event-stream", "application/x-ndjson"])
def test_an_endless_stream_is_cut_after_some_time(media_type: str) -> None:
    pieces = EVENTS if media_type.startswith("text") else LINES
    with loopback() as server:
        answer = streamed(media_type, *pieces, between=0.01)
        result = called(server, answer, Bounds(stream_seconds=0.3))
    assert result.outcome == "ok"
    values = [row.get("data", row) for row in rows(result)]
    assert values == [{"n": n} for n in range(len(values))]
    assert notes(result) == ("The stream was cut after 0.3 seconds.",)


def test_an_endless_stream_is_cut_after_some_bytes() -> None:
    with loopback() as server:
        answer = streamed("application/jsonl", *LINES)
        result = called(server, answer, Bounds(response_bytes=1000))
    assert rows(result) == [json.loads(line) for line in LINES[: len(rows(result))]]
    assert notes(result) == ("The stream was cut after 1000 bytes.",)


def test_a_record_that_is_not_whole_is_left_out() -> None:
    with loopback() as server:
        pieces = (b'{"n": 0}\n{"n"', b": 1}", b'\n{"n": 2')
        answer = streamed("application/jsonl", *pieces, torn=True)
        result = called(server, answer)
    assert result.data == [{"n": 0}, {"n": 1}]
    assert "The stream was cut because the connection was lost" in str(notes(result))


def test_a_silent_stream_is_an_empty_list() -> None:
    with loopback() as server:
        answer = streamed("text/event-stream", b": hello\n\n", *EVENTS, between=0.3)
        result = called(server, answer, Bounds(stream_seconds=0.1))
    assert result.data == []


def test_the_end_of_an_event_may_lie_across_two_chunks() -> None:
    with loopback() as server:
        answer = streamed("text/event-stream", b"data: 1\r\n\r", b"\ndata: 2\r", b"\n\r\ndata: 3")
        result = called(server, answer)
    assert [event["data"] for event in rows(result)] == [1, 2, 3]
