"""Connections always have a bound: whatever a schema says of `first`, and whoever asks."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.described import call, described, document
from toolmint.generator.settings.policy import ToolSettings

TYPES = """
scalar PositiveInt
type Item { id: ID! name: String! parts(first: Int, last: Int): Parts! }
type Items { nodes: [Item!]! pageInfo: PageInfo! }
type Parts { edges: [Part!]! nodes: [Item!] pageInfo: PageInfo! }
type Part { node: Item cursor: String! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type All { nodes: [Item!]! pageInfo: PageInfo! }
"""
WAYS = "Choose with fields, lift, args or types."


def declared(found: Any, key: str) -> str:
    return document(found, key).split("\n", 1)[0]


@pytest.mark.parametrize(
    ("arguments", "heading"),
    [
        ("first: Int", "query Items($first: Int = 10) {"),
        ("first: Int!", "query Items($first: Int! = 10) {"),
        ("first: Int = null", "query Items($first: Int = 10) {"),
        ("first: Int = 30", "query Items($first: Int) {"),
        ("first: PositiveInt", "query Items($first: PositiveInt = 10) {"),
        ("take: PositiveInt", "query Items($take: PositiveInt = 10) {"),
    ],
)
def test_a_page_has_a_size_that_is_ours_where_the_schema_has_none(
    tmp_path: Path, arguments: str, heading: str
) -> None:
    found = described(f"type Query {{ items({arguments}): Items! }} {TYPES}", tmp_path)
    assert declared(found, "Query.items") == heading


@pytest.mark.parametrize("first", ["first: Int", "first: Int = 30"])
def test_any_default_of_first_makes_way_for_last(tmp_path: Path, first: str) -> None:
    found = described(f"type Query {{ items({first}, last: Int): Items! }} {TYPES}", tmp_path)
    assert call(found, "Query.items").makes_way == {"first": "last"}


def test_a_connection_may_be_an_interface(tmp_path: Path) -> None:
    sdl = "interface Paged { nodes: [Item!]! pageInfo: PageInfo! }" + TYPES.replace(
        "type Items {", "type Items implements Paged {"
    )
    found = described(f"type Query {{ items(first: Int, after: ID): Paged! }} {sdl}", tmp_path)
    assert declared(found, "Query.items") == "query Items($first: Int = 10, $after: ID) {"
    assert call(found, "Query.items").cursor is not None


def test_what_a_mutation_is_about_is_left_out_where_it_has_no_bound(tmp_path: Path) -> None:
    sdl = f"""
    type Query {{ ok: Int }}
    type Mutation {{ addItems(name: String): AddItemsPayload }}
    type AddItemsPayload {{ userErrors: [UserError!]! items: All! }}
    type UserError {{ message: String! }}
    {TYPES}
    """
    found = described(sdl, tmp_path)
    assert "items" not in document(found, "Mutation.addItems").split("{", 2)[2]
    assert [one.what for one in found.api.losses] == [
        f"Mutation.addItems does not select: items has no argument that bounds how much comes. {WAYS}"
    ]


def test_a_root_that_nobody_can_bound_is_named(tmp_path: Path) -> None:
    found = described(f"type Query {{ all: All! }} {TYPES}", tmp_path)
    assert [one.what for one in found.api.losses] == [
        "Query.all has no argument that bounds how much comes: its server decides."
    ]


def test_a_lifted_page_keeps_its_bound(tmp_path: Path) -> None:
    sdl = f"type Query {{ item(parts_first: Int): Item }} {TYPES}"
    found = described(sdl, tmp_path, {"item": ToolSettings(lift=("parts",))})
    assert declared(found, "Query.item") == (
        "query Item($parts_first: Int, $parts_first_: Int = 5, $parts_last: Int) {"
    )
    assert "parts(first: $parts_first_, last: $parts_last)" in document(found, "Query.item")
    assert call(found, "Query.item").makes_way == {"parts_first_": "parts_last"}


def test_a_fixed_page_is_the_only_one(tmp_path: Path) -> None:
    sdl = f"type Query {{ item: Item }} {TYPES}"
    found = described(sdl, tmp_path, {"item": ToolSettings(args={"parts": {"last": 3}})})
    assert "parts(last: 3) {" in document(found, "Query.item")


def test_fields_of_one_s_own_are_bounded_or_refused(tmp_path: Path) -> None:
    sdl = f"type Query {{ item: Item  all: Holder }} type Holder {{ all: All! }} {TYPES}"
    tools = {
        "item": ToolSettings(fields=("parts",)),
        "all": ToolSettings(fields=("all.nodes.id",)),
    }
    found = described(sdl, tmp_path, tools)
    assert document(found, "Query.item") == (
        "query Item {\n  item {\n    parts(first: 5) {\n      nodes {\n        id\n        name\n"
        "      }\n    }\n  }\n}\n"
    )
    assert [(one.operation, one.why) for one in found.api.left_out] == [
        ("Query.all", "'all.nodes.id': 'all' has no argument that bounds how much comes")
    ]


@pytest.mark.parametrize("items", ["nodes", "edges"])
def test_fields_of_one_s_own_say_where_the_next_page_begins(tmp_path: Path, items: str) -> None:
    sdl = f"type Query {{ parts(first: Int, after: ID): Parts! }} {TYPES}"
    path = "nodes.name" if items == "nodes" else "edges.node.name"
    found = described(sdl, tmp_path, {"parts": ToolSettings(fields=(path,))})
    assert "hasNextPage\n      endCursor" in document(found, "Query.parts")
    cursor = call(found, "Query.parts").cursor
    assert cursor is not None and cursor.items == items


def test_a_document_without_the_way_on_is_not_paged(tmp_path: Path) -> None:
    sdl = f"type Query {{ items(first: Int, after: ID): Items! }} {TYPES}".replace(
        "endCursor: String", "end: String"
    )
    assert call(described(sdl, tmp_path), "Query.items").cursor is None


def test_a_list_that_must_be_told_its_size_is_named(tmp_path: Path) -> None:
    sdl = "type Query { item: Item } type Item { id: ID! tags(first: Int!): [String!] }"
    found = described(sdl, tmp_path)
    assert [one.what for one in found.api.losses] == [
        f"Query.item does not select: tags needs first: Int!. {WAYS}"
    ]
