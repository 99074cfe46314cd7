"""Where a result leads: Link Objects, inline, shared, by operationId or by reference."""

import pytest

from toolmint.generator.load import parse
from toolmint.generator.sources.openapi import lower

DOCUMENT = """
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /carts/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, links: LINKS}
components:
  links:
    Pay: {operationId: payCart}
    Loop: {$ref: "#/components/links/Loop"}
"""


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ("{pay: {operationId: payCart, parameters: {id: $response.body#/id}}}", ("payCart",)),
        ("{pay: {$ref: '#/components/links/Pay'}}", ("payCart",)),
        ("{b: {operationId: two}, a: {operationId: one}, c: {operationId: two}}", ("one", "two")),
        ("{a: {operationRef: '#/paths/~1carts~1{id}/get'}}", ("GET /carts/{id}",)),
        ("{a: {operationRef: '#/paths/~1carts~1%7Bid%7D/get'}}", ("GET /carts/{id}",)),
        ("{a: {operationRef: 'other.yaml#/paths/~1a/get'}}", ()),
        ("{a: {$ref: '#/components/links/Loop'}}", ()),
        ("{a: 1}", ()),
        ("[]", ()),
    ],
)
def test_links(links: str, expected: tuple[str, ...]) -> None:
    [operation] = lower(parse(DOCUMENT.replace("LINKS", links).encode(), file="a.yaml")).operations

    assert operation.links == expected
