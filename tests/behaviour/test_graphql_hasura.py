"""A package of Hasura's habits against a server that pages by offset."""

import asyncio
import json
from pathlib import Path
from typing import Any

from toolmint.generator.settings.policy import GraphQLSettings

from .graphql_packages import spoken, tracker_package
from .loopback import Answer, Seen, loopback

SDL = """
schema { query: query_root }
type query_root { users(limit: Int, offset: Int): [users!]! }
type users { id: Int! }
"""


def users(seen: Seen) -> Answer:
    """Seven rows; a page has three unless more are asked for."""
    given = json.loads(seen.body).get("variables", {})
    start, size = given.get("offset") or 0, given.get("limit") or 3
    rows = [{"id": number} for number in range(1, 8)]
    return Answer.of({"data": {"users": rows[start : start + size]}})


def test_rows_are_read_page_after_page(tmp_path: Path) -> None:
    package = tracker_package(
        tmp_path, "graphql_hasura_tools", spoken(GraphQLSettings(preset="hasura")), sdl=SDL
    )
    with loopback() as server:
        server.answer = users

        async def main() -> list[object]:
            async with package(
                base_url=server.url, credentials={"apiKey": "s3cret"}, retry=False
            ) as tools:
                asked: list[dict[str, Any]] = [
                    {"_page": {"pages": 5}},
                    {"limit": 5, "_page": {"pages": 5}},
                ]
                return [(await tools.call("users", given)).data for given in asked]

        every = [{"id": number} for number in range(1, 8)]
        assert asyncio.run(main()) == [every, every]
        assert {one.headers["x-hasura-admin-secret"] for one in server.seen} == {"s3cret"}
        assert [json.loads(one.body).get("variables") for one in server.seen] == [
            None,
            {"offset": 3},
            {"offset": 6},
            {"offset": 7},  # how long a page is was not said: the first empty one ends it
            {"limit": 5},
            {"limit": 5, "offset": 5},
        ]
