"""Paths, queries, headers and cookies: what goes into each, and what can not leave it."""

from typing import Any

import pytest

from toolmint.runtime.arguments import Cookie, Header, Path, Query, QueryString
from toolmint.runtime.unset import UNSET
from toolmint.runtime.wire.request import build

from .requested import JSON, SERVER, get, operation, problem

# ── paths ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "/"),
        ("/a b/é", "/a%20b/%C3%A9"),
        ("/%41/%zz", "/%41/%25zz"),
        ("/a:b@c;d,e=f", "/a:b@c;d,e=f"),
        ("/a//b/", "/a//b/"),
        ("/a[0]|^", "/a%5B0%5D%7C%5E"),
        ("/a?b#c", "/a%3Fb%23c"),  # the generator cuts a fragment off; here it is never one
        ("//evil.example/x", "//evil.example/x"),
        ("@evil.example", "/@evil.example"),
    ],
)
def test_literal_path_text_is_the_authors(path: str, expected: str) -> None:
    assert build(operation(path=path), {}, SERVER) == get(expected)


@pytest.mark.parametrize(
    "value", ["", ".", "..", "%2e", "%2E%2e", "%252e%252e", "..;x", None, UNSET, [], {}, [""]]
)
def test_a_path_value_that_is_no_segment_is_refused(value: Any) -> None:
    row = Path("id", "id__path")
    for path in ("/x/{id}", "/x/{id}.json", "/{id}/x"):
        assert problem(operation(row, path=path), {"id__path": value}) == (
            "id__path",
            "invalid_arguments",
        )


@pytest.mark.parametrize(
    ("path", "style", "explode", "value"),
    [
        ("/.{id}", "simple", False, ["."]),
        ("/{id}", "label", True, ["", ""]),
        ("/{id}", "label", True, [""]),
        ("/{id}", "simple", False, [".."]),
        ("/%2e{id}", "simple", False, ["%2E"]),
    ],
)
def test_a_whole_segment_that_becomes_dots_is_refused(
    path: str, style: Any, explode: bool, value: Any
) -> None:
    row = Path("id", style=style, explode=explode)
    assert problem(operation(row, path=path), {"id": value}) == ("id", "invalid_arguments")


@pytest.mark.parametrize("value", ["a/../b", "../b", "b/..", "a/%2e%2e/b", "..;x/b"])
def test_reserved_expansion_cannot_climb(value: str) -> None:
    row = Path("id", allow_reserved=True)
    assert problem(operation(row, path="/{id}"), {"id": value}) == ("id", "invalid_arguments")


def test_reserved_expansion_keeps_its_slashes() -> None:
    row = Path("file", allow_reserved=True)
    draft = build(operation(row, path="/f/{file}"), {"file": "a/b c?d#e"}, SERVER)
    assert draft == get("/f/a/b%20c%3Fd%23e")


def test_slashes_and_dots_inside_a_value_are_only_text() -> None:
    row = Path("id")
    draft = build(operation(row, path="/{id}/y"), {"id": "../a/...?#"}, SERVER)
    assert draft == get("/..%2Fa%2F...%3F%23/y")


def test_placeholders_can_share_a_segment_repeat_and_hold_a_slash() -> None:
    rows = (Path("a"), Path("b/c"), Path("d", content="application/json"))
    draft = build(
        operation(*rows, path="/{a}...{b/c}/{a}/{d}"), {"a": "1", "b/c": 2, "d": {"e": 1}}, SERVER
    )
    assert draft == get("/1...2/1/%7B%22e%22%3A1%7D")


def test_a_placeholder_that_nobody_fills_is_an_error() -> None:
    assert problem(operation(path="/{nobody}"), {}) == (None, "error")


def test_a_path_that_climbs_out_of_its_server_is_an_error() -> None:
    assert problem(operation(path="/../admin"), {}) == (None, "error")
    assert problem(operation(path="/a/%2e%2e/../admin"), {}) == (None, "error")


# ── query ───────────────────────────────────────────────────────────────────────────


def test_literal_queries_come_first_and_declaration_order_counts() -> None:
    search = operation(Query("b"), Query("a"), query="v=1&x=a b%20[]&flag")
    assert build(search, {"a": 1, "b": 2}, SERVER + "?key=k") == get(
        "/x?key=k&v=1&x=a%20b%20%5B%5D&flag&b=2&a=1"
    )


@pytest.mark.parametrize(
    ("content", "value", "expected"),
    [
        (
            "application/json",
            {"city": "Oslo", "min": 3},
            "%7B%22city%22%3A%22Oslo%22%2C%22min%22%3A3%7D",
        ),
        ("application/json", "text", "%22text%22"),
        ("application/json", [], "%5B%5D"),
        ("text/plain", "a b", "a%20b"),
        ("application/x-www-form-urlencoded", {"a": "b c"}, "a%3Db%2520c"),
    ],
)
def test_a_content_parameter_is_written_by_its_media_type(
    content: str, value: Any, expected: str
) -> None:
    search = operation(Query("where", content=content))
    assert build(search, {"where": value}, SERVER) == get(f"/x?where={expected}")


