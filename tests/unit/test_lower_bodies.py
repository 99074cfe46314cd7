"""Request bodies: flat ones as arguments, whole ones as one, files, and their media types."""

from toolmint.generator.model.arguments import Encoding, Member
from toolmint.generator.sources.openapi import LowerOptions

from .openapi_documents import body, body_of, lowered, operation, rows, told


def test_a_flat_body_lists_required_members_first_then_sorted_ones() -> None:
    only = operation(
        body_of("""
            type: object
            title: A thing
            required: [z, missing, b]
            properties: {a: {}, c: {}, b: {type: string}, z: {type: integer}}
            additionalProperties: false
        """)
    )
    assert rows(only) == [
        ("z", "body", "z", True),
        ("missing", "body", "missing", True),
        ("b", "body", "b", True),
        ("a", "body", "a", False),
        ("c", "body", "c", False),
    ]


def test_a_top_level_all_of_is_merged() -> None:
    api = lowered(
        body_of("""
            allOf:
              - $ref: '#/components/schemas/Named'
              - {type: object, properties: {email: {type: string}, name: {maxLength: 5}}}
        """)
        + "components:\n  schemas:\n    Named: "
        "{type: object, required: [name], properties: {name: {type: string}}}\n"
    )
    [only] = api.operations
    assert only.input_schema == {
        "type": "object",
        "properties": {
            "name": {"allOf": [{"type": "string"}, {"maxLength": 5}]},
            "email": {"type": "string"},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    assert api.definitions.input == {}


def test_anything_more_than_a_flat_object_is_one_argument() -> None:
    for schema in (
        "{type: object, properties: {a: {}}, additionalProperties: {type: string}}",
        "{type: object, properties: {a: {}}, additionalProperties: true}",
        "{type: object, properties: {a: {}}, patternProperties: {x: {}}}",
        "{type: object, properties: {a: {}}, minProperties: 1}",
        "{type: object, properties: {a: {}}, oneOf: [{required: [a]}]}",
        "{type: [object, 'null'], properties: {a: {}}}",
        "{type: object}",
        "{type: array, items: {}}",
        "{type: string, title: Name}",
        "{oneOf: [{type: object, properties: {a: {}}}]}",
        "{}",
        "true",
    ):
        assert rows(operation(body_of(schema))) == [("body", "body", "", True)], schema


def test_an_optional_flat_body_needs_all_or_none_of_its_required_members() -> None:
    only = operation(
        body_of(
            "{type: object, required: [a, b], properties: {a: {}, b: {}, c: {}}}", required=False
        )
    )
    assert only.input_schema == {
        "type": "object",
        "properties": {"a": {}, "b": {}, "c": {}},
        "additionalProperties": False,
        "dependentRequired": {"a": ["b"], "b": ["a"], "c": ["a", "b"]},
    }
    assert [one.required for one in only.arguments] == [False, False, False]


def test_the_rank_of_media_types_does_not_depend_on_their_order() -> None:
    text = """
        paths:
          /a:
            post:
              requestBody:
                content:
                  application/zip: {schema: {type: string, format: binary}}
                  application/xml: {schema: {type: object, properties: {x: {}}}}
                  text/plain: {schema: {type: string}}
                  multipart/form-data: {schema: {type: object, properties: {m: {}}}}
                  application/vnd.b+json: {schema: {type: object, properties: {v: {}}}}
                  application/json; charset=utf-8: {schema: {type: object, properties: {j: {}}}}
    """
    [only] = lowered(text).operations
    assert body(only).media_type == "application/json; charset=utf-8"
    options = LowerOptions(media_types={"POST /a": "text/plain"})
    [other] = lowered(text, options=options).operations
    assert body(other).kind == "text"
    assert rows(other) == [("body", "body", "", False)]


def test_bytes_are_an_object_and_encodings_stay_with_their_members() -> None:
    only = operation("""
        paths:
          /documents:
            post:
              requestBody:
                required: true
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      required: [pages]
                      properties:
                        title: {type: string}
                        cover: {description: The cover., type: string, format: binary}
                        pages: {type: array, items: {type: string, format: binary}}
                        meta: {type: object}
                    encoding:
                      pages: {contentType: image/png}
                      meta:
                        headers:
                          X-Kind: {schema: {type: string, enum: [meta]}}
    """)
    file = {
        "type": "object",
        "properties": {
            "data_base64": {"type": "string", "contentEncoding": "base64"},
            "content_type": {"type": "string"},
            "filename": {"type": "string"},
        },
        "required": ["data_base64"],
        "additionalProperties": False,
    }
    assert only.input_schema["properties"] == {
        "pages": {"type": "array", "items": file},
        "cover": {**file, "description": "The cover."},
        "meta": {"type": "object"},
        "title": {"type": "string"},
    }
    assert [one.carrier for one in only.arguments] == [
        Member(name="pages", encoding=Encoding(content_type="image/png", binary=True)),
        Member(name="cover", encoding=Encoding(binary=True)),
        Member(name="meta", encoding=Encoding(headers={"X-Kind": "meta"})),
        Member(name="title"),
    ]


def test_a_body_of_bytes_is_one_file() -> None:
    only = operation(
        "paths: {/b: {post: {requestBody: {content: {application/octet-stream: {}}}}}}"
    )
    assert (body(only).kind, body(only).binary) == ("binary", True)
    assert only.input_schema["properties"]["body"]["required"] == ["data_base64"]


def test_bytes_keep_every_media_type_that_their_file_may_choose() -> None:
    several = "paths: {/b: {post: {requestBody: {content: {image/png: {}, image/jpeg: {}}}}}}"
    sent = body(operation(several))
    assert (sent.media_type, sent.alternatives) == ("image/jpeg", ("image/png",))
    sent = body(operation("paths: {/b: {post: {requestBody: {content: {image/*: {}}}}}}"))
    assert (sent.media_type, sent.alternatives) == ("image/*", ())


def test_json_lines_described_as_a_string_are_text() -> None:
    only = operation(body_of("{type: string}", media_type="application/jsonl"))
    assert (body(only).kind, body(only).media_type) == ("text", "application/jsonl")
    assert only.input_schema["properties"]["body"] == {"type": "string"}


def test_a_part_without_a_type_is_a_file_since_3_1() -> None:
    text = body_of(
        "{type: object, properties: {a: {}, b: {type: array, items: {}}, c: {type: string}}}",
        media_type="multipart/form-data",
    )
    modern = [one.carrier for one in operation(text).arguments]
    file = Encoding(binary=True)
    assert modern == [
        Member(name="a", encoding=file),
        Member(name="b", encoding=file),
        Member(name="c"),
    ]
    older = [one.carrier for one in operation(text, version="3.0.3").arguments]
    assert older == [Member(name="a"), Member(name="b"), Member(name="c")]


def test_members_that_only_answers_have_leave_the_input() -> None:
    only = operation(
        body_of("""
            type: object
            required: [id, name]
            properties:
              id: {type: string, readOnly: true}
              name: {type: string}
              secret: {type: string, writeOnly: true}
        """)
    )
    assert rows(only) == [
        ("name", "body", "name", True),
        ("secret", "body", "secret", False),
    ]


def test_short_names_of_media_types_and_what_is_none() -> None:
    api = lowered("""
        paths:
          /a: {post: {requestBody: {content: {JSON: {schema: {pattern: '('}}, gzip: {}}}}}
    """)
    [only] = api.operations
    assert body(only).media_type == "application/json"
    assert told(api) == [
        (
            "POST /a",
            "/paths/~1a/post/requestBody/content/gzip",
            "'gzip' is no media type; it is dropped",
        ),
        (
            "POST /a",
            "/paths/~1a/post/requestBody/content/JSON/schema/pattern",
            "no engine takes the pattern '('; it is dropped",
        ),
    ]


def test_null_takes_a_member_away_in_a_merge_patch() -> None:
    api = lowered("""
        paths:
          /a:
            patch:
              requestBody:
                content:
                  application/merge-patch+json:
                    schema: {$ref: '#/components/schemas/Node'}
            put:
              requestBody:
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Node'}
        components:
          schemas:
            Node:
              type: object
              required: [id]
              properties:
                id: {type: integer}
                kind: {enum: [a, b]}
                next: {$ref: '#/components/schemas/Node'}
                tags: {type: array, items: {type: string}}
                labels: {type: object, additionalProperties: {type: string}}
    """)
    patch, put = api.operations
    node = {
        "id": {"type": "integer"},
        "kind": {"enum": ["a", "b", None]},
        "labels": {
            "type": ["object", "null"],
            "additionalProperties": {"type": ["string", "null"]},
        },
        "next": {"anyOf": [{"$ref": "#/$defs/Node.merge-patch"}, {"type": "null"}]},
        "tags": {"type": ["array", "null"], "items": {"type": "string"}},
    }
    assert patch.input_schema["properties"] == node
    assert put.input_schema["properties"]["kind"] == {"enum": ["a", "b"]}
    assert api.definitions.input["Node.merge-patch"] == {
        "type": "object",
        "properties": node,
        "required": ["id"],
    }
