"""Each kind of body: its bytes, its Content-Type, and when there is none."""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.arguments import (
    Argument,
    Binary,
    Body,
    Encoding,
    Form,
    Json,
    JsonLines,
    Member,
    Multipart,
    Text,
    WholeBody,
    Xml,
)
from toolmint.runtime.operation import HttpOperation
from toolmint.runtime.unset import UNSET
from toolmint.runtime.wire.bodies import Content, write_body
from toolmint.runtime.wire.refusal import RequestProblem

WHOLE = WholeBody()


def write(body: Body, arguments: dict[str, Any], *rows: Argument) -> Content | None:
    operation = HttpOperation(name="send", method="POST", path="/", arguments=rows, body=body)
    return write_body(operation, arguments, boundary="B")


def data(body: Body, value: Any) -> bytes:
    content = write(body, {"body": value}, WHOLE)
    assert content is not None
    return content.data


def problem(body: Body, arguments: dict[str, Any], *rows: Argument) -> tuple[str | None, str]:
    with pytest.raises(RequestProblem) as caught:
        write(body, arguments, *rows)
    return caught.value.argument, caught.value.pointer


# ── when there is one ───────────────────────────────────────────────────────────────


def test_an_operation_without_a_body_sends_none() -> None:
    operation = HttpOperation(name="read", method="GET", path="/")
    assert write_body(operation, {}) is None


def test_an_optional_body_is_not_sent_without_an_argument() -> None:
    assert write(Json(), {}, Member("a")) is None
    assert write(Json(), {"a": UNSET}, Member("a")) is None
    assert write(Json(), {}, WHOLE) is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (Json(required=True), Content("application/json", b"{}")),
        (Form(required=True), Content("application/x-www-form-urlencoded", b"")),
        (Multipart(required=True), Content("multipart/form-data; boundary=B", b"--B--\r\n")),
    ],
)
def test_a_required_body_without_an_argument_is_empty(body: Body, expected: Content) -> None:
    assert write(body, {}, Member("a")) == expected


def test_a_required_whole_body_that_is_missing_is_named() -> None:
    assert problem(Json(required=True), {}, WHOLE) == ("body", "/body")


# ── JSON ────────────────────────────────────────────────────────────────────────────


def test_json_is_compact_utf_8_in_the_callers_order_with_null_kept() -> None:
    rows = (Member("a"), Member("id", argument="id_body"), Member("é"))
    content = write(Json(), {"é": "ü", "id_body": None, "a": [1.0, 1e30, 0.5, "1.0", True]}, *rows)
    assert content == Content(
        "application/json", '{"é":"ü","id":null,"a":[1,1e+30,0.5,"1.0",true]}'.encode()
    )


@pytest.mark.parametrize("value", ["text", None, 0, False, [], {}])
def test_any_json_value_can_be_a_whole_body(value: Any) -> None:
    import json

    assert data(Json(), value) == json.dumps(value).encode()


def test_the_media_type_is_sent_as_written() -> None:
    written = "Application/Merge-Patch+JSON; charset=utf-8"
    content = write(Json(media_type=written), {"a": None}, Member("a"))
    assert content == Content(written, b'{"a":null}')


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {"a": b"x"}, object()])
def test_what_json_cannot_carry_is_a_problem_of_its_argument(value: Any) -> None:
    assert problem(Json(), {"ok": 1, "a/b": [value]}, Member("ok"), Member("a/b")) == (
        "a/b",
        "/a~1b",
    )
    assert problem(Json(), {"body": {"deep": value}}, WHOLE) == ("body", "/body/deep")
    assert problem(Json(), {"body": [value]}, WHOLE) == ("body", "/body")


def test_a_media_type_with_a_line_break_is_never_sent() -> None:
    assert problem(Json(media_type="a/b\r\nX: y"), {"a": 1}, Member("a")) == (None, "")


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("application/x-ndjson", b'{"a":1}\n"b"\nnull\n'),
        ("application/json-seq", b'\x1e{"a":1}\n\x1e"b"\n\x1enull\n'),
    ],
)
def test_json_lines_are_one_value_a_line(media_type: str, expected: bytes) -> None:
    assert data(JsonLines(media_type=media_type), [{"a": 1}, "b", None]) == expected


# ── forms ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("value", "encoding", "expected"),
    [
        ("a b&c=d+é", None, b"m=a%20b%26c%3Dd%2B%C3%A9"),
        (False, None, b"m=false"),
        ("", None, b"m="),
        (None, None, b""),
        ([], None, b""),
        (["x", "y/z"], None, b"m=x&m=y%2Fz"),
        ({"a": 1}, None, b"m=%7B%22a%22%3A1%7D"),
        ([{"a": 1}], None, b"m=%7B%22a%22%3A1%7D"),
        (["x", "y"], Encoding(explode=False), b"m=x,y"),
        (["x", "y"], Encoding(style="form", explode=False), b"m=x,y"),
        (["x", "y"], Encoding(style="pipeDelimited"), b"m=x%7Cy"),
        (["x", "y"], Encoding(style="spaceDelimited"), b"m=x%20y"),
        ({"a": 1, "b": 2}, Encoding(style="form"), b"a=1&b=2"),
        (
            {"a": {"b": [1, 2]}},
            Encoding(style="deepObject"),
            b"m%5Ba%5D%5Bb%5D=1&m%5Ba%5D%5Bb%5D=2",
        ),
        ("a/b&c", Encoding(allow_reserved=True), b"m=a/b%26c"),
        (["x", 1], Encoding(content_type="application/json"), b"m=%5B%22x%22%2C1%5D"),
        ({"data_base64": "AP8="}, Encoding(binary=True), b"m=%00%FF"),
        (
            [{"a": 1}, None, "<m/>"],
            Encoding(content_type="text/xml"),
            (
                b"m=%3C%3Fxml%20version%3D%221.0%22%20encoding%3D%22UTF-8%22%3F%3E"
                b"%3Cm%3E%3Ca%3E1%3C%2Fa%3E%3C%2Fm%3E&m=%3Cm%2F%3E"
            ),
        ),
    ],
)
def test_a_form_member_is_written_by_its_encoding(
    value: Any, encoding: Encoding | None, expected: bytes
) -> None:
    content = write(Form(), {"m": value}, Member("m", encoding=encoding))
    assert content == Content("application/x-www-form-urlencoded", expected)
    whole = Form(encodings={} if encoding is None else {"m": encoding})
    assert data(whole, {"m": value}) == expected


