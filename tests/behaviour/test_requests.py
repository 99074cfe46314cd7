"""Whole requests: every case goes from one operation and its arguments to exact bytes."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.auth.request import Outgoing
from toolmint.runtime.arguments import (
    Argument,
    Binary,
    Body,
    Cookie,
    Encoding,
    Form,
    Header,
    Json,
    Member,
    Multipart,
    Path,
    Query,
    QueryString,
    Text,
    WholeBody,
)
from toolmint.runtime.operation import HttpOperation
from toolmint.runtime.unset import UNSET
from toolmint.runtime.wire.refusal import RequestProblem
from toolmint.runtime.wire.request import build

SERVER = "https://api.example/v1"
JSON = {"Accept": "application/json"}


def operation(
    *arguments: Argument,
    method: str = "GET",
    path: str = "/x",
    body: Body | None = None,
    query: str = "",
    accept: tuple[str, ...] = ("application/json",),
) -> HttpOperation:
    return HttpOperation(
        name="act",
        method=method,
        path=path,
        query=query,
        arguments=arguments,
        body=body,
        accept=accept,
    )


def get(url: str, headers: Mapping[str, str] = JSON) -> Outgoing:
    return Outgoing("GET", SERVER + url, headers)


def problem(
    operation: HttpOperation, arguments: Mapping[str, Any], server: str = SERVER
) -> tuple[str | None, str]:
    with pytest.raises(RequestProblem) as caught:
        build(operation, arguments, server)
    return caught.value.argument, caught.value.outcome


# ── the shared cases, from one operation each ───────────────────────────────────────


def test_array_query_styles() -> None:
    reports = operation(
        Query("columns", style="pipeDelimited", explode=False),
        Query("regions", style="spaceDelimited", explode=False),
        Query("ids", explode=False),
        Query("tags"),
        Query("draft"),
        path="/reports",
    )
    arguments = {
        "draft": False,
        "tags": ["a,b", "c&d"],
        "ids": [3, 1, 2],
        "regions": ["north", "east"],
        "columns": ["name", "total"],
    }
    assert build(reports, arguments, SERVER) == get(
        "/reports?columns=name%7Ctotal&regions=north%20east&ids=3,1,2"
        "&tags=a%2Cb&tags=c%26d&draft=false"
    )
    assert build(reports, {"columns": [], "tags": []}, SERVER) == get("/reports")


def test_objects_in_the_query() -> None:
    tickets = operation(
        Query("filter", style="deepObject"),
        Query("page"),
        Query("sort", explode=False),
        path="/tickets",
    )
    arguments = {
        "filter": {"status": "open & new", "minAge": 0, "archived": False},
        "page": {"limit": 20, "offset": 40},
        "sort": {"field": "created", "order": "desc"},
    }
    assert build(tickets, arguments, SERVER) == get(
        "/tickets?filter%5Bstatus%5D=open%20%26%20new&filter%5BminAge%5D=0"
        "&filter%5Barchived%5D=false&limit=20&offset=40&sort=field,created,order,desc"
    )


def test_one_name_in_several_places() -> None:
    replace = operation(
        Path("id", "id__path"),
        Query("id", "id__query"),
        Member("id"),
        Member("name"),
        method="PUT",
        path="/accounts/{id}",
        body=Json(required=True),
    )
    arguments = {"id__path": "a-1", "id__query": "q-2", "id": "b-3", "name": "Nia"}
    assert build(replace, arguments, SERVER) == Outgoing(
        "PUT",
        SERVER + "/accounts/a-1?id=q-2",
        {**JSON, "Content-Type": "application/json"},
        b'{"id":"b-3","name":"Nia"}',
    )
    merge = operation(
        Query("body", "body__query"), WholeBody(), method="POST", body=Json(required=True)
    )
    assert build(merge, {"body": ["x", "y"], "body__query": "keep"}, SERVER) == Outgoing(
        "POST",
        SERVER + "/x?body=keep",
        {**JSON, "Content-Type": "application/json"},
        b'["x","y"]',
    )
    search = operation(Query("from"), Query("class"), Header("From"))
    mail = {"from": "2024-01-31", "class": "bulk", "From": "ops@api.example"}
    assert build(search, mail, SERVER) == get(
        "/x?from=2024-01-31&class=bulk", {**JSON, "From": "ops@api.example"}
    )


def test_a_form_body_in_the_callers_order() -> None:
    charge = operation(
        Member("amount"),
        Member("capture"),
        Member("tags", encoding=Encoding(style="form", explode=False)),
        Member("address", encoding=Encoding(style="deepObject", explode=True)),
        Member("codes"),
        method="POST",
        path="/charges",
        body=Form(required=True),
    )
    arguments = {
        "codes": ["x", "y/z"],
        "amount": 500,
        "capture": False,
        "tags": ["red", "blue"],
        "address": {"city": "Oslo", "zip": "0150"},
    }
    assert build(charge, arguments, SERVER) == Outgoing(
        "POST",
        SERVER + "/charges",
        {**JSON, "Content-Type": "application/x-www-form-urlencoded"},
        b"codes=x&codes=y%2Fz&amount=500&capture=false&tags=red,blue"
        b"&address%5Bcity%5D=Oslo&address%5Bzip%5D=0150",
    )


def test_a_multipart_body_with_files() -> None:
    upload = operation(
        Member("title"),
        Member("meta"),
        Member("pages", encoding=Encoding(content_type="image/png", binary=True)),
        method="POST",
        path="/documents",
        body=Multipart(required=True),
    )
    pages = [
        {"filename": "p1.png", "data_base64": "UE5HMQ=="},
        {"filename": "p2.png", "data_base64": "UE5HMg=="},
    ]
    arguments = {"title": "Q1", "meta": {"lang": "no"}, "pages": pages}
    assert build(upload, arguments, SERVER, boundary="B") == Outgoing(
        "POST",
        SERVER + "/documents",
        {**JSON, "Content-Type": "multipart/form-data; boundary=B"},
        b'--B\r\nContent-Disposition: form-data; name="title"\r\n\r\nQ1\r\n'
        b'--B\r\nContent-Disposition: form-data; name="meta"\r\n'
        b'Content-Type: application/json\r\n\r\n{"lang":"no"}\r\n'
        b'--B\r\nContent-Disposition: form-data; name="pages"; filename="p1.png"\r\n'
        b"Content-Type: image/png\r\n\r\nPNG1\r\n"
        b'--B\r\nContent-Disposition: form-data; name="pages"; filename="p2.png"\r\n'
        b"Content-Type: image/png\r\n\r\nPNG2\r\n--B--\r\n",
    )


def test_path_query_and_header_together() -> None:
    member = operation(
        Path("orgId"),
        Path("memberId"),
        Query("expand", "expand__query", explode=False),
        Header("expand", "expand__header"),
        Header("X-Trace"),
        path="/orgs/{orgId}/members/{memberId}",
    )
    arguments = {
        "orgId": "o1",
        "memberId": "m 2",
        "expand__query": ["a", "b"],
        "expand__header": "full",
        "X-Trace": "z",
    }
    assert build(member, arguments, SERVER) == get(
        "/orgs/o1/members/m%202?expand=a,b", {**JSON, "expand": "full", "X-Trace": "z"}
    )


@pytest.mark.parametrize(
    ("body", "rows", "arguments", "content_type", "data"),
    [
        (Text(required=True), (WholeBody(),), {"body": "hi, you"}, "text/plain", b"hi, you"),
        (
            Json(media_type="application/merge-patch+json"),
            (Member("text"),),
            {"text": None},
            "application/merge-patch+json",
            b'{"text":null}',
        ),
        (
            Binary(required=True),
            (WholeBody(),),
            {"body": {"data_base64": "AAEC/w=="}},
            "application/octet-stream",
            b"\x00\x01\x02\xff",
        ),
        (
            Json(media_type="application/json; charset=utf-8"),
            (Member("sku"),),
            {"sku": "s1"},
            "application/json; charset=utf-8",
            b'{"sku":"s1"}',
        ),
    ],
)
def test_the_media_type_decides_the_body(
    body: Body,
    rows: tuple[Argument, ...],
    arguments: dict[str, Any],
    content_type: str,
    data: bytes,
) -> None:
    draft = build(operation(*rows, method="POST", body=body), arguments, SERVER)
    assert draft == Outgoing("POST", SERVER + "/x", {**JSON, "Content-Type": content_type}, data)


def test_hostile_names_are_only_data() -> None:
    hostile = operation(
        Path("key"),
        Member('q"r'),
        Member("__class__"),
        Member("s\nt"),
        method="POST",
        path="/it's/{key}",
        body=Json(),
    )
    arguments = {"key": "a'b", 'q"r': "v", "__class__": "w", "s\nt": "u"}
    draft = build(hostile, arguments, SERVER)
    assert (draft.url, draft.body) == (
        SERVER + "/it's/a%27b",
        b'{"q\\"r":"v","__class__":"w","s\\nt":"u"}',
    )


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


# ── whole ───────────────────────────────────────────────────────────────────────────


def test_an_unknown_argument_is_never_dropped_in_silence() -> None:
    assert problem(operation(Query("a")), {"a": 1, "b": 2}) == ("b", "invalid_arguments")


def test_unset_arguments_are_not_given() -> None:
    row = operation(Query("a"), Member("m"), method="POST", body=Json())
    assert build(row, {"a": UNSET, "m": UNSET}, SERVER) == Outgoing("POST", SERVER + "/x", JSON)


@pytest.mark.parametrize("place", [Query, Header, Cookie, Member])
@pytest.mark.parametrize("value", [float("nan"), {"a": {"b": object()}}])
def test_what_has_no_text_is_a_problem_of_its_argument(place: type[Any], value: Any) -> None:
    row = operation(place("p"), method="POST", body=Form())
    assert problem(row, {"p": value}) == ("p", "invalid_arguments")


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("https://api.example", "https://api.example/x"),
        ("https://api.example/", "https://api.example/x"),
        ("https://api.example/v1/", "https://api.example/v1/x"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1/x"),
    ],
)
def test_the_base_path_is_kept_and_joined_by_one_slash(server: str, expected: str) -> None:
    assert build(operation(), {}, server).url == expected


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
EVERYWHERE = operation(
    Path("p"),
    Path("r", allow_reserved=True),
    Query("q"),
    Query("d", style="deepObject"),
    Query("a", allow_reserved=True),
    Header("H"),
    Cookie("c"),
    Member("m"),
    method="POST",
    path="/x/{p}/{r}",
    body=Multipart(),
)


@given(
    st.fixed_dictionaries(
        {row.name: ANYTHING for row in EVERYWHERE.arguments if not isinstance(row, WholeBody)}
    )
)
def test_any_value_is_sent_on_this_server_in_legal_characters_or_refused(
    arguments: dict[str, Any],
) -> None:
    try:
        draft = build(EVERYWHERE, arguments, SERVER)
    except RequestProblem as problem:
        assert problem.argument in arguments
        return
    assert draft.url.startswith(SERVER + "/x/")
    assert draft.url.isascii() and draft.url.isprintable()
    assert not set(draft.url) & set(' "<>\\^`{|}#[]')
    for name, value in draft.headers.items():
        assert name.isascii() and not set(value) & set("\r\n\0")
        assert value.encode("latin-1") is not None
