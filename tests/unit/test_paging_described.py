"""Paging is recognised where a description is plain about it, and nowhere else."""

import pytest

from tests.unit.openapi_documents import lowered
from toolmint.generator.model.calls import Paging
from toolmint.generator.paging import paging

LIST = "{type: array, items: {type: object}}"


def recognised(
    parameters: str, result: str, *, method: str = "get", more: str = "", headers: str = ""
) -> Paging | None:
    api = lowered(
        f"""
        paths:
          /things:
            {method}:
              {more}
              parameters: [{parameters}]
              responses:
                "200":
                  description: Them.
                  {headers}
                  content: {{application/json: {{schema: {result}}}}}
        """
    )
    return paging(api.operations[0], api.definitions.input, api.definitions.output)


def query(name: str, kind: str = "integer", more: str = "") -> str:
    return f"{{name: {name}, in: query, schema: {{type: {kind}{more}}}}}"


PAGE_AND_SIZE = f"{query('page')}, {query('per_page')}"
OBJECT = "{type: object, properties: {%s}}"


def test_a_link_header() -> None:
    found = recognised(PAGE_AND_SIZE, LIST, headers="headers: {Link: {schema: {type: string}}}")
    assert found == Paging(kind="link")


def test_a_cursor_that_an_argument_takes() -> None:
    result = OBJECT % (
        "data: {type: array, items: {}}, has_more: {type: boolean},"
        " meta: {type: object, properties: {next_cursor: {type: [string, 'null']}}}"
    )
    assert recognised(f"{query('cursor', 'string')}, {query('limit')}", result) == Paging(
        kind="cursor",
        argument="cursor",
        size_argument="limit",
        next="meta.next_cursor",
        more="has_more",
        items="data",
    )


def test_the_address_of_the_next_page() -> None:
    result = OBJECT % "results: {type: array, items: {}}, next: {type: string, format: uri}"
    assert recognised("", result) == Paging(kind="url", next="next", items="results")
    assert recognised("", result, method="post") is None


def test_autorests_extension() -> None:
    result = OBJECT % "value: {type: array, items: {}}, nextLink: {type: string}"
    stated = "x-ms-pageable: {nextLinkName: nextLink}"
    assert recognised("", result, more=stated) == Paging(kind="url", next="nextLink", items="value")
    assert recognised("", result, more="x-ms-pageable: {nextLinkName: null}") is None


def test_a_page_number_beside_a_size() -> None:
    expected = Paging(kind="page", argument="page", size_argument="per_page")
    assert recognised(PAGE_AND_SIZE, LIST) == expected


def test_an_offset_beside_a_limit() -> None:
    result = OBJECT % "items: {type: array, items: {}}, total: {type: integer}"
    assert recognised(f"{query('offset')}, {query('limit')}", result) == Paging(
        kind="offset", argument="offset", size_argument="limit", items="items"
    )


@pytest.mark.parametrize(
    ("parameters", "result"),
    [
        (query("page"), LIST),  # how long is a page?
        (query("per_page"), LIST),
        (f"{query('page', more=', minimum: 0')}, {query('per_page')}", LIST),  # 0 or 1?
        (f"{query('page', 'string')}, {query('per_page')}", LIST),  # a page of text, a web page
        (PAGE_AND_SIZE, "{type: object}"),  # where are the items?
        (PAGE_AND_SIZE, OBJECT % "a: {type: array, items: {}}, b: {type: array, items: {}}"),
        (query("cursor", "string"), LIST),  # where is the next one?
        ("", OBJECT % "data: {type: array, items: {}}, next_cursor: {type: string}"),
        ("", OBJECT % "data: {type: array, items: {}}, next: {type: object}"),
        ("", "{type: string}"),
    ],
)
def test_what_leaves_a_doubt_is_no_paging(parameters: str, result: str) -> None:
    assert recognised(parameters, result) is None


def test_definitions_that_refer_to_themselves_end() -> None:
    api = lowered(
        """
        paths:
          /things:
            get:
              responses:
                "200":
                  description: Them.
                  content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}
        components:
          schemas:
            A: {allOf: [{$ref: "#/components/schemas/B"}]}
            B: {allOf: [{$ref: "#/components/schemas/A"}]}
        """
    )
    assert paging(api.operations[0], api.definitions.input, api.definitions.output) is None
