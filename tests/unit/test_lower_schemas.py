"""Schemas of 3.0 and 3.1 in the words of JSON Schema 2020-12."""

from textwrap import indent
from types import MappingProxyType
from typing import Any

import jsonschema_rs
import pytest

from toolmint.generator.load import Document
from toolmint.generator.plain import is_array, is_object
from toolmint.generator.sources.openapi import lower

from .openapi_documents import body_of, document, lowered, operation, schema_of, told

PERSON = """
components:
  schemas:
    Person: {type: object, required: [name], properties: {name: {type: string}}}
"""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{type: string, nullable: true}", {"type": ["string", "null"]}),
        ("{type: string, nullable: false}", {"type": "string"}),
        (
            "{type: string, nullable: true, enum: [low, null]}",
            {"type": ["string", "null"], "enum": ["low", None]},
        ),
        (
            "{type: string, nullable: true, enum: [low]}",
            {"type": ["string", "null"], "enum": ["low", None]},
        ),
        (
            "{nullable: true, description: Who., allOf: [{$ref: '#/components/schemas/Person'}]}",
            {
                "anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}],
                "description": "Who.",
            },
        ),
        (
            "{$ref: '#/components/schemas/Person', nullable: true}",
            {"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}]},
        ),
        (
            "{nullable: true, oneOf: [{type: string}, {type: integer}]}",
            {
                "anyOf": [
                    {"oneOf": [{"type": "string"}, {"type": "integer"}]},
                    {"type": "null"},
                ]
            },
        ),
        (
            "{nullable: true, anyOf: [{type: string}, {type: integer}]}",
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        ),
        (
            "{nullable: true, type: object, allOf: [{type: object}, {minProperties: 1}]}",
            {
                "anyOf": [
                    {"type": "object", "allOf": [{"type": "object"}, {"minProperties": 1}]},
                    {"type": "null"},
                ]
            },
        ),
        (
            "{type: integer, minimum: 1, exclusiveMinimum: true}",
            {"type": "integer", "exclusiveMinimum": 1},
        ),
        (
            "{type: integer, maximum: 9, exclusiveMaximum: false}",
            {"type": "integer", "maximum": 9},
        ),
        ("{type: string, example: x}", {"type": "string", "examples": ["x"]}),
        ("{type: string, format: byte}", {"type": "string", "contentEncoding": "base64"}),
        ("{type: file}", {"type": "string", "format": "binary"}),
        (
            "{$ref: '#/components/schemas/Person', type: object, description: Who., maxLength: 3}",
            {"$ref": "#/$defs/Person", "description": "Who."},
        ),
        (
            "{type: string, xml: {name: x, attribute: true}, x-hint: 1, externalDocs: {}}",
            {"type": "string", "xml": {"attribute": True, "name": "x"}},
        ),
    ],
)
def test_the_words_of_3_0(written: str, read: Any) -> None:
    assert schema_of(written, components=PERSON, version="3.0.3") == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("true", True),
        ("{type: [string, 'null']}", {"type": ["string", "null"]}),
        (
            "{$ref: '#/components/schemas/Person', minProperties: 1, description: Who.}",
            {"$ref": "#/$defs/Person", "minProperties": 1, "description": "Who."},
        ),
        ("{const: null}", {"const": None}),
        ("{exclusiveMinimum: 3}", {"exclusiveMinimum": 3}),
        (
            "{if: {type: string}, then: {maxLength: 2}, else: false}",
            {"if": {"type": "string"}, "then": {"maxLength": 2}, "else": False},
        ),
        (
            "{prefixItems: [{type: string}], items: false, contains: {type: string}}",
            {"prefixItems": [{"type": "string"}], "items": False, "contains": {"type": "string"}},
        ),
        (
            "{$id: 'https://x.example/s', $defs: {n: {type: string}}, $ref: '#/$defs/n'}",
            {"$ref": "#/$defs/get.n"},
        ),
        ("{$comment: no, $schema: 'x', type: string}", {"type": "string"}),
        ("{dependencies: {a: [b]}}", {"dependentRequired": {"a": ["b"]}}),
    ],
)
def test_the_words_of_3_1(written: str, read: Any) -> None:
    assert schema_of(written, components=PERSON) == read


