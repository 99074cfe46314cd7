"""Which operations a pattern means."""

import pytest

from toolmint.generator.selection import find, nearest, select

from .samples import field, operation

OPERATIONS = (
    operation("GET /repos/{owner}", "repos/get", tags=["repos"]),
    operation("GET /repos/{owner}/issues", "issues/list", tags=["issues"]),
    operation("POST /repos/{owner}/issues", "issues/create", tags=["issues"]),
    operation("GET /repos", "repos/list", tags=["repos"]),
    operation("GET /repository", None),
    field("Query.repository"),
)
NAMES = {
    "GET /repos/{owner}": "repos_get",
    "GET /repos/{owner}/issues": "issues_list",
    "POST /repos/{owner}/issues": "issues_create",
    "GET /repos": "repos_list",
    "GET /repository": "get_repository",
    "Query.repository": "repository",
}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("tag:issues", ["GET /repos/{owner}/issues", "POST /repos/{owner}/issues"]),
        ("tag:iss*", ["GET /repos/{owner}/issues", "POST /repos/{owner}/issues"]),
        (
            "GET /repos/**",
            ["GET /repos/{owner}", "GET /repos/{owner}/issues", "GET /repos"],
        ),
        ("/repos/*", ["GET /repos/{owner}"]),
        ("/repos/{owner}", ["GET /repos/{owner}"]),
        ("post /**/issues", ["POST /repos/{owner}/issues"]),
        ("* /repos", ["GET /repos"]),
        ("repos/get", ["GET /repos/{owner}"]),
        ("issues/*", ["GET /repos/{owner}/issues", "POST /repos/{owner}/issues"]),
        ("get_repository", ["GET /repository"]),
        ("Query.*", ["Query.repository"]),
    ],
)
def test_a_pattern_means_operations(pattern: str, expected: list[str]) -> None:
    found = select(OPERATIONS, NAMES, include=[pattern])

    assert [operation.key for operation in found.operations] == expected
    assert found.unmatched == ()


def test_exclude_goes_after_include() -> None:
    found = select(OPERATIONS, NAMES, ["tag:issues", "repos/get"], ["POST /**"])

    assert [operation.key for operation in found.operations] == [
        "GET /repos/{owner}",
        "GET /repos/{owner}/issues",
    ]


def test_without_patterns_all_are_taken() -> None:
    assert select(OPERATIONS, NAMES).operations == OPERATIONS


def test_a_pattern_that_means_nothing_is_named() -> None:
    found = select(OPERATIONS, NAMES, ["tag:nope", "repos/get"], ["/nowhere/**", "a[b"])

    assert found.unmatched == ("tag:nope", "/nowhere/**", "a[b")


@pytest.mark.parametrize("key", ["GET /repos", "repos/list", "repos_list"])
def test_settings_name_an_operation_in_three_ways(key: str) -> None:
    assert [operation.key for operation in find(key, OPERATIONS, NAMES)] == ["GET /repos"]


def test_the_nearest_word_is_like_the_mistyped_one() -> None:
    assert nearest("isues/create", ["issues/create", "repos/get"]) == "issues/create"
    assert nearest("Destructve", ["destructive", "read_only"]) == "destructive"
    assert nearest("xyz", ["destructive"]) is None
