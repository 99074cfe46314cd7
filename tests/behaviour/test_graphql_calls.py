"""Calls of a generated GraphQL package against a server with real resolvers."""

import asyncio
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.clock import ManualClock
from toolmint.runtime import Bounds, Surroundings, ToolResult, Toolset
from toolmint.runtime.limits import Limiters

from .graphql_packages import tracker_package
from .graphql_server import Tracker, tracker
from .loopback import Answer

NOTHING_WAITS: dict[str, Any] = {"credentials": {}}


@dataclass
class Edge:
    """The package and its server, on a clock that the test holds."""

    toolset: type[Toolset]
    server: Tracker
    clock: ManualClock = field(default_factory=ManualClock)

    def call(self, name: str, arguments: Any = None, **settings: Any) -> ToolResult:
        """One call, with every wait passed at once."""
        surroundings = Surroundings(
            clock=self.clock, uniform=lambda _, most: most, limiters=Limiters(self.clock)
        )

        async def main() -> ToolResult:
            async with self.toolset(
                base_url=self.server.url, credentials={}, surroundings=surroundings, **settings
            ) as tools:
                return await self.clock.drive(tools.call(name, arguments))

        return asyncio.run(main())

    @property
    def documents(self) -> list[str]:
        """The texts that were sent."""
        return [str(one.get("query")) for one in self.server.seen]


