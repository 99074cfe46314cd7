"""OpenAPI 2.0: the same meaning from an older shape, and places in the document as it is."""

from textwrap import dedent
from typing import Any

import pytest

from toolmint.generator.load import parse
from toolmint.generator.model.api import Api
from toolmint.generator.model.arguments import Encoding, Member, Parameter
from toolmint.generator.model.calls import Server
from toolmint.generator.model.security import OAuthFlow
from toolmint.generator.sources.openapi import lower

from .openapi_documents import body, http, rows, told


def lowered(text: str, *, address: str | None = None, host: str = "host: api.example") -> Api:
    head = f"swagger: '2.0'\ninfo: {{title: T, version: '1'}}\n{host}\n"
    return lower(parse((head + dedent(text)).encode(), file="api.yaml", address=address))


@pytest.mark.parametrize(
    ("host", "address", "urls"),
    [
        ("host: a.example\nbasePath: /v1/", None, ["https://a.example/v1"]),
        ("host: a.example\nschemes: [http]", None, ["http://a.example"]),
        ("host: http://a.example/\nbasePath: v1", None, ["http://a.example/v1"]),
        ("host: http://a.example\nschemes: [https]", None, ["https://a.example"]),
        ("host: a.example\nbasePath: https://b.example/v1", None, ["https://b.example/v1"]),
        (
            "host: a.example\nschemes: [ws, http, https]",
            None,
            ["https://a.example", "http://a.example"],
        ),
        ("basePath: /v1", "http://docs.example:8080/x/spec.json", ["http://docs.example:8080/v1"]),
        ("basePath: /v1", None, ["/v1"]),
    ],
)
def test_servers(host: str, address: str | None, urls: list[str]) -> None:
    api = lowered("paths: {}", host=host, address=address)
    assert api.servers == tuple(Server(url=url) for url in urls)


def test_parameters_and_how_their_arrays_are_written() -> None:
    api = lowered("""
        paths:
          /a/{ids}:
            get:
              parameters:
                - {name: ids, in: path, required: true, type: array, items: {type: integer}}
                - {name: csv, in: query, type: array, items: {type: string}}
                - {name: ssv, in: query, type: array, collectionFormat: ssv, items: {}}
                - {name: tsv, in: query, type: array, collectionFormat: tsv, items: {}}
                - {name: pipes, in: query, type: array, collectionFormat: pipes, items: {}}
                - {name: multi, in: query, type: array, collectionFormat: multi, items: {}}
                - {name: X-H, in: header, type: string, enum: [a], x-example: a, x-nullable: true}
                - {name: n, in: query, type: integer, maximum: 9, exclusiveMaximum: true}
          /b/{ids}:
            get:
              parameters:
                - {name: ids, in: path, type: array, collectionFormat: pipes, items: {}}
                - {name: X-T, in: header, type: array, collectionFormat: ssv, items: {}}
    """)
    only, other = api.operations
    carriers = [one.carrier for one in (*only.arguments, *other.arguments)]
    layouts = [(one.style, one.explode) for one in carriers if isinstance(one, Parameter)]
    assert layouts == [
        ("simple", False),
        ("form", False),
        ("spaceDelimited", False),
        ("tabDelimited", False),
        ("pipeDelimited", False),
        ("form", True),
        ("simple", False),
        ("form", True),
        ("pipeDelimited", False),
        ("spaceDelimited", False),
    ]
    assert told(api) == []
    assert only.input_schema["properties"]["X-H"] == {
        "type": ["string", "null"],
        "enum": ["a", None],
        "examples": ["a"],
    }
    assert only.input_schema["properties"]["n"] == {"type": "integer", "exclusiveMaximum": 9}


BODY = """
consumes: [application/vnd.v1+json]
paths:
  /things:
    parameters: [{$ref: '#/parameters/Body'}, {$ref: '#/parameters/Page'}]
    post:
      responses: {'201': {$ref: '#/responses/Made'}}
    put:
      consumes: []
      produces: [application/xml, application/json]
      parameters: [{name: thing, in: body, schema: {type: array, items: {}}}]
      responses: {'200': {description: ok, schema: {$ref: '#/definitions/Thing'}}}
parameters:
  Body: {name: Body, in: body, required: true, schema: {$ref: '#/definitions/Thing'}}
  Page: {name: page, in: query, type: integer, pattern: '('}
responses:
  Made: {description: made, schema: {$ref: '#/definitions/Thing'}}
definitions:
  Thing:
    type: object
    required: [name]
    discriminator: kind
    properties: {name: {type: string}, kind: {type: string}, id: {type: string, readOnly: true}}
"""


def test_bodies_shared_parameters_and_responses() -> None:
    api = lowered(BODY)
    post, put = api.operations
    assert (body(post).media_type, body(post).required) == ("application/vnd.v1+json", True)
    assert rows(post) == [("page", "query", "page", False), ("body", "body", "", True)]
    assert post.output_schema == put.output_schema == {"$ref": "#/$defs/Thing"}
    assert (body(put).media_type, body(put).required) == ("application/json", False)
    assert http(put).accept == ("application/json", "application/xml")
    assert api.definitions.input == {
        "Thing": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "kind": {"type": "string"}},
            "required": ["name"],
            "discriminator": {"propertyName": "kind"},
        }
    }
    assert list(api.definitions.output) == ["Thing"]


