"""Documents that people wrote, read at generation: their names, their bounds, what is sent."""

from pathlib import Path

import pytest

from tests.unit.described import call, described, keys, operation_of
from toolmint.generator.errors import InputError

SDL = """
type Query { item(id: ID!): Item  items(first: Int, last: Int): Items! }
type Item { id: ID! name: String! parts(first: Int): Items! }
type Items { nodes: [Item!]! pageInfo: PageInfo! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
"""


def folder(path: Path, **texts: str) -> str:
    (path / "ops").mkdir()
    for name, text in texts.items():
        (path / "ops" / f"{name}.graphql").write_text(text, "utf-8")
    return str(path / "ops")


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (
            "query A { item(id: 1) { id } }",
            "\nquery A { item(id: 2) { id } }",
            "b.graphql:2: two operations are called A. Correct it there.",
        ),
        (
            "query A { item(id: 1) { ...F } } fragment F on Item { id }",
            "query B { item(id: 1) { ...F } } fragment F on Item { name }",
            "b.graphql:1: two fragments are called F. Correct it there.",
        ),
    ],
)
def test_two_of_one_name_are_an_error(tmp_path: Path, first: str, second: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        described(SDL, tmp_path, operations=(folder(tmp_path, a=first, b=second),))
    assert str(caught.value) == why


def test_a_fragment_may_stand_in_several_files_as_it_is(tmp_path: Path) -> None:
    fragment = "fragment F on Item { id }"
    written = folder(
        tmp_path,
        a=f"query A {{ item(id: 1) {{ ...F }} }} {fragment}",
        b=f"{fragment}\nquery B {{ item(id: 2) {{ ...F }} }}",
    )
    found = described(SDL, tmp_path, operations=(written,))
    assert keys(found)[:2] == ["A", "B"]
    assert call(found, "B").document == f"query B {{ item(id: 2) {{ ...F }} }}\n\n{fragment}\n"


def test_descriptions_are_read_and_not_sent(tmp_path: Path) -> None:
    """Servers before the specification of 2025 take them for a mistake."""
    core = pytest.importorskip("graphql")
    text = '"""One item."""\nquery A(\n  "Which."\n  $id: ID!\n) { item(id: $id) { id } }'
    try:
        core.parse(text)
    except core.GraphQLError:
        pytest.skip("this graphql-core does not know descriptions of operations")
    found = described(SDL, tmp_path, operations=(folder(tmp_path, a=text),))
    operation = operation_of(found, "A")
    assert (operation.description, operation.arguments[0].schema) == (
        "One item.",
        {"type": "string", "description": "Which."},
    )
    assert call(found, "A").document == "query A(\n  $id: ID!\n) { item(id: $id) { id } }\n"


def test_a_connection_without_a_bound_is_told(tmp_path: Path) -> None:
    text = """
    query All { items { nodes { parts(first: null) { nodes { id } } } } }
    query Some($n: Int) { items(last: $n) { nodes { ... on Item { parts(first: 2) { ...P } } } } }
    fragment P on Items { nodes { parts { pageInfo { hasNextPage } } } }
    """
    found = described(SDL, tmp_path, operations=(folder(tmp_path, a=text),))
    assert [(one.location.file, one.text) for one in found.api.warnings[:3]] == [
        ("a.graphql", "All.items needs first, or the server may send all."),
        ("a.graphql", "All.items.nodes.parts needs first, or the server may send all."),
        (
            "a.graphql",
            "Some.items.nodes.parts.nodes.parts needs first, or the server may send all.",
        ),
    ]
    assert len(found.api.warnings) == 4
