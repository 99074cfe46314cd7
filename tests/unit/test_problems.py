"""Error answers as one line a person or a model can act on."""

import json
from typing import Any

import pytest

from toolmint.runtime.wire.problems import MESSAGE, explain


def said(body: Any, status: int = 400, content_type: str = "application/json") -> str:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return explain(status, {"content-type": content_type}, data)


def test_an_empty_answer_is_its_status() -> None:
    assert explain(404, {}, b"") == "404 Not Found"
    assert explain(599, {}, b"") == "599"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {
                "type": "https://example.com/probs/out-of-credit",
                "title": "You do not have enough credit.",
                "detail": "Your current balance is 30, but that costs 50.",
                "status": 400,
            },
            "You do not have enough credit.; Your current balance is 30, but that costs 50.",
        ),
        (
            {
                "title": "Bad Request",
                "errors": [
                    {"pointer": "#/age", "detail": "must be a positive integer"},
                    {"pointer": "#/color", "detail": "must be green"},
                ],
            },
            "#/age: must be a positive integer; #/color: must be green",
        ),
        (
            {"invalid-params": [{"name": "age", "reason": "too young"}]},
            "age: too young",
        ),
        ({"error": {"code": 5, "message": "No such key"}}, "No such key"),
        (
            {"error": "invalid_grant", "error_description": "expired"},
            "invalid_grant; expired",
        ),
        (
            {
                "message": "Validation Failed",
                "errors": [{"resource": "Issue", "field": "title", "code": "missing_field"}],
            },
            "Validation Failed; title: missing_field",
        ),
        (
            {"detail": [{"loc": ["body", "a", 0], "msg": "field required", "type": "missing"}]},
            "body.a.0: field required",
        ),
        ({"errors": ["one", "two", "one"]}, "one; two"),
        ({"nothing": "known"}, '{"nothing": "known"}'),
        ("just text", "just text"),
        ({}, "{}"),
    ],
)
def test_what_a_json_error_says(body: Any, expected: str) -> None:
    assert said(body) == f"400 Bad Request: {expected}"


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/plain", b"no\r\n\x1b[31m such\x00 thing", "no [31m such thing"),
        ("text/html", b"<html><title>Bad &amp; worse</title><p>x", "Bad & worse"),
        ("text/html", b"<script>x()</script><p>Only <b>words</b>", "Only words"),
        ("application/json", b"<html><title>Down</title>", "Down"),
        ("image/png", b"\x00\xff", "2 bytes of image/png"),
    ],
)
def test_what_other_errors_say(content_type: str, body: bytes, expected: str) -> None:
    assert said(body, 502, content_type).startswith("502 Bad Gateway: ")
    assert expected in said(body, 502, content_type)
    assert said(body, 502, content_type).isprintable()


def test_the_line_is_capped() -> None:
    for body in ({"message": "x" * 10_000}, ["y " * 50] * 100, {"z": "z" * 10_000}):
        assert len(said(body)) <= MESSAGE
    assert len(said(b"<" * 1_000_000, content_type="text/html")) <= MESSAGE
