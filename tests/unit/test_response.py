"""Answers as data: the media type decides, and the content may contradict it."""

import json
import sys
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.wire.response import ResponseProblem, decode


def read(content_type: str | None, body: bytes | str, *accept: str, **headers: str) -> Any:
    if content_type is not None:
        headers["Content-Type"] = content_type
    data = body.encode() if isinstance(body, str) else body
    return decode(headers, data, accept=accept or ("application/json",))


def block(content_type: str | None, data: bytes, filename: str | None = None) -> dict[str, str]:
    told = {"filename": filename, "content_type": content_type}
    return {
        **{name: text for name, text in told.items() if text},
        "data_base64": b64encode(data).decode(),
    }


@pytest.mark.parametrize("content_type", [None, "application/json", "text/plain", "image/png"])
def test_an_empty_body_is_none(content_type: str | None) -> None:
    assert read(content_type, b"") is None


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON; Charset=UTF-8",
        "application/problem+json",
        "application/vnd.api+json;version=1",
        "text/json",
    ],
)
def test_json_is_parsed(content_type: str) -> None:
    assert read(content_type, '{"é":[1,null,2.5]}') == {"é": [1, None, 2.5]}
    assert read(content_type, "null") is None
    assert read(content_type, '"text"') == "text"


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_json_in_any_unicode_is_read_by_its_bytes(charset: str) -> None:
    body = '{"a":"é"}'.encode(charset)
    assert read("application/json; charset=us-ascii", body) == {"a": "é"}


def test_the_label_counts_where_json_is_no_unicode() -> None:
    assert read("application/json; charset=iso-8859-1", b'"\xe9"') == "é"
    with pytest.raises(ResponseProblem):
        read("application/json", b'"\xe9"')


@pytest.mark.parametrize(
    "body",
    ["<html><body>Down</body></html>", '{"a":', "NaN", '{"a":Infinity}', "[" * 100_000, " ", "1 2",
     '{"a":1e999}', "[-1.5E+400]", "1" * 5000],
)  # fmt: skip
def test_json_that_nothing_can_hold_is_a_problem_that_quotes_a_little(body: str) -> None:
    with pytest.raises(ResponseProblem, match="says it is JSON, but cannot be read") as caught:
        read("application/json", body)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "content_type", ["text/plain", "text/html", "application/octet-stream", None]
)
def test_json_under_a_label_that_nobody_described_is_parsed(content_type: str | None) -> None:
    assert read(content_type, '{"a": 1}') == {"a": 1}
    assert read(content_type, b"\xef\xbb\xbf[1]") == [1]


def test_the_largest_numbers_are_read() -> None:
    assert read("application/json", "[1.7976931348623157e308,1e-999]") == [sys.float_info.max, 0.0]


def test_a_described_label_is_believed() -> None:
    assert read("text/plain", '{"a":1}', "application/json", "text/plain") == '{"a":1}'
    assert read("text/html", '{"a":1}', "text/*") == '{"a":1}'
    assert read("text/plain", '{"a":1}', "application/json", "*/*") == {"a": 1}


@pytest.mark.parametrize("body", ["123", "true", '"quoted"', "{curly} text", "[1, 2", "a"])
def test_a_word_that_could_be_json_stays_text(body: str) -> None:
    assert read("text/plain", body) == body
    assert read(None, body) == body


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/plain", "é".encode(), "é"),
        ("text/plain", b"\xe9", "é"),
        ("text/plain; charset=windows-1252", b"\x80", "€"),
        ("text/plain; charset=utf-16", "é".encode("utf-16-le"), "é"),
        ("text/plain; charset=hex", b"\xc3\xa9", "é"),
        ('text/csv; charset="utf-8"', b"a\xff", "a\ufffd"),
        ("text/plain; charset=no-such", "é".encode(), "é"),
        ("text/plain; charset=base64", "é".encode(), "é"),
        ("text/plain; charset=iso-8859-1", b"\xef\xbb\xbf\xc3\xa9", "é"),
        ("text/plain", "é".encode("utf-16"), "é"),
        ("application/xml", b'<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>',
         '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>'),
        ("image/svg+xml", b"<svg/>", "<svg/>"),
        ("application/yaml", b"a: 1", "a: 1"),
    ],
)  # fmt: skip
def test_text_is_read_in_its_charset(content_type: str, body: bytes, expected: str) -> None:
    assert read(content_type, body) == expected


@pytest.mark.parametrize(
    "content_type",
    ["application/x-ndjson", "application/jsonl", "application/x-ndjson; charset=utf-8"],
)
def test_json_lines_are_a_list(content_type: str) -> None:
    assert read(content_type, '{"a":1}\r\n\n"b"\nnull') == [{"a": 1}, "b", None]


def test_a_json_sequence_is_a_list() -> None:
    assert read("application/json-seq", '\x1e{"a":\n1}\n\x1e2\n') == [{"a": 1}, 2]


def test_a_bad_line_is_named() -> None:
    with pytest.raises(ResponseProblem, match="record 2 of the answer is not JSON"):
        read("application/x-ndjson", "1\n{\n3")


def test_server_sent_events_are_a_list() -> None:
    stream = (
        "\ufeff: comment\nretry: 3000\nid: 1\nevent: add\ndata: {\"a\":\ndata: 1}\n\n"
        "data:two\rdata:  lines\r\rid\ndata\n\nevent: ping\n\nretry: x\ndata: 3\r\n\r\n"
        "data: [DONE]"
    )  # fmt: skip
    assert read("text/event-stream", stream) == [
        {"retry": 3000, "id": "1", "event": "add", "data": {"a": 1}},
        {"data": "two\n lines"},
        {"id": "", "data": ""},
        {"data": 3},
        {"data": "[DONE]"},
    ]


@pytest.mark.parametrize("data", ["NaN", "-Infinity", '{"a":1e999}'])
def test_an_event_that_no_json_can_say_is_text(data: str) -> None:
    assert read("text/event-stream", f"data: {data}\n\n") == [{"data": data}]


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", None])
def test_anything_else_is_a_block_of_bytes(content_type: str | None) -> None:
    assert read(content_type, b"\x00\xff") == block(content_type, b"\x00\xff")


@pytest.mark.parametrize(
    ("disposition", "filename"),
    [
        ('attachment; filename="a b.pdf"', "a b.pdf"),
        ("attachment; filename=a.pdf", "a.pdf"),
        (r'attachment; filename="a\"b.pdf"', 'a"b.pdf'),
        ("attachment; filename=\"x\"; filename*=UTF-8''n%C3%A9%20.pdf", "né .pdf"),
        ("attachment; filename*=iso-8859-1'en'x", None),
        ("attachment; filename*=ISO-8859-1''%E9", "é"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        (r'attachment; filename="C:\\x\\y.exe"', "y.exe"),
        ('attachment; filename=".."', None),
        ("inline", None),
    ],
)
def test_a_block_has_the_name_that_its_header_gives(disposition: str, filename: str | None) -> None:
    headers = {"content-type": "application/pdf", "content-disposition": disposition}
    assert decode(headers, b"\x00") == block("application/pdf", b"\x00", filename)


LABELS = st.sampled_from(
    ["application/json", "text/plain; charset=utf-16", "text/event-stream", "application/x-ndjson",
     "application/xml", "image/png", "", "; charset=\x00", "text/html; charset=idna"]
)  # fmt: skip


@given(LABELS, st.binary())
def test_no_body_breaks_the_reader(content_type: str, body: bytes) -> None:
    try:
        data = read(content_type, body)
    except ResponseProblem:
        return
    json.dumps(data, allow_nan=False)
