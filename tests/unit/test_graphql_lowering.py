"""From a GraphQL schema to operations: sources, roots, selections, and what settings change."""

import json
from pathlib import Path
from typing import Any, cast

import graphql as core
import pytest

from tests.behaviour.loopback import Answer, Seen, loopback
from tests.unit.described import call, described, document, keys, operation_of
from toolmint.generator.config import Config
from toolmint.generator.description import read
from toolmint.generator.errors import InputError
from toolmint.generator.naming import tool_names
from toolmint.generator.progress import silent
from toolmint.generator.settings.policy import ToolSettings

# ── sources ─────────────────────────────────────────────────────────────────────────

SMALL = "type Query { user(id: ID!): User } type User { id: ID! name: String! }"


def test_a_folder_of_files_is_one_schema(tmp_path: Path) -> None:
    (tmp_path / "b.graphql").write_text("type Query { user: User }", "utf-8")
    (tmp_path / "a.graphqls").write_text("type User { id: ID! }", "utf-8")
    for source in (str(tmp_path), str(tmp_path / "*.graphql*")):
        assert keys(read(Config(source=source, output="x_tools"), silent)) == ["Query.user"]


@pytest.mark.parametrize("wrapped", [False, True])
def test_introspection_is_read_with_and_without_its_wrapper(tmp_path: Path, wrapped: bool) -> None:
    told: Any = core.introspection_from_schema(core.build_schema(SMALL))
    (tmp_path / "s.json").write_text(json.dumps({"data": told} if wrapped else told), "utf-8")
    found = read(Config(source=str(tmp_path / "s.json"), output="x_tools"), silent)
    assert document(found, "Query.user") == document(described(SMALL, tmp_path), "Query.user")


def test_introspection_of_an_old_server_has_fewer_members(tmp_path: Path) -> None:
    told: Any = core.introspection_from_schema(core.build_schema(SMALL))
    told["__schema"].pop("directives")
    for kind in told["__schema"]["types"]:
        kind.pop("isOneOf", None)
        kind.pop("specifiedByURL", None)
        if kind["kind"] == "OBJECT":
            kind["interfaces"] = None
    (tmp_path / "s.json").write_text(json.dumps(told), "utf-8")
    assert keys(read(Config(source=str(tmp_path / "s.json"), output="x_tools"), silent)) == [
        "Query.user"
    ]


def test_a_live_endpoint_is_asked_with_the_headers_that_are_given() -> None:
    schema = core.build_schema(SMALL)

    with loopback() as server:
        server.answer = lambda seen: Answer.of(
            cast(Any, core).graphql_sync(schema, json.loads(seen.body)["query"]).formatted
        )
        config = Config(
            source=server.url,
            endpoint=server.url,
            output="x_tools",
            headers=("Authorization: Bearer t",),
        )
        found = read(config, silent)
        assert (keys(found), found.api.servers[0].url) == (["Query.user"], server.url)
        assert server.seen[0].headers["authorization"] == "Bearer t"


MODERN = '''
"""Finds people."""
schema { query: Query }
type Query { user(by: By!, old: Int @deprecated(reason: "use by")): Int }
input By @oneOf { id: ID email: String }
'''
_OLDER = {"isOneOf": 2025, "includeDeprecated: true) { name description default": 2021}


@pytest.mark.parametrize("age", [2025, 2021, 2018])
def test_a_live_endpoint_tells_what_its_age_knows(age: int) -> None:
    schema = core.build_schema(MODERN)

    def answer(seen: Seen) -> Answer:
        asked: str = json.loads(seen.body)["query"]
        if any(word in asked and age < year for word, year in _OLDER.items()):
            return Answer.of({"errors": [{"message": "Cannot query field"}]}, 400)
        return Answer.of(cast(Any, core).graphql_sync(schema, asked).formatted)

    with loopback() as server:
        server.answer = answer
        config = Config(source=server.url, endpoint=server.url, output="x_tools")
        api = read(config, silent).api
    assert len(server.seen) == {2025: 1, 2021: 2, 2018: 3}[age]
    by = api.definitions.input["By"]
    assert isinstance(by, dict) and ("maxProperties" in by) == (age == 2025)
    assert [one.name for one in api.operations[0].arguments] == (
        ["by"] if age == 2018 else ["by", "old"]
    )
    assert api.description == ("" if age == 2018 else "Finds people.")


