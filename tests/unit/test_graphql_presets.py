"""What presets know of families of servers: how they page, sign in, and what nobody needs."""

from pathlib import Path

from tests.unit.described import call, described, document, operation_of
from toolmint.generator.model.calls import Paging

HASURA = """
schema { query: query_root mutation: mutation_root }
scalar uuid
scalar timestamp
scalar inet
type query_root {
  users(limit: Int, offset: Int): [users!]!
  users_aggregate(limit: Int): users_aggregate!
}
type mutation_root { insert_users(objects: [users_insert_input!]!): users_mutation_response }
type users { id: uuid! name: String seen: timestamp from: inet age: Int }
type users_aggregate { aggregate: users_aggregate_fields nodes: [users!]! }
type users_aggregate_fields { count(distinct: Boolean): Int! }
type users_mutation_response { affected_rows: Int! returning: [users!]! }
input users_insert_input { name: String }
"""


def test_hasura_lists_are_bounded_and_go_on_by_offset(tmp_path: Path) -> None:
    found = described(HASURA, tmp_path, preset="hasura")
    assert document(found, "Query.users").startswith(
        "query Users($limit: Int = 10, $offset: Int) {\n"
    )
    assert call(found, "Query.users").cursor == Paging(
        kind="offset", argument="offset", size_argument="limit"
    )
    plain = described(HASURA, tmp_path)
    assert document(plain, "Query.users").startswith("query Users($limit: Int, $offset: Int) {\n")
    assert call(plain, "Query.users").cursor is None


def test_hasura_aggregates_count_and_leave_the_rows_to_those_who_ask(tmp_path: Path) -> None:
    made = call(described(HASURA, tmp_path, preset="hasura"), "Query.users_aggregate")
    assert made.document == (
        "query Users_aggregate($limit: Int) {\n  users_aggregate(limit: $limit) {\n"
        "    aggregate {\n      count\n    }\n  }\n}\n"
    )
    assert made.beyond == ("nodes",)


def test_the_rows_of_a_hasura_mutation_are_what_it_is_about(tmp_path: Path) -> None:
    assert document(described(HASURA, tmp_path), "Mutation.insert_users").endswith(
        "    affected_rows\n    returning {\n      id\n      name\n      seen\n      from\n"
        "      age\n    }\n  }\n}\n"
    )


def test_hasura_takes_its_secret_or_a_token_and_knows_the_types_of_postgres(tmp_path: Path) -> None:
    found = described(HASURA, tmp_path, preset="hasura")
    assert found.api.security == ({"apiKey": ()}, {"bearerAuth": ()}, {})
    assert found.api.security_schemes["apiKey"].parameter == "X-Hasura-Admin-Secret"
    output = operation_of(found, "Query.users").output_schema
    assert isinstance(output, dict)
    row = output["items"]["properties"]
    assert (row["seen"], row["from"]) == (
        {"type": ["string", "null"]},
        {"type": ["string", "null"]},
    )


RELAY = """
type Query { node(id: ID!): Node  viewer: User }
interface Node { id: ID! }
type User implements Node { id: ID! name: String }
type Todo implements Node { id: ID! text: String! due: String owner: User }
type TodoEdge { cursor: String! node: Todo }
type Mutation { addTodo(input: AddTodoInput!): AddTodoPayload  drop(input: DropInput!): DropPayload }
input AddTodoInput { text: String! clientMutationId: String }
input DropInput { clientMutationId: String! }
type AddTodoPayload { todoEdge: TodoEdge! viewer: User! clientMutationId: String }
type DropPayload { viewer: User clientMutationId: String! }
"""


def test_what_only_serves_a_client_library_of_relay_is_left_out(tmp_path: Path) -> None:
    found = described(RELAY, tmp_path, preset="relay")
    assert [(one.operation, one.why) for one in found.api.left_out] == [
        ("Query.node", "serves a client library (preset = 'relay')")
    ]
    members = {
        name: list(schema["properties"])
        for name, schema in found.api.definitions.input.items()
        if isinstance(schema, dict)
    }
    assert members == {"AddTodoInput": ["text"], "DropInput": ["clientMutationId"]}


def test_a_new_edge_gives_the_whole_of_what_it_leads_to(tmp_path: Path) -> None:
    assert document(described(RELAY, tmp_path), "Mutation.addTodo").endswith(
        "    todoEdge {\n      node {\n        id\n        text\n        due\n        owner {\n"
        "          id\n          name\n        }\n      }\n    }\n    viewer {\n      id\n"
        "      name\n    }\n  }\n}\n"
    )


def test_an_edge_beside_what_it_leads_to_is_not_what_a_mutation_is_about(tmp_path: Path) -> None:
    """PostGraphile gives both."""
    sdl = RELAY.replace("todoEdge: TodoEdge!", "todoEdge: TodoEdge todo: Todo")
    text = document(described(sdl, tmp_path), "Mutation.addTodo")
    assert "    todo {\n      id\n      text\n      due\n" in text


def test_shopify_says_where_the_server_of_a_shop_is(tmp_path: Path) -> None:
    found = described(
        "type QueryRoot { a: Int } schema { query: QueryRoot }", tmp_path, preset="shopify"
    )
    server = found.api.servers[0]
    assert server.url == "https://{shop}.myshopify.com/admin/api/{version}/graphql.json"
    assert {name: one.default for name, one in server.variables.items()} == {
        "shop": None,
        "version": None,
    }
