"""A tool offers `_fields` where its result has parts, and `_page` where it reads on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.catalogues import CHANGES, READS
from tests.unit.described import described, operation_of
from tests.unit.openapi_documents import lowered
from tests.unit.samples import PLACE, api, operation
from toolmint.generator.model.api import Api, Operation
from toolmint.generator.model.arguments import Argument, Parameter
from toolmint.generator.model.calls import GraphQLCall, Paging
from toolmint.generator.model.catalogue import Effects
from toolmint.generator.offers import Offers
from toolmint.generator.settings.policy import PackageSettings
from toolmint.generator.shape import shape

PAGES = Paging(kind="link")
PET: Any = {"type": "object", "properties": {"id": {}, "name": {}}}


def offers(
    only: Operation,
    *,
    effects: Effects = READS,
    paging: Paging | None = None,
    of: Api | None = None,
) -> tuple[str, ...]:
    return Offers(of or api(only)).of(only, effects, paging)


@pytest.mark.parametrize(
    "output",
    [
        PET,
        {"type": "array", "items": PET},
        {"anyOf": [PET, {"type": "null"}]},
        {"type": "object", "properties": {"data": PET}},
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ],
)
def test_a_result_with_parts_offers_fields(output: Any) -> None:
    assert offers(operation("GET /a", output_schema=output)) == ("_fields",)
    assert offers(operation("POST /a", output_schema=output), effects=CHANGES) == ("_fields",)


@pytest.mark.parametrize(
    "output",
    [
        None,
        True,
        {},
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "properties": {"ok": {"type": "boolean"}}},
        {"type": "object", "properties": {}, "additionalProperties": False},
    ],
)
def test_a_result_without_a_choice_offers_none(output: Any) -> None:
    assert offers(operation("GET /a", output_schema=output)) == ()


def test_parts_are_found_behind_references() -> None:
    found = lowered("""
        paths:
          /pets:
            get:
              responses:
                "200":
                  description: Them.
                  content: {application/json: {schema: {$ref: "#/components/schemas/Pets"}}}
          /names:
            get:
              responses:
                "200":
                  description: Them.
                  content: {application/json: {schema: {$ref: "#/components/schemas/Name"}}}
        components:
          schemas:
            Pets: {type: array, items: {$ref: "#/components/schemas/Pet"}}
            Pet: {type: object, properties: {id: {}, mother: {$ref: "#/components/schemas/Pet"}}}
            Name: {type: string}
        """)
    known = {one.key: Offers(found).of(one, READS, None) for one in found.operations}
    assert known == {"GET /names": (), "GET /pets": ("_fields",)}


def test_what_is_paged_offers_pages() -> None:
    assert offers(operation("GET /a"), paging=PAGES) == ("_page",)
    assert offers(operation("GET /a", output_schema=PET), paging=PAGES) == ("_fields", "_page")


def test_an_argument_of_its_own_that_is_called_so_stays_alone() -> None:
    own = Argument(
        name="_page",
        carrier=Parameter(name="_page", place="query", style="form", explode=True),
        required=False,
        schema={"type": "integer"},
        location=PLACE,
    )
    taken = operation("GET /a", arguments=[own], output_schema=PET)
    assert offers(taken, paging=PAGES) == ("_fields",)


# ── GraphQL ─────────────────────────────────────────────────────────────────────────

SDL = """
type Query { users(first: Int, after: String): Users!  user(id: ID!): User  count: Int! }
type Mutation { rename(id: ID!): User  touch: Boolean }
type Subscription { renamed: User }
type Users { nodes: [User!]!  pageInfo: PageInfo! }
type PageInfo { hasNextPage: Boolean!  endCursor: String }
type User { id: ID!  name: String! }
"""


def test_a_field_map_says_where_graphql_offers_parts(tmp_path: Path) -> None:
    found = shape(described(SDL, tmp_path).api, PackageSettings())
    assert {tool.operation.key: tool.offers for tool in found.tools} == {
        "Mutation.rename": ("_fields",),
        "Mutation.touch": (),
        "Query.count": (),
        "Query.user": ("_fields",),
        "Query.users": ("_fields", "_page"),
        "Subscription.renamed": ("_fields",),
    }


def test_only_a_query_that_reads_goes_on(tmp_path: Path) -> None:
    found = described(SDL, tmp_path)
    users = operation_of(found, "Query.users")
    assert isinstance(users.call, GraphQLCall)
    heard = replace(users, call=replace(users.call, kind="subscription", root="renamed"))
    given = Offers(found.api)
    assert given.of(users, READS, None) == ("_fields", "_page")
    assert given.of(users, CHANGES, None) == ("_fields",)
    assert given.of(heard, READS, None) == ("_fields",)


def test_a_document_by_hand_offers_parts_of_what_it_asks_for(tmp_path: Path) -> None:
    found = described(SDL, tmp_path)
    users = operation_of(found, "Query.users")
    assert isinstance(users.call, GraphQLCall)
    by_hand = replace(users.call, by_hand=True, cursor=None)
    for output, expected in ((PET, ("_fields",)), ({"type": "integer"}, ())):
        written = replace(users, call=by_hand, output_schema=output)
        assert Offers(found.api).of(written, READS, None) == expected