def test_an_endpoint_that_tells_nothing_is_told_about_with_the_way_out() -> None:
    with loopback() as server:
        server.answer = lambda _: Answer.of({"errors": [{"message": "introspection is off"}]}, 400)
        config = Config(source=server.url, endpoint=server.url, output="x_tools")
        with pytest.raises(InputError) as caught:
            read(config, silent)
    assert str(caught.value) == (
        f"{server.url}: does not tell its schema (introspection is off). Introspection may be off "
        "or need credentials: give them with --header, or name the schema's file as SOURCE."
    )


DIRTY = "type Query { a: Int a: Int b: Int @nobody }"


def test_a_dirty_schema_is_read_with_warnings(tmp_path: Path) -> None:
    found = described(DIRTY, tmp_path)
    told = [one.text for one in found.api.warnings]
    assert told[:2] == [
        "Field 'Query.a' can only be defined once (line 1).",
        "Unknown directive '@nobody' (line 1).",
    ]
    with pytest.raises(InputError, match=r"only be defined once; --strict forbids that"):
        described(DIRTY, tmp_path, strict=True)


@pytest.mark.parametrize(
    ("sdl", "why"),
    [
        ("schema { query: Nope } type A { a: Int }", "Unknown type: 'Nope'"),
        ("type Query { a: ", "schema.graphql:1: Syntax Error"),
        ("type A { a: Int }", "has no Query type"),
    ],
)
def test_what_is_no_schema_is_told_in_one_line(tmp_path: Path, sdl: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        described(sdl, tmp_path)
    assert why in str(caught.value)


# ── roots ───────────────────────────────────────────────────────────────────────────


def test_a_namespace_makes_a_tool_of_each_child(tmp_path: Path) -> None:
    sdl = """
    type Query { admin: Admin! }
    type Admin { user(id: ID!): User users(first: Int): [User!]! }
    type User { id: ID! name: String! }
    """
    found = described(sdl, tmp_path)
    assert keys(found) == ["Query.admin.user", "Query.admin.users"]
    names = tool_names(found.api.operations).by_key
    assert names["Query.admin.user"] == "admin_user"
    assert document(found, "Query.admin.user") == (
        "query Admin_User($id: ID!) {\n  admin {\n    user(id: $id) {\n      id\n      name\n"
        "    }\n  }\n}\n"
    )
    assert call(found, "Query.admin.user").root == "admin.user"


def test_a_query_and_a_mutation_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    sdl = "type Query { item: Int } type Mutation { item: Int } type Subscription { tick: Int }"
    names = tool_names(described(sdl, tmp_path).api.operations).by_key
    assert names == {
        "Mutation.item": "item_mutation",
        "Query.item": "item_query",
        "Subscription.tick": "tick",
    }


def test_deprecated_roots_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    sdl = 'type Query { old: Int @deprecated(reason: "use new") new: Int }'
    found = described(sdl, tmp_path)
    assert [one.why for one in found.api.left_out] == [
        "deprecated: use new (include_deprecated = true makes it a tool)"
    ]
    again = described(sdl, tmp_path, include_deprecated=True)
    assert operation_of(again, "Query.old").deprecated


def test_a_namespace_inside_itself_is_not_followed(tmp_path: Path) -> None:
    found = described(
        "type Query { api: Api } type Api { again: Api  one(id: ID!): Int }", tmp_path
    )
    assert keys(found) == ["Query.api.one"]
    assert [(one.operation, one.why) for one in found.api.left_out] == [
        ("Query.api.again", "it only gives the type Api again")
    ]


def test_queries_and_mutations_may_share_a_root_type(tmp_path: Path) -> None:
    found = described("schema { query: Q mutation: Q } type Q { a(x: Int): Int }", tmp_path)
    assert keys(found) == ["Mutation.a", "Query.a"]
    assert found.api.graphql is not None
    assert found.api.graphql.field_map["roots"] == {"mutation": "Q", "query": "Q"}


def test_a_document_replaces_the_tool_of_its_own_kind(tmp_path: Path) -> None:
    sdl = "type Query { item: Int } type Mutation { item(to: Int): Int }"
    (tmp_path / "ops.graphql").write_text("# Mine.\nquery Item { item }", "utf-8")
    found = described(sdl, tmp_path, operations=(str(tmp_path / "ops.graphql"),))
    assert keys(found) == ["Item", "Mutation.item"]
    assert operation_of(found, "Item").description == "Mine."


# ── selections ──────────────────────────────────────────────────────────────────────

TEAM = """
type Query { issue(id: String!): Issue! }
type Issue { id: ID! title: String! secretToken: String team: Team! flag(name: String!): Boolean }
type Team { id: ID! name: String! membership(userId: String!): Membership size(unit: Unit!): Int }
type Membership { id: ID! user: User! }
type User { id: ID! name: String! }
enum Unit { PEOPLE TEAMS }
"""


def test_a_nested_argument_is_lifted_to_the_tool(tmp_path: Path) -> None:
    tools = {"issue": ToolSettings(lift=("team.membership", "flag"))}
    found = described(TEAM, tmp_path, tools)
    operation = operation_of(found, "Query.issue")
    assert [(one.name, one.required) for one in operation.arguments] == [
        ("id", True),
        ("team_membership_userId", True),
        ("flag_name", True),
    ]
    text = document(found, "Query.issue")
    assert "$team_membership_userId: String!" in text
    assert "membership(userId: $team_membership_userId) {" in text


def test_a_nested_argument_is_fixed(tmp_path: Path) -> None:
    tools = {"Query.issue": ToolSettings(args={"team.size": {"unit": "PEOPLE"}})}
    assert "size(unit: PEOPLE)" in document(described(TEAM, tmp_path, tools), "Query.issue")


def test_fields_of_one_s_own_are_exactly_those(tmp_path: Path) -> None:
    tools = {"issue": ToolSettings(fields=("title", "team.name"))}
    assert document(described(TEAM, tmp_path, tools), "Query.issue") == (
        "query Issue($id: String!) {\n  issue(id: $id) {\n    title\n    team {\n      name\n"
        "    }\n  }\n}\n"
    )


def test_fields_that_are_not_there_leave_the_tool_out_with_the_reason(tmp_path: Path) -> None:
    found = described(TEAM, tmp_path, {"issue": ToolSettings(fields=("titel",))})
    assert [one.why for one in found.api.left_out] == ["'titel': Issue has no field 'titel'"]


def test_a_setting_that_names_no_root_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'isue', which is no root field. Did you mean 'issue'"):
        described(TEAM, tmp_path, {"isue": ToolSettings(page=3)})


def test_a_secret_is_never_chosen_by_itself(tmp_path: Path) -> None:
    assert "secretToken" not in document(described(TEAM, tmp_path), "Query.issue")


def test_the_budget_counts_leaves_and_says_what_is_beyond(tmp_path: Path) -> None:
    fields = " ".join(f"f{number}: Int" for number in range(100))
    sdl = f"type Query {{ wide: Wide }} type Wide {{ id: ID! {fields} }}"
    found = call(described(sdl, tmp_path), "Query.wide")
    assert (found.document.count("\n    "), len(found.beyond)) == (60, 41)
    small = call(described(sdl, tmp_path, {"wide": ToolSettings(budget=3)}), "Query.wide")
    assert small.document.count("\n    ") == 3


CATS = """
type Query { pet: Pet pets(first: Int): PetConnection! }
union Pet = Cat | Dog
type Cat { id: ID! lives: Int }
type Dog { id: ID! bark: String }
type PetConnection { nodes: [Pet!]! pageInfo: PageInfo! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
"""


def test_possible_types_and_pages_are_chosen_by_settings(tmp_path: Path) -> None:
    tools = {"pet": ToolSettings(types=("Dog",)), "pets": ToolSettings(page=3)}
    found = described(CATS, tmp_path, tools)
    assert "... on Dog" in document(found, "Query.pet")
    assert "... on Cat" not in document(found, "Query.pet")
    assert "$first: Int = 3" in document(found, "Query.pets")


# ── inputs ──────────────────────────────────────────────────────────────────────────


def test_one_of_takes_exactly_one_and_never_null(tmp_path: Path) -> None:
    sdl = "type Query { user(by: By!): Int } input By @oneOf { id: ID email: String }"
    assert described(sdl, tmp_path).api.definitions.input["By"] == {
        "type": "object",
        "properties": {"id": {"type": "string"}, "email": {"type": "string"}},
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }


def test_custom_scalars_have_formats_and_settings_go_before(tmp_path: Path) -> None:
    sdl = """
    scalar DateTime scalar UUID scalar BigInt scalar JSON scalar Colour
    type Query { f(a: DateTime!, b: UUID!, c: BigInt!, d: Colour!, e: JSON): Int }
    """
    own = {"Colour": {"type": "string", "pattern": "^#"}}
    operation = operation_of(described(sdl, tmp_path, scalars=own), "Query.f")
    schemas = {one.name: one.schema for one in operation.arguments}
    assert schemas == {
        "a": {"type": "string", "format": "date-time"},
        "b": {"type": "string", "format": "uuid"},
        "c": {"type": ["integer", "string"], "pattern": r"^-?\d+$"},
        "d": {"type": "string", "pattern": "^#"},
        "e": {"type": ["string", "number", "boolean", "object", "array", "null"]},
    }


def test_files_are_found_wherever_they_stand(tmp_path: Path) -> None:
    sdl = """
    scalar Upload
    type Query { ok: Int }
    type Mutation { send(files: [Upload!]!, note: Note): Int }
    input Note { text: String file: Upload inner: Note }
    """
    assert call(described(sdl, tmp_path), "Mutation.send").uploads == ("files.*", "note.file")


# ── presets and credentials ─────────────────────────────────────────────────────────


def test_a_preset_knows_the_endpoint_and_the_header(tmp_path: Path) -> None:
    github = described(SMALL, tmp_path, preset="github").api
    assert github.servers[0].url == "https://api.github.com/graphql"
    assert github.security == ({"bearerAuth": ()},)
    shopify = described(SMALL, tmp_path, preset="shopify").api
    assert shopify.security_schemes["apiKey"].parameter == "X-Shopify-Access-Token"


def test_without_a_preset_a_bearer_token_is_sent_when_there_is_one(tmp_path: Path) -> None:
    assert described(SMALL, tmp_path).api.security == ({"bearerAuth": ()}, {})


# ── documents of people ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("query { user(id: 1) { id } }", "ops.graphql:1: an operation needs a name"),
        ("\nquery A { nobody }", "ops.graphql:2: is not valid: Cannot query field 'nobody'"),
        ("query A {", "ops.graphql:1: Syntax Error"),
    ],
)
def test_a_document_that_is_not_valid_is_an_error_with_its_line(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "ops.graphql").write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        described(SMALL, tmp_path, operations=(str(tmp_path / "ops.graphql"),))
    assert why in str(caught.value)


def test_two_operations_in_a_file_are_two_tools_and_replace_their_namesakes(tmp_path: Path) -> None:
    text = "query User { user(id: 1) { id } }\nquery B { user(id: 2) { name } b: __typename }"
    (tmp_path / "ops.graphql").write_text(text, "utf-8")
    found = described(SMALL, tmp_path, operations=(str(tmp_path / "ops.graphql"),))
    assert keys(found) == ["B", "User"]
    assert [one.operation for one in found.api.left_out] == ["Query.user"]
    assert (call(found, "User").name, call(found, "User").root) == ("User", "user")
    assert call(found, "B").document == "query B { user(id: 2) { name } b: __typename }\n"
