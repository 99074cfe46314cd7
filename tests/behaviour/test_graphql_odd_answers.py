"""What a GraphQL server may answer to documents of one root and of several."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from toolmint.generator.settings.policy import GraphQLSettings
from toolmint.runtime import ToolResult, Toolset

from .graphql_packages import spoken, tracker_package
from .loopback import Answer, Loopback, Seen, loopback

SDL = """
type Query { thing: Thing  things: [Thing!] }
type Mutation { save(name: String): Payload }
type Payload { userErrors: [UserError!]! name: String }
type UserError { message: String! }
type Thing { id: ID! a: Int! b: Int! c: Int! }
"""
WRITTEN = """
mutation Both { first: save { userErrors { message } } save { userErrors { message } } }
mutation Maybe($x: Boolean!) { save @include(if: $x) { userErrors { message } } }
"""
GOOD: dict[str, Any] = {"userErrors": []}
BAD: dict[str, Any] = {"userErrors": [{"message": "is blank"}]}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    folder = tmp_path_factory.mktemp("graphql")
    (folder / "written.graphql").write_text(WRITTEN, "utf-8")
    settings = spoken(GraphQLSettings(operations=(str(folder / "written.graphql"),)))
    return tracker_package(folder, "graphql_odd_answers_tools", settings, sdl=SDL)


def called(
    package: type[Toolset], name: str, answer: Callable[[Seen], Answer], arguments: Any = None
) -> tuple[ToolResult, Loopback]:
    with loopback() as server:
        server.answer = answer

        async def main() -> ToolResult:
            async with package(base_url=server.url, credentials={}, retry=False) as tools:
                return await tools.call(name, arguments or {})

        return asyncio.run(main()), server


def told(
    package: type[Toolset], name: str, answer: object, arguments: Any = None
) -> tuple[str, Any, str | None]:
    """The outcome, the data, and what the error says."""
    result, _ = called(package, name, lambda _: Answer.of(answer), arguments)
    return result.outcome, result.data, str(result.error) if result.error else None


def test_user_errors_of_any_payload_fail_a_document_of_several_roots(
    package: type[Toolset],
) -> None:
    data = {"first": GOOD, "save": BAD}
    assert told(package, "both", {"data": data}) == ("error", data, "both: is blank")
    given = {"x": True}
    assert told(package, "maybe", {"data": {"save": BAD}}, given) == (
        "error",
        {"save": BAD},
        "maybe: is blank",
    )
    assert told(package, "maybe", {"data": {}}, {"x": False}) == ("ok", {}, None)


def test_a_document_of_several_roots_that_brought_none_has_failed(package: type[Toolset]) -> None:
    errors = [{"message": "down"}]
    nothing = {"data": {"first": None, "save": None}, "errors": errors}
    assert told(package, "both", nothing) == ("error", None, "both: down")
    result, _ = called(
        package,
        "both",
        lambda _: Answer.of({"data": {"first": GOOD, "save": None}, "errors": errors}),
    )
    assert (result.outcome, result.metadata["partial"]) == ("ok", True)


def test_an_empty_list_beside_an_error_is_data(package: type[Toolset]) -> None:
    answer: dict[str, Any] = {"data": {"things": []}, "errors": [{"message": "a shard is down"}]}
    result, _ = called(package, "things", lambda _: Answer.of(answer))
    assert (result.outcome, result.data, result.metadata["partial"]) == ("ok", [], True)


@pytest.mark.parametrize("answer", [{"errors": []}, {"data": None}, {"data": None, "errors": []}])
def test_an_answer_that_says_nothing_is_an_error(package: type[Toolset], answer: object) -> None:
    outcome, _, why = told(package, "thing", answer)
    assert (outcome, why) == (
        "error",
        "thing: the answer holds neither data nor errors, so it is not GraphQL's",
    )


@pytest.mark.parametrize("errors", ["No such shop", {"message": "No such shop"}])
def test_errors_that_are_no_list_are_told(package: type[Toolset], errors: object) -> None:
    assert told(package, "thing", {"errors": errors}) == ("error", None, "thing: No such shop")


def test_a_null_without_an_error_is_the_result(package: type[Toolset]) -> None:
    assert told(package, "thing", {"data": {"thing": None}}) == ("ok", None, None)