@pytest.mark.parametrize(
    ("written", "read", "loss"),
    [
        ("{type: int}", {"type": "integer"}, None),
        ("{type: String}", {"type": "string"}, None),
        ("{type: null}", {"type": "null"}, None),
        ("{type: [string, null]}", {"type": ["string", "null"]}, None),
        ("{type: any}", {}, None),
        ("{type: wat}", {}, "'wat' is no type; any value is taken"),
        ("{type: datetime}", {"type": "string", "format": "date-time"}, None),
        ("{minimum: '3'}", {"minimum": 3}, None),
        ("{minimum: x}", {}, "`minimum` cannot be a string like this; it is dropped"),
        ("{maxLength: -1}", {}, "`maxLength` cannot be a number like this; it is dropped"),
        ("{minLength: 2.0}", {"minLength": 2.0}, None),
        ("{multipleOf: 0}", {}, "`multipleOf` cannot be a number like this; it is dropped"),
        ("{required: true}", {}, None),
        (
            "{properties: {a: {required: true}, b: {}}}",
            {"properties": {"a": {}, "b": {}}, "required": ["a"]},
            None,
        ),
        ("{required: [a, a]}", {"required": ["a"]}, None),
        ("{items: [{type: string}]}", {"prefixItems": [{"type": "string"}]}, None),
        ("{additionalProperties: 'false'}", {"additionalProperties": False}, None),
        ("{enum: []}", {}, None),
        ("{enum: abc}", {}, "`enum` cannot be a string like this; it is dropped"),
        ("{type: string, enum: [1, true]}", {"type": "string", "enum": ["1", "true"]}, None),
        ("{type: integer, enum: ['1', '2']}", {"type": "integer", "enum": [1, 2]}, None),
        ("{enum: [a, a, 1, true]}", {"enum": ["a", 1, True]}, None),
        ("{pattern: '('}", {}, "no engine takes the pattern '('; it is dropped"),
        (r"{pattern: '^[\w-.]+$'}", {"pattern": r"^[\w\-.]+$"}, None),
        (r"{pattern: '^\p{L}+$'}", {"pattern": r"^\p{L}+$"}, None),
        ("{properties: [a]}", {}, "`properties` is an array; it is dropped"),
        ("{allOf: []}", {}, None),
        ("{oneOf: {type: string}}", {"oneOf": [{"type": "string"}]}, None),
        ("{uniqueItems: 'true'}", {"uniqueItems": True}, None),
        ("{title: 5}", {"title": "5"}, None),
        ("{examples: {a: {value: 1}}}", {"examples": [1]}, None),
        ("a string", {}, "the schema is a string; any value is taken"),
        (
            "{$ref: '#/components/schemas/None'}",
            {},
            "'#/components/schemas/None' names nothing in the document; any value is taken",
        ),
        (
            "{$ref: other.yaml#/X}",
            {},
            ("'other.yaml' is in another document, which is not read; any value is taken"),
        ),
    ],
)
def test_what_is_no_schema_is_mended_or_dropped(written: str, read: Any, loss: str | None) -> None:
    api = lowered(
        "paths:\n  /a:\n    get:\n      parameters:\n"
        f"        - name: value\n          in: query\n          schema: {written}\n"
    )
    [only] = api.operations
    schema = only.arguments[0].schema
    assert schema == read
    jsonschema_rs.Draft202012Validator(schema)  # type: ignore[arg-type]
    assert [what for _, _, what in told(api)] == ([loss] if loss else [])


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = {
        "type": "object",
        "properties": {
            "$ref": {"type": "string"},
            "default": {"type": "string"},
            "enum": {"type": "string", "default": {"$ref": "#/x", "nullable": True}},
            "example": {"type": ["string", "null"]},
            "nullable": {"type": "boolean"},
        },
        "additionalProperties": {"type": "string"},
    }
    assert (
        schema_of(
            """
            type: object
            properties:
              nullable: {type: boolean}
              $ref: {type: string}
              enum: {type: string, default: {nullable: true, $ref: '#/x'}}
              example: {type: string, nullable: true}
              default: {type: string}
            additionalProperties: {type: string}
            """,
            version="3.0.0",
        )
        == schema
    )