def test_losses_point_into_the_document_as_it_is() -> None:
    document = parse(
        b"swagger: '2.0'\nhost: a.example\npaths:\n  /a:\n    post:\n      parameters:\n"
        b"        - {name: f, in: query, type: string, pattern: '('}\n"
        b"        - {name: b, in: body, schema: {properties: {x: {pattern: '['}}}}\n"
        b"      responses:\n        '200': {description: ok, schema: {pattern: ')'}}\n",
        file="api.yaml",
    )
    losses = lower(document).losses
    assert [(one.location.pointer, document.line(one.location.pointer)) for one in losses] == [
        ("/paths/~1a/post/parameters/0/pattern", 7),
        ("/paths/~1a/post/parameters/1/schema/properties/x/pattern", 8),
        ("/paths/~1a/post/responses/200/schema/pattern", 10),
    ]


def form(parameters: str, consumes: str = "[]") -> Any:
    [only] = lowered(
        f"paths: {{/a: {{post: {{consumes: {consumes}, parameters: {parameters}}}}}}}"
    ).operations
    return only


def test_form_parameters_make_a_flat_body() -> None:
    only = form(
        "[{name: q, in: query, type: string},"
        " {name: tags, in: formData, type: array, items: {type: string}},"
        " {name: all, in: formData, type: array, items: {}, collectionFormat: multi},"
        " {name: amount, in: formData, type: integer, required: true, description: How much.}]"
    )
    assert body(only).media_type == "application/x-www-form-urlencoded"
    assert rows(only) == [
        ("q", "query", "q", False),
        ("amount", "body", "amount", True),
        ("all", "body", "all", False),
        ("tags", "body", "tags", False),
    ]
    assert [one.carrier for one in only.arguments[1:]] == [
        Member(name="amount"),
        Member(name="all", encoding=Encoding(style="form", explode=True)),
        Member(name="tags", encoding=Encoding(style="form", explode=False)),
    ]
    assert only.input_schema["properties"]["amount"] == {
        "type": "integer",
        "description": "How much.",
    }


def test_a_form_with_a_file_is_multipart_whatever_is_consumed() -> None:
    only = form("[{name: f, in: formData, type: file}]", "[application/x-www-form-urlencoded]")
    assert body(only).kind == "multipart"
    assert only.arguments[0].carrier == Member(name="f", encoding=Encoding(binary=True))


def test_a_file_comes_back_as_bytes_whatever_is_produced() -> None:
    [only] = lowered(
        "paths: {/a: {get: {responses: {'200': {description: ok, schema: {type: file}}}}}}"
    ).operations
    assert http(only).accept == ("application/octet-stream",)
    assert isinstance(only.output_schema, dict)
    assert only.output_schema["required"] == ["data_base64"]


def test_security() -> None:
    api = lowered("""
        paths: {}
        security: [{basic: []}]
        securityDefinitions:
          basic: {type: basic}
          key: {type: apiKey, in: query, name: k}
          code:
            type: oauth2
            flow: accessCode
            authorizationUrl: https://a.example/auth
            tokenUrl: https://a.example/token
            scopes: {read: Reads}
    """)
    assert {name: one.kind for name, one in api.security_schemes.items()} == {
        "basic": "http",
        "code": "oauth2",
        "key": "apiKey",
    }
    assert api.security_schemes["basic"].location.pointer == "/securityDefinitions/basic"
    assert api.security_schemes["code"].flows == (
        OAuthFlow(
            kind="authorizationCode",
            authorization_url="https://a.example/auth",
            token_url="https://a.example/token",
            scopes={"read": "Reads"},
        ),
    )
    assert told(api) == []


def test_what_cannot_be_sent_beside_a_body_is_told() -> None:
    api = lowered("""
        paths:
          /a:
            parameters: [{$ref: '#/parameters/Form'}]
            post:
              parameters:
                - {name: old, in: body, schema: {type: object}}
                - {name: f, in: formData, type: string}
                - {name: new, in: body, type: array, items: {type: string}}
            put:
              parameters: [{in: formData, type: string}, {name: 5, in: formData, type: string}]
        parameters:
          Form: {name: shared, in: formData, type: string}
    """)
    post, put = api.operations
    assert (rows(post), post.arguments[0].schema) == (
        [("body", "body", "", False)],
        {"type": "array", "items": {"type": "string"}},
    )
    assert rows(put) == [("5", "body", "5", False), ("shared", "body", "shared", False)]
    one_body = "a request has one body; {!r} is dropped"
    assert told(api) == [
        ("POST /a", "/parameters/Form", one_body.format("shared")),
        ("POST /a", "/paths/~1a/post/parameters/0", one_body.format("old")),
        ("POST /a", "/paths/~1a/post/parameters/1", one_body.format("f")),
        (
            "PUT /a",
            "/paths/~1a/put/parameters/0",
            "a parameter cannot be read: it needs a `name`; it is dropped",
        ),
    ]