def test_a_content_parameter_that_is_xml_is_written_by_its_schema() -> None:
    search = operation(Query("where", "where__query", content="application/xml"))
    schema = {"properties": {"where__query": {"properties": {"a": {"xml": {"name": "b"}}}}}}
    declaration = "%3C%3Fxml%20version%3D%221.0%22%20encoding%3D%22UTF-8%22%3F%3E"
    for value, expected in (
        ({"a": 1}, f"{declaration}%3Cwhere%3E%3Cb%3E1%3C%2Fb%3E%3C%2Fwhere%3E"),
        ("<own/>", "%3Cown%2F%3E"),
    ):
        request = build(search, {"where__query": value}, SERVER, schema=lambda: schema)
        assert request == get(f"/x?where={expected}")


@pytest.mark.parametrize(
    ("content", "value", "expected"),
    [
        (
            "application/x-www-form-urlencoded",
            {"a": "b c", "d": [1, 2], "e": {"f": 1}, "g": None},
            "?a=b%20c&d=1&d=2&e=%7B%22f%22%3A1%7D",
        ),
        ("application/x-www-form-urlencoded", "a=b&c=%20 #", "?a=b&c=%20%20%23"),
        ("application/x-www-form-urlencoded", {}, ""),
        ("application/json", {"a": 1}, "?%7B%22a%22%3A1%7D"),
        ("text/plain", "a&b", "?a%26b"),
        ("application/json", None, ""),
    ],
)
def test_a_whole_query_string_is_one_argument(content: str, value: Any, expected: str) -> None:
    search = operation(QueryString("q", content=content))
    assert build(search, {"q": value}, SERVER) == get("/x" + expected)


# ── headers and cookies ─────────────────────────────────────────────────────────────


def test_cookies_share_one_header() -> None:
    row = operation(
        Cookie("a"),
        Cookie("b", style="cookie"),
        Cookie("j", content="application/json"),
        Cookie("r", allow_reserved=True),
        Cookie("absent"),
    )
    arguments = {"a": "x;y", "b": "p=q", "j": [1], "r": "a/b;c,d", "absent": None}
    assert build(row, arguments, SERVER).headers == {
        **JSON,
        "Cookie": "a=x%3By; b=p=q; j=%5B1%5D; r=a/b%3Bc%2Cd",
    }


def test_a_cookie_header_and_cookies_share_one_header_as_well() -> None:
    row = operation(Header("cookie"), Cookie("a"), Header("X"))
    given = {"cookie": "lang=de; theme=x", "a": "1", "X": "y"}
    assert build(row, given, SERVER).headers == {
        **JSON,
        "X": "y",
        "Cookie": "lang=de; theme=x; a=1",
    }
    del given["a"]
    assert build(row, given, SERVER).headers == {**JSON, "cookie": "lang=de; theme=x", "X": "y"}


@pytest.mark.parametrize(
    "value", ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\x7f", "日本", ["a", "\n"]]
)
def test_a_header_value_cannot_begin_another_header(value: Any) -> None:
    assert problem(operation(Header("X-A")), {"X-A": value}) == ("X-A", "invalid_arguments")


@pytest.mark.parametrize("value", ["a;b", "a\r\nb", "é", "\0"])
def test_an_unencoded_cookie_cannot_begin_another(value: str) -> None:
    row = Cookie("c", style="cookie")
    assert problem(operation(row), {"c": value}) == ("c", "invalid_arguments")


@pytest.mark.parametrize("name", ["X\r\nEvil", "X Y", "X:", "", "é"])
def test_a_header_name_that_is_none_is_never_sent(name: str) -> None:
    assert problem(operation(Header(name, "h")), {"h": "v"}) == ("h", "invalid_arguments")


def test_header_values_lose_only_their_outer_blanks() -> None:
    row = operation(Header("X-A"), Header("X-J", content="application/json"), Header("X-E"))
    arguments = {"X-A": " \tcafé  au lait ", "X-J": {"a": "日"}, "X-E": ""}
    assert build(row, arguments, SERVER).headers == {
        **JSON,
        "X-A": "café  au lait",
        "X-J": '{"a":"\\u65e5"}',
        "X-E": "",
    }


def test_accept_names_the_described_types() -> None:
    row = operation(accept=("application/json", "text/csv; header=present", "x\r\nEvil: y"))
    assert build(row, {}, SERVER).headers == {
        "Accept": "application/json, text/csv; header=present"
    }
    assert build(operation(accept=()), {}, SERVER).headers == {"Accept": "*/*"}