def test_recursion_stays_and_definitions_are_shared() -> None:
    api = lowered(
        body_of("{type: array, items: {$ref: '#/components/schemas/Node'}}")
        + """
components:
  schemas:
    Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}}}
    Unused: {type: string}
"""
    )
    assert api.definitions.input == {
        "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    }


def test_names_of_definitions_fit_a_reference_and_do_not_clash() -> None:
    refs = ("A%20B", "A_B", "a%2Fb", "a~1b", "Deep/properties/x~1y")
    items = ", ".join(f"{{$ref: '#/components/schemas/{ref}'}}" for ref in refs)
    api = lowered(
        body_of(f"{{oneOf: [{items}]}}")
        + """
components:
  schemas:
    A B: {type: string}
    A_B: {type: integer}
    a/b: {type: boolean}
    Deep: {properties: {x/y: {type: 'null'}}}
"""
    )
    assert api.definitions.input == {
        "A_B": {"type": "integer"},
        "A_B_461aee": {"type": "string"},
        "Deep.x_y": {"type": "null"},
        "a_b": {"type": "boolean"},
    }
    assert not api.losses


def test_what_a_far_base_hides_is_not_required() -> None:
    last = 500
    chain = "".join(
        f"S{level}: {{allOf: [{{$ref: '#/components/schemas/S{level + 1}'}}], required: [a, b]}}\n"
        for level in range(last)
    )
    far = f"S{last}: {{type: object, properties: {{a: {{}}, b: {{readOnly: true}}}}}}\n"
    body = body_of("{$ref: '#/components/schemas/S0'}")
    api = lowered(f"{body}components:\n  schemas:\n{indent(chain + far, '    ')}")
    assert api.definitions.input["S0"] == {
        "required": ["a"],
        "allOf": [{"$ref": "#/$defs/S1"}],
    }


def test_hidden_members_leave_at_every_depth_with_their_requirement() -> None:
    api = lowered("""
        paths:
          /things:
            post:
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {type: array, items: {$ref: '#/components/schemas/Thing'}}
              responses:
                '200':
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Thing'}
        components:
          schemas:
            Id: {type: string, readOnly: true}
            Base:
              type: object
              required: [id, made]
              properties: {id: {$ref: '#/components/schemas/Id'}, made: {readOnly: true}}
            Thing:
              allOf:
                - $ref: '#/components/schemas/Base'
                - type: object
                  required: [id, secret, name]
                  properties:
                    secret: {type: string, writeOnly: true}
                    name: {type: string}
    """)
    assert api.definitions.input == {
        "Base": {"type": "object", "properties": {}},
        "Thing": {
            "allOf": [
                {"$ref": "#/$defs/Base"},
                {
                    "type": "object",
                    "properties": {"secret": {"type": "string"}, "name": {"type": "string"}},
                    "required": ["secret", "name"],
                },
            ]
        },
    }
    assert api.definitions.output == {
        "Base": {
            "type": "object",
            "properties": {"id": {"$ref": "#/$defs/Id"}, "made": {}},
            "required": ["id", "made"],
        },
        "Id": {"type": "string"},
        "Thing": {
            "allOf": [
                {"$ref": "#/$defs/Base"},
                {
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                    "required": ["id", "name"],
                },
            ]
        },
    }


UNION = """
components:
  schemas:
    Card: {type: object, required: [kind], properties: {kind: {type: string}}}
    Bank: {type: object, properties: {kind: {const: bank}}}
"""


def test_a_discriminator_keeps_the_union_and_tags_what_has_no_tag() -> None:
    only = operation(
        body_of("""
            oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Bank'}]
            discriminator:
              propertyName: kind
              mapping: {card: '#/components/schemas/Card', visa: Card, bank: Bank}
        """)
        + UNION
    )
    assert only.arguments[0].schema == {
        "oneOf": [
            {"$ref": "#/$defs/Card", "properties": {"kind": {"enum": ["card", "visa"]}}},
            {"$ref": "#/$defs/Bank"},
        ],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {
                "bank": "#/$defs/Bank",
                "card": "#/$defs/Card",
                "visa": "#/$defs/Card",
            },
        },
        "description": "`kind` tells the kinds apart: `bank`, `card`, `visa`.",
    }