def test_a_form_that_is_text_was_encoded_by_its_author() -> None:
    assert data(Form(), "a=b&c=%20") == b"a=b&c=%20"


def test_a_form_needs_an_object() -> None:
    assert problem(Form(), {"body": [1]}, WHOLE) == ("body", "/body")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(TEXTS.filter(bool), TEXTS, min_size=1))
def test_a_form_reads_back_as_what_was_given(members: dict[str, str]) -> None:
    text = data(Form(), members).decode("ascii")
    assert parse_qsl(text, keep_blank_values=True) == list(members.items())


# ── text, binary ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("media_type", "value", "expected"),
    [
        ("text/plain", "hello, wörld", "hello, wörld".encode()),
        ("text/plain", '"quoted"', b'"quoted"'),
        ("text/plain", 5, b"5"),
        ("text/plain", {"a": 1}, b'{"a":1}'),
        ("text/plain; charset=iso-8859-1", "ö", b"\xf6"),
        ('text/csv; charset="UTF-16LE"', "a", b"a\x00"),
    ],
)
def test_text_is_sent_as_it_is_in_the_charset_it_names(
    media_type: str, value: Any, expected: bytes
) -> None:
    assert write(Text(media_type=media_type), {"body": value}, WHOLE) == Content(
        media_type, expected
    )


@pytest.mark.parametrize(
    "media_type",
    ["text/plain; charset=ascii", "text/plain; charset=no-such", "text/plain; charset=undefined"],
)
def test_text_that_its_charset_cannot_carry_is_refused(media_type: str) -> None:
    assert problem(Text(media_type=media_type), {"body": "ö"}, WHOLE) == ("body", "/body")


FILE = {"filename": "a.bin", "content_type": "image/png", "data_base64": "AAEC/w=="}


@pytest.mark.parametrize(
    ("declared", "value", "sent"),
    [
        ("application/octet-stream", FILE, "application/octet-stream"),
        ("application/octet-stream", "AAEC/w==", "application/octet-stream"),
        ("image/*", FILE, "image/png"),
        ("*/*", {"data_base64": "AAEC/w=="}, "application/octet-stream"),
    ],
)
def test_binary_is_sent_as_bytes(declared: str, value: Any, sent: str) -> None:
    content = write(Binary(media_type=declared), {"body": value}, WHOLE)
    assert content == Content(sent, b"\x00\x01\x02\xff")


@pytest.mark.parametrize(
    "value",
    [
        {"data_base64": "AAEC/w"},
        {"data_base64": "AA EC"},
        {"data_base64": "é"},
        {"data_base64": 5},
        {"path": "/etc/passwd"},
        {"content_type": 1, "data_base64": ""},
        "no base64!",
        7,
        None,
    ],
)
def test_a_bad_file_is_a_problem_of_its_argument(value: Any) -> None:
    assert problem(Binary(), {"body": value}, WHOLE) == ("body", "/body")


@pytest.mark.parametrize(
    ("chosen", "sent"),
    [
        (None, "image/jpeg"),
        ("image/jpeg; q=1", "image/jpeg"),
        ("image/png", "image/png"),
        ("audio/ogg", "audio/ogg"),
        ("text/html", None),
        ("audio/*", None),
    ],
)
def test_a_file_chooses_among_several_media_types(chosen: str | None, sent: str | None) -> None:
    body = Binary("image/jpeg", alternatives=("audio/*", "image/png"))
    value = {"data_base64": "AAEC/w==", "content_type": chosen}
    if sent is None:
        assert problem(body, {"body": value}, WHOLE) == ("body", "/body")
    else:
        assert write(body, {"body": value}, WHOLE) == Content(sent, b"\x00\x01\x02\xff")


@pytest.mark.parametrize("chosen", ["text/html", "image/*", "image/png\r\nX: y", None])
def test_a_range_takes_only_a_type_that_it_covers(chosen: str | None) -> None:
    value = {"data_base64": "", "content_type": chosen}
    assert problem(Binary(media_type="image/*"), {"body": value}, WHOLE) == ("body", "/body")


def test_xml_that_is_text_is_sent_as_it_is() -> None:
    assert data(Xml(), "<a>ö</a>") == "<a>ö</a>".encode()


def test_endless_nesting_is_a_problem_of_its_argument() -> None:
    deep: Any = 1
    for _ in range(200_000):
        deep = {"a": deep}
    styled = Encoding(style="deepObject")
    assert problem(Form(), {"m": deep}, Member("m", encoding=styled)) == ("m", "/m")
    assert problem(Xml(), {"body": deep}, WHOLE) == ("body", "/body")
    assert problem(Json(), {"m": deep}, Member("m")) == ("m", "/m")