@pytest.fixture(scope="module")
def toolset(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    return tracker_package(tmp_path_factory.mktemp("graphql"), "graphql_calls_tools")


@pytest.fixture
def edge(toolset: type[Toolset]) -> Generator[Edge]:
    with tracker() as server:
        yield Edge(toolset, server)


# ── data and errors ─────────────────────────────────────────────────────────────────


def test_the_data_is_what_the_root_field_gave(edge: Edge) -> None:
    result = edge.call("issue", {"id": "2"})
    assert (result.success, result.data["title"]) == (True, "Issue 2")
    assert result.data["author"] == {"id": "u1", "name": "Ann"}


def test_an_answer_without_data_is_a_failure_that_names_the_place(edge: Edge) -> None:
    result = edge.call("issue", {"id": "boom"})
    assert (result.outcome, result.data) == ("error", None)
    assert str(result.error) == "issue: the database fell over (at issue)"


def test_data_beside_errors_is_a_success_that_says_it_is_partial(edge: Edge) -> None:
    edge.server.hidden = frozenset(("body",))
    result = edge.call("issue", {"id": "1"})
    assert (result.success, result.data["body"], result.metadata["partial"]) == (True, None, True)
    assert result.metadata["errors"] == (
        {"message": "body may not be seen", "path": "issue.body", "code": "FORBIDDEN"},
    )
    assert "This result is not whole: body may not be seen" in result.to_message()


def test_user_errors_are_a_failure_that_keeps_the_payload(edge: Edge) -> None:
    result = edge.call("create_issue", {"input": {"title": " "}})
    assert (result.outcome, result.success) == ("error", False)
    assert result.data == {
        "userErrors": [{"message": "is blank", "field": ["input", "title"], "code": "BLANK"}],
        "issue": None,
    }
    assert str(result.error) == "create_issue: is blank (at input.title)"


def test_bad_input_found_by_the_server_is_told_as_such(edge: Edge) -> None:
    result = edge.call("issues", {"first": 2, "last": 2})
    assert result.outcome == "invalid_arguments"


def test_an_answer_that_is_not_graphql_is_an_error(edge: Edge) -> None:
    edge.server.http.answer = lambda _: Answer.of({"hello": "world"})
    result = edge.call("issue", {"id": "1"})
    assert "neither data nor errors" in str(result.error)


# ── asking again ────────────────────────────────────────────────────────────────────


def test_a_field_that_may_not_be_seen_is_left_out_once(edge: Edge) -> None:
    edge.server.hidden = frozenset(("title",))
    result = edge.call("issue", {"id": "1"})
    assert result.success and "title" not in result.data
    assert [" title\n" in text for text in edge.documents] == [True, False]
    assert result.metadata["notes"] == (
        "Left out, because these credentials may not see it: title.",
    )


def test_a_question_too_complex_is_asked_again_for_leaves_only(edge: Edge) -> None:
    edge.server.limit = 250
    result = edge.call("issue", {"id": "1"})
    assert result.success and "author" not in result.data
    assert result.data["title"] == "Issue 1"
    assert len(edge.documents) == 2


def test_a_throttled_call_waits_until_its_cost_is_restored(edge: Edge) -> None:
    edge.server.throttled = 1
    start = edge.clock.monotonic()
    result = edge.call("create_issue", {"input": {"title": "T"}})
    assert result.success and edge.server.created == ["T"]
    assert edge.clock.monotonic() - start == pytest.approx(2.2)  # (30 - 10) / 10, and a tenth


def test_a_mutation_whose_answer_was_lost_is_not_repeated(edge: Edge) -> None:
    edge.server.http.answer = lambda _: Answer(hang_up=True)
    result = edge.call("delete_issue", {"id": "1"})
    assert (result.outcome, len(edge.server.http.seen)) == ("unknown_effect", 1)


def test_a_query_whose_answer_was_lost_is_repeated(edge: Edge) -> None:
    answers = iter([Answer(hang_up=True)])
    edge.server.http.answer = lambda seen: next(answers, None) or edge.server.answer(seen)
    assert edge.call("issue", {"id": "1"}).success


def test_a_caller_who_is_not_known_is_told_in_the_words_of_http(edge: Edge) -> None:
    result = edge.call("viewer")
    assert (result.metadata["status"], "Sign in first" in str(result.error)) == (401, True)


# ── pages, files, events ────────────────────────────────────────────────────────────


def test_pages_are_walked_by_cursor(edge: Edge) -> None:
    result = edge.call("issues", {"_page": {"pages": 3}})
    assert [edge_["node"]["id"] for edge_ in result.data["edges"]] == [
        str(number) for number in range(1, 26)
    ]
    assert result.data["pageInfo"] == {"hasNextPage": False, "endCursor": "25"}
    assert [one.get("variables") for one in edge.server.seen] == [
        None,
        {"after": "10"},
        {"after": "20"},
    ]


def test_the_last_items_are_asked_for_without_the_first(edge: Edge) -> None:
    result = edge.call("issues", {"last": 2})
    assert [one["node"]["id"] for one in result.data["edges"]] == ["24", "25"]


def test_files_travel_as_parts_wherever_they_stand(edge: Edge) -> None:
    result = edge.call(
        "attach",
        {
            "issue": "1",
            "files": [{"filename": "a.txt", "data_base64": "aGk="}, {"data_base64": ""}],
            "note": {"text": "x", "file": {"filename": "n.txt", "data_base64": "aGk="}},
        },
    )
    assert result.data == {"names": ["a.txt", "1"], "sizes": [2, 0], "noteFile": "n.txt"}


def test_files_left_out_are_plain_json(edge: Edge) -> None:
    edge.call("attach", {"issue": "1", "files": []})
    assert edge.server.http.seen[0].headers["content-type"] == "application/json"


def test_a_subscription_is_what_came_before_its_end(edge: Edge) -> None:
    result = edge.call("issue_created", {"limit": 3})
    assert [issue["id"] for issue in result.data] == ["1", "2", "3"]


def test_a_subscription_that_is_answered_once_is_one_event(edge: Edge) -> None:
    told = {"data": {"issueCreated": {"id": "1", "title": "Issue 1"}}}
    edge.server.http.answer = lambda _: Answer.of(told)
    result = edge.call("issue_created")
    assert (result.data, result.outcome) == ([{"id": "1", "title": "Issue 1"}], "ok")


def test_a_subscription_is_cut_at_its_bound(edge: Edge) -> None:
    result = edge.call("issue_created", {"limit": 20}, bounds=Bounds(stream_events=3))
    assert 0 < len(result.data) <= 3


# ── fields chosen at call time ──────────────────────────────────────────────────────


def test_chosen_fields_are_all_that_is_asked_for(edge: Edge) -> None:
    fields = ["title", "author.email", "comments.nodes.body"]
    result = edge.call("issue", {"id": "1", "_fields": fields})
    assert result.data == {
        "title": "Issue 1",
        "author": {"email": "ann@example.org"},
        "comments": {"nodes": []},
    }
    assert "comments(first: 5)" in edge.documents[0]


def test_chosen_fields_of_possible_types_go_into_fragments(edge: Edge) -> None:
    result = edge.call("search", {"text": "x", "_fields": ["title", "name"]})
    assert result.data == [
        {"__typename": "Issue", "title": "Issue 1"},
        {"__typename": "User", "name": "Ann"},
    ]


def test_chosen_fields_keep_the_way_to_the_next_page(edge: Edge) -> None:
    asked = {"_fields": ["edges.node.id"], "_page": {"pages": 2}}
    result = edge.call("issues", asked)
    assert len(result.data["edges"]) == 20


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("titel", "there is no 'titel' in the result; did you mean title or state?"),
        ("title.x", "has no parts of its own"),
        ("author { email }", "there is no 'author { email }' in the result"),
        (".".join(["author.issues.edges.node"] * 3), "has more than 8 parts"),
    ],
)
def test_a_path_that_is_no_field_is_refused(edge: Edge, path: str, why: str) -> None:
    result = edge.call("issue", {"id": "1", "_fields": [path]})
    assert (result.outcome, edge.server.seen) == ("invalid_arguments", [])
    assert why in str(result.error)