def test_anchors_and_dynamic_references() -> None:
    api = lowered(
        body_of("{type: array, items: {$ref: '#tree'}}")
        + """
components:
  schemas:
    Tree: {$anchor: tree, $dynamicAnchor: node, properties: {kids: {items: {$dynamicRef: '#node'}}}}
"""
    )
    assert api.definitions.input == {
        "Tree": {"properties": {"kids": {"items": {"$ref": "#/$defs/Tree"}}}}
    }


def test_what_is_too_deep_is_opened() -> None:
    schema = "{type: array, items: " * 150 + "{type: string}" + "}" * 150
    api = lowered(body_of(schema))
    assert [what for _, _, what in told(api)] == [
        "it is nested more than 100 deep; the rest is open"
    ]


def frozen(value: Any) -> Any:
    if is_object(value):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    return tuple(map(frozen, value)) if is_array(value) else value


def shuffled(value: Any) -> Any:
    if is_object(value):
        return {key: shuffled(value[key]) for key in sorted(value, reverse=True)}
    return [shuffled(item) for item in value] if is_array(value) else value


EVERYTHING = """
tags: [{name: t, description: d}]
security: [{key: [], oauth: [b, a]}]
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      tags: [t]
      x-hint: {b: 1, a: [2]}
      parameters: [{name: f, in: query, style: deepObject, schema: {properties: {y: {}, x: {}}}}]
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [b]
              properties:
                c: {type: string, format: binary}
                b: {$ref: '#/components/schemas/B'}
            encoding: {c: {contentType: image/png}}
          text/plain: {}
      responses:
        '404': {description: none}
        '200':
          headers: {X-B: {}, X-A: {}}
          content:
            application/xml: {}
            application/json: {schema: {$ref: '#/components/schemas/B'}}
components:
  schemas:
    B:
      oneOf: [{$ref: '#/components/schemas/C'}, {type: 'null'}]
      discriminator: {propertyName: k, mapping: {z: C, y: C}}
      examples: [{b: 1, a: 2}]
    C: {type: object, required: [z], properties: {k: {}, a: {default: {y: 1, x: 2}}, z: {}}}
  securitySchemes:
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {b: B, a: A}}}}
    key: {type: apiKey, in: header, name: X-Key}
"""


def with_data(original: Document, data: Any) -> Document:
    return Document(
        file=original.file,
        address=original.address,
        data=data,
        digest=original.digest,
        text=original.text,
    )


def test_lowering_changes_nothing_in_the_document() -> None:
    original = document(EVERYTHING)
    assert lower(with_data(original, frozen(original.data))) == lower(original)


def test_the_order_of_keys_changes_nothing_in_the_api() -> None:
    original = document(EVERYTHING)
    api, other = lower(original), lower(with_data(original, shuffled(original.data)))
    assert repr(other) == repr(api)
