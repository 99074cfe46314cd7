"""Generated tools know how their results are paged, and read on by it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.behaviour.edge import edge
from tests.behaviour.generated import generated
from tests.behaviour.loopback import Answer, Seen, loopback
from toolmint.runtime import Bounds, Paging, ToolResult

DESCRIPTION = """
    paths:
      /numbers:
        get:
          operationId: list_numbers
          parameters:
            - {name: page, in: query, schema: {type: integer, minimum: 1}}
            - {name: per_page, in: query, schema: {type: integer}}
          responses:
            "200":
              description: Some.
              content:
                application/json: {schema: {type: array, items: {type: integer}}}
      /letters:
        get:
          operationId: list_letters
          parameters:
            - {name: cursor, in: query, schema: {type: string}}
          responses:
            "200":
              description: Some.
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      data: {type: array, items: {type: string}}
                      next_cursor: {type: [string, "null"]}
"""

REX = {"id": 1, "name": "Rex"}


def numbers(seen: Seen) -> Answer:
    asked = parse_qs(urlsplit(seen.target).query)
    page, size = int(asked.get("page", ["1"])[0]), int(asked.get("per_page", ["3"])[0])
    return Answer.of(list(range(1, 8))[(page - 1) * size : page * size])


def letters(seen: Seen) -> Answer:
    at = int(parse_qs(urlsplit(seen.target).query).get("cursor", ["0"])[0])
    following = str(at + 2) if at + 2 < 5 else None
    return Answer.of({"data": list("abcde")[at : at + 2], "next_cursor": following})


def test_pages_are_walked_as_the_description_says(tmp_path: Path) -> None:
    kind = generated(tmp_path, DESCRIPTION, package="paged_tools")
    with loopback() as server:
        server.answer = lambda seen: (
            numbers(seen) if seen.target.startswith("/numbers") else letters(seen)
        )

        async def main() -> list[ToolResult]:
            async with kind(credentials={}, base_url=server.url) as toolset:
                given: list[tuple[str, dict[str, Any]]] = [
                    ("list_numbers", {"_page": {"pages": 20}}),
                    ("list_numbers", {"per_page": 5, "_page": {"pages": 20}}),
                    ("list_letters", {"_page": {"pages": 2}}),
                    ("list_letters", {"_page": {"pages": 20}}),
                ]
                return [await toolset.call(name, arguments) for name, arguments in given]

        tool = kind(credentials={})["list_numbers"]
        assert tool.operation.paging == Paging(
            kind="page", argument="page", size_argument="per_page"
        )
        by_page, by_size, some, every = asyncio.run(main())
    assert by_page.data == by_size.data == [1, 2, 3, 4, 5, 6, 7]
    assert [seen.target for seen in server.seen][:6] == [
        "/numbers",
        "/numbers?page=2",
        "/numbers?page=3",
        "/numbers?page=4",  # how long a page is was not said: the first empty one ends it
        "/numbers?per_page=5",
        "/numbers?page=2&per_page=5",
    ]
    assert some.data == {"data": ["a", "b", "c", "d"], "next_cursor": "4"}
    assert "next_page" in some.metadata
    assert every.data == {"data": list("abcde"), "next_cursor": None}
    assert "next_page" not in every.metadata


def test_a_next_page_that_repeats_our_key_is_asked_for_with_the_key_once(tmp_path: Path) -> None:
    made = generated(
        tmp_path,
        """
        components: {securitySchemes: {key: {type: apiKey, in: query, name: api_key}}}
        security: [{key: []}]
        paths: {/x: {get: {operationId: list_x, responses: {"200": {description: Some.}}}}}
        """,
        package="keyed_pages",
    )
    with loopback() as server:

        def answer(seen: Seen) -> Answer:
            more = f"{server.url}{seen.target}&p=2"
            return Answer.of({"items": [1], "next": None if "p=2" in seen.target else more})

        server.answer = answer
        keyed = made(credentials={"key": "k-123456"}, base_url=server.url)
        result = asyncio.run(keyed.call("list_x", {"_page": {"pages": 3}}))
    assert result.data["items"] == [1, 1]
    assert [seen.target for seen in server.seen] == [
        "/x?api_key=k-123456",
        "/x?p=2&api_key=k-123456",
    ]
    assert "k-123456" not in repr(result)


def paged(*pages: object) -> Callable[[Seen], Answer]:
    """A server of pages, each of which leads to the next."""

    def answer(seen: Seen) -> Answer:
        number = int(parse_qs(urlsplit(seen.target).query).get("p", ["1"])[0])
        page = pages[number - 1]
        if number == len(pages):
            return Answer.of(page)
        return Answer.of(page, Link=f"<?p={number + 1}>; rel=next")

    return answer


def test_what_is_wrong_with_a_later_page_is_said() -> None:
    with edge() as at:
        at.server.answer = paged([REX], [{"id": 2}], [REX], [{"id": 4}])
        result = at.call(at.petstore(), "list_pets", {"_page": {"pages": 4}})
        assert result.data == [REX, {"id": 2}, REX, {"id": 4}]
        problems: Any = result.metadata["result_problems"]
        assert [(one["page"], one["pointer"], one["reason"]) for one in problems] == [
            (2, "/0/name", "is required"),
            (4, "/0/name", "is required"),
        ]
        assert result.metadata["notes"] == ("This result is not as described at /0/name.",)


def test_a_way_on_that_is_not_followed_is_said() -> None:
    with edge() as at, loopback() as other:
        pages = paged([REX], [REX], [REX])
        other.answer = pages
        away = Answer(302, b"", {"Location": f"{other.url}/?p=2"})
        at.server.answer = lambda seen: away if "p=2" in seen.target else pages(seen)
        result = at.call(at.petstore(), "list_pets", {"_page": {"pages": 3}})
        assert (result.data, result.metadata["pages"]) == ([REX], 1)
        assert result.metadata["notes"] == (
            "More pages may follow at another address, which was not followed.",
        )
        at.server.answer = lambda seen: Answer.of(
            [REX], Link=f"<?p={2 if 'p=1' in seen.target else 1}>; rel=next"
        )
        result = at.call(at.petstore(), "list_pets", {"_page": {"pages": 9}})
        assert (result.metadata["pages"], "next_page" in result.metadata) == (3, False)
        assert result.metadata["notes"] == (
            "The server leads in a circle: what follows is not known.",
        )


def test_all_pages_of_a_call_share_its_time() -> None:
    with edge() as at:

        def slow(_: Seen) -> Answer:
            at.clock.move(40)
            following = f"<?p={len(at.server.seen) + 1}>; rel=next"
            return Answer.of([{"id": 1, "name": "Rex"}], Link=following)

        at.server.answer = slow
        petstore = at.petstore(bounds=Bounds(total_seconds=100))
        result = at.call(petstore, "list_pets", {"_page": {"pages": 10}})
        assert (result.outcome, result.metadata["pages"], len(at.server.seen)) == ("ok", 3, 3)
        assert result.metadata["notes"] == ("The next page could not be read: timeout.",)
        assert "next_page" in result.metadata
