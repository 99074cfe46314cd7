"""Whole requests: every case goes from one operation and its arguments to exact bytes."""

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
    Text,
    WholeBody,
)
from toolmint.runtime.unset import UNSET
from toolmint.runtime.wire.refusal import RequestProblem
from toolmint.runtime.wire.request import build

from .requested import JSON, SERVER, get, operation, problem

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
