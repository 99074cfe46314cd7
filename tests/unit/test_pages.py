"""The next page is found where servers say it, and a walk always ends."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from toolmint.runtime.edge.pages import (
    MOST_PAGES,
    PageRequest,
    Walk,
    page_request,
    step_of,
    token_of,
    walk,
)
from toolmint.runtime.edge.paging import ByArguments, ByUrl, Page, Step, merged, next_step
from toolmint.runtime.operation import Paging
from toolmint.runtime.validation import Problem

URL = "https://api.example/v1/things?state=open"
NAMES = ("state", "cursor", "page", "per_page", "offset")
KEY = b"k" * 32


def page(
    data: Any = None,
    headers: Mapping[str, str] | None = None,
    arguments: Mapping[str, Any] | None = None,
    method: str = "GET",
) -> Page:
    return Page(data=data, headers=headers or {}, url=URL, method=method, arguments=arguments or {})


@pytest.mark.parametrize(
    ("answer", "step"),
    [
        # Link (RFC 8288)
        (
            page([1], {"link": '<https://api.example/v1/things?page=2>; rel="next"'}),
            ByUrl("https://api.example/v1/things?page=2"),
        ),
        (
            page([1], {"link": '</x?a=1,2>; rel=prev, <?page=2>; title="a;b,c"; rel="last next"'}),
            ByUrl("https://api.example/v1/things?page=2"),
        ),
        (page([1], {"link": '<https://api.example/v1/things?page=1>; rel="prev"'}), None),
        (page([1], {"link": '<https://evil.example/things?page=2>; rel="next"'}), None),
        (page([1], {"link": '<http://api.example/v1/things?page=2>; rel="next"'}), None),
        (page([1], {"link": '<https://u@api.example/things?page=2>; rel="next"'}), None),
        (page([1], {"link": f'<{URL}>; rel="next"'}), None),
        (page([1], {"link": '<?page=2>; rel="next"'}, method="POST"), None),
        # a URL in the body
        (page({"next": "/v1/things?page=2"}), ByUrl("https://api.example/v1/things?page=2")),
        (page({"links": {"next": "?page=2"}}), ByUrl("https://api.example/v1/things?page=2")),
        (page({"_links": {"next": {"href": "?p=2"}}}), ByUrl("https://api.example/v1/things?p=2")),
        (page({"@odata.nextLink": "?$skip=9"}), ByUrl("https://api.example/v1/things?$skip=9")),
        (page({"next": "https://evil.example/"}), None),
        (page({"next": "https://[bad"}), None),
        (page({"next": "https://api.example:99999/"}), None),
        (page([1], {"link": '<//[bad>; rel="next"'}), None),
        (page({"next": None, "results": [1]}, arguments={"per_page": 1}), None),
        # a cursor in the body
        (page({"next_cursor": "abc"}), ByArguments({"cursor": "abc"})),
        (page({"response_metadata": {"next_cursor": "abc"}}), ByArguments({"cursor": "abc"})),
        (page({"meta": {"pagination": {"nextCursor": "x"}}}), ByArguments({"cursor": "x"})),
        (page({"pageInfo": {"hasNextPage": True, "endCursor": "x"}}), ByArguments({"cursor": "x"})),
        (page({"pageInfo": {"hasNextPage": False, "endCursor": "x"}}), None),
        (page({"next_cursor": "abc"}, method="POST"), ByArguments({"cursor": "abc"})),
        (page({"next_cursor": "abc"}, arguments={"cursor": "abc"}), None),
        (page({"next_cursor": ""}), None),
        # full pages
        (page([1, 2], arguments={"per_page": 2}), ByArguments({"page": 2})),
        (page([1, 2], arguments={"per_page": 2, "page": 4}), ByArguments({"page": 5})),
        (page([1], arguments={"per_page": 2}), None),
        (page({"items": [1, 2]}, arguments={"per_page": 2}), ByArguments({"page": 2})),
        (page({"items": [1], "has_more": False}, arguments={"per_page": 1}), None),
        (page([1, 2]), None),
        (page("text"), None),
        (page(None), None),
    ],
)
def test_a_next_page_is_recognised(answer: Page, step: Step | None) -> None:
    assert next_step(answer, NAMES) == step


def test_offsets_count_on_by_the_items_that_came() -> None:
    answer = page({"records": [1, 2, 3]}, arguments={"limit": 3, "offset": 6})
    assert next_step(answer, ("limit", "offset")) == ByArguments({"offset": 9})


def test_a_cursor_without_an_argument_to_take_it_leads_nowhere() -> None:
    assert next_step(page({"next_cursor": "abc"}), ("state",)) is None


@pytest.mark.parametrize(
    ("paging", "answer", "step"),
    [
        (
            Paging(kind="cursor", argument="from", next="meta.position"),
            page({"meta": {"position": 17}}),
            ByArguments({"from": 17}),
        ),
        (
            Paging(kind="cursor", argument="from", next="meta.position", more="meta.more"),
            page({"meta": {"position": 17, "more": False}}),
            None,
        ),
        (
            Paging(kind="page", argument="p", size_argument="n", items="list"),
            page({"list": [1, 2]}, arguments={"n": 2}),
            ByArguments({"p": 2}),
        ),
        (
            Paging(kind="offset", argument="from", size_argument="n"),
            page([1, 2], arguments={"n": 2, "from": 4}),
            ByArguments({"from": 6}),
        ),
        (Paging(kind="offset", argument="from", size_argument="n"), page([]), None),
        (
            Paging(kind="url", next="more_at"),
            page({"more_at": "?z=1"}),
            ByUrl("https://api.example/v1/things?z=1"),
        ),
        (Paging(kind="url", next="more_at"), page({"more_at": "//evil.example/"}), None),
    ],
)
def test_what_the_description_says_is_followed(
    paging: Paging, answer: Page, step: Step | None
) -> None:
    assert next_step(answer, NAMES, paging) == step


# ── walking ─────────────────────────────────────────────────────────────────────────


class Server:
    """Numbered pages, each with a cursor to the next."""

    def __init__(self, last: int, gone: int = 0) -> None:
        self.last = last
        self.gone = gone
        self.asked: list[Step] = []

    def page(self, number: int) -> Page:
        follows = str(number + 1) if number < self.last else None
        return page({"items": [number], "next_cursor": follows})

    async def fetch(self, step: Step) -> Page | None:
        self.asked.append(step)
        assert isinstance(step, ByArguments)
        number = int(step.arguments["cursor"])
        return None if number == self.gone else self.page(number)

    def walk(self, pages: int, **options: Any) -> Walk:
        walking = walk(self.page(1), self.fetch, pages=pages, names=NAMES, **options)
        return asyncio.run(walking)


def items(walked: Walk) -> Any:
    return merged([page.data for page in walked.pages])["items"]


def test_as_many_pages_are_read_as_were_asked_for() -> None:
    walked = Server(last=9).walk(3)
    assert items(walked) == [1, 2, 3]
    assert (walked.next, walked.stopped) == (ByArguments({"cursor": "4"}), "asked")


def test_the_last_page_ends_a_walk() -> None:
    walked = Server(last=2).walk(5)
    assert (items(walked), walked.next, walked.stopped) == ([1, 2], None, "last")


def test_a_walk_is_capped() -> None:
    walked = Server(last=1000).walk(1000)
    assert (len(walked.pages), walked.stopped) == (MOST_PAGES, "asked")
    assert Server(last=1000).walk(20, most_bytes=100).stopped == "bytes"


def test_a_page_that_cannot_be_had_keeps_those_before_it() -> None:
    walked = Server(last=9, gone=3).walk(5)
    assert items(walked) == [1, 2]
    assert (walked.next, walked.stopped) == (ByArguments({"cursor": "3"}), "failed")


def test_a_circle_ends_a_walk() -> None:
    async def fetch(step: Step) -> Page:
        return page({"items": [2], "next_cursor": "a"})

    first = page({"items": [1], "next_cursor": "a"})
    walked = asyncio.run(walk(first, fetch, pages=9, names=NAMES))
    assert (items(walked), walked.next, walked.stopped) == ([1, 2], None, "repeated")


def test_a_page_that_came_from_elsewhere_is_not_taken() -> None:
    async def fetch(step: Step) -> Page:
        return Page(data=[2], headers={}, url="https://evil.example/", method="GET", arguments={})

    first = page([1], {"link": '<?page=2>; rel="next"'})
    walked = asyncio.run(walk(first, fetch, pages=9, names=NAMES))
    assert ([page.data for page in walked.pages], walked.stopped) == ([[1]], "origin")


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([[1], [2, 3]], [1, 2, 3]),
        ([{"data": [1], "total": 3}, {"data": [2], "total": 3}], {"data": [1, 2], "total": 3}),
        ([{"things": [1], "n": 1}, {"things": [2], "n": 2}], {"things": [1, 2], "n": 1}),
        ([{"a": [1], "b": [1]}, {"a": [2], "b": [2]}], None),
        (["text", "text"], None),
    ],
)
def test_pages_become_one_result(pages: list[Any], expected: Any) -> None:
    assert merged(pages) == expected


def test_items_may_lie_deeper() -> None:
    pages = [{"d": {"list": [1], "k": 1}}, {"d": {"list": [2], "k": 2}}]
    assert merged(pages, "d.list") == {"d": {"list": [1, 2], "k": 1}}


# ── the argument ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "step", [ByArguments({"cursor": "a/b+c=="}), ByUrl("https://api.example/v1/things?page=2")]
)
def test_a_step_survives_the_model(step: Step) -> None:
    assert step_of(token_of(step, KEY, "list") or "", KEY, NAMES, "list") == step


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "u.aHR0cHM6Ly9hcGkuZXhhbXBsZS9hZG1pbg",
        "u.aHR0cHM6Ly9hcGkuZXhhbXBsZS9hZG1pbg.AAAA",
        token_of(ByUrl("https://api.example/admin"), b"another key", "list"),
        token_of(ByUrl("https://api.example/admin"), KEY, "another_tool"),
        token_of(ByArguments({"not_an_argument": 1}), KEY, "list"),
        "a.!!!!",
        "a.W10",
        "é.é",
    ],
)
def test_a_made_up_token_is_refused(token: str) -> None:
    assert step_of(token, KEY, NAMES, "list") == Problem(
        "/_page", "_page", "`after` is not one that this tool gave; start without it"
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, PageRequest()),
        ({"after": "x"}, PageRequest("x", 1)),
        ({"pages": 3}, PageRequest(None, 3)),
    ],
)
def test_the_argument_is_read(value: object, expected: PageRequest) -> None:
    assert page_request(value) == expected


@pytest.mark.parametrize(
    "value", [None, 3, [], {"page": 2}, {"pages": 0}, {"pages": 21}, {"pages": True}, {"after": 1}]
)
def test_a_wrong_argument_is_a_problem(value: object) -> None:
    assert isinstance(page_request(value), Problem)
