"""Server-sent events come out the same however their bytes are cut."""

from itertools import pairwise

import pytest

from toolmint.runtime.models.sse import Event, EventReader

STREAM = (
    "\ufeff: hello\n"
    "event: message_start\r\n"
    'data: {"text": "größe 😀"}\r\n'
    "\r\n"
    ": ping\r"
    "data: first\rdata:second\r\r"
    "id: 7\nretry: 10\n\n"
    "data\n\n"
    "event: lost\n\n"
    "data:  two spaces\n"
    "unknown: field\n\n"
    "data: [DONE]\n\n"
).encode()
EVENTS = [
    Event("message_start", '{"text": "größe 😀"}'),
    Event("message", "first\nsecond"),
    Event("message", ""),
    Event("message", " two spaces"),
    Event("message", "[DONE]"),
]


def read(pieces: list[bytes]) -> list[Event]:
    reader = EventReader()
    found = [event for piece in pieces for event in reader.feed(piece)]
    return [*found, *reader.finish()]


def test_a_whole_stream() -> None:
    assert read([STREAM]) == EVENTS


def test_byte_by_byte() -> None:
    assert read([STREAM[at : at + 1] for at in range(len(STREAM))]) == EVENTS


@pytest.mark.parametrize("size", range(2, 40))
def test_any_cut(size: int) -> None:
    cuts = [*range(0, len(STREAM), size), len(STREAM)]
    assert read([STREAM[start:end] for start, end in pairwise(cuts)]) == EVENTS


def test_an_event_is_there_as_soon_as_it_is_complete() -> None:
    reader = EventReader()
    assert reader.feed(b"data: a\n") == []
    assert reader.feed(b"\ndata: b") == [Event("message", "a")]
    assert reader.feed(b"\r\n\r") == []  # a line feed may follow
    assert reader.feed(b"\n") == [Event("message", "b")]


def test_a_last_event_without_its_empty_line_counts() -> None:
    assert read([b"data: a\n\ndata: b"]) == [Event("message", "a"), Event("message", "b")]
    assert read([b"data: a\r"]) == [Event("message", "a")]
    assert read([b""]) == []


def test_what_is_no_utf_8_is_replaced() -> None:
    assert read([b"data: a\xff\xfeb\n\n"]) == [Event("message", "a\ufffd\ufffdb")]
