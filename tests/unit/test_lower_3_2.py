"""What OpenAPI 3.2 adds."""

from toolmint.generator.model.arguments import Parameter
from toolmint.generator.model.security import OAuthFlow

from .openapi_documents import body, http, lowered, rows, told


def test_more_methods() -> None:
    text = """
        paths:
          /a:
            query: {operationId: q}
            get: {}
            additionalOperations:
              LINK: {operationId: l}
              "BAD METHOD": {}
    """
    api = lowered(text, version="3.2.0")
    assert [one.key for one in api.operations] == ["GET /a", "LINK /a", "QUERY /a"]
    assert http(api.operations[1]).method == "LINK"
    assert [(one.operation, one.why) for one in api.left_out] == [
        ("BAD METHOD /a", "'BAD METHOD' is no HTTP method")
    ]
    assert [one.key for one in lowered(text, version="3.1.0").operations] == ["GET /a"]


def test_the_whole_query_string_and_cookies_in_their_style() -> None:
    api = lowered(
        """
        paths:
          /a:
            get:
              parameters:
                - name: selector
                  in: querystring
                  content:
                    application/x-www-form-urlencoded: {$ref: '#/components/mediaTypes/Form'}
                - {name: c, in: cookie, style: cookie, schema: {type: string}}
        components:
          mediaTypes:
            Form: {schema: {type: object, properties: {a: {type: string}}}}
        """,
        version="3.2.0",
    )
    [only] = api.operations
    assert [one.carrier for one in only.arguments] == [
        Parameter(
            name="selector",
            place="querystring",
            style="form",
            explode=True,
            media_type="application/x-www-form-urlencoded",
        ),
        Parameter(name="c", place="cookie", style="cookie", explode=True),
    ]
    assert only.arguments[0].schema == {"type": "object", "properties": {"a": {"type": "string"}}}


def test_sequences_by_their_items() -> None:
    api = lowered(
        """
        paths:
          /a:
            post:
              requestBody: {content: {application/jsonl: {itemSchema: {type: integer}}}}
              responses:
                '200': {content: {application/jsonl: {itemSchema: {type: string}}}}
        """,
        version="3.2.0",
    )
    [only] = api.operations
    assert (body(only).kind, rows(only)) == ("json_lines", [("body", "body", "", False)])
    assert only.arguments[0].schema == {"type": "array", "items": {"type": "integer"}}
    assert only.output_schema == {"type": "array", "items": {"type": "string"}}


def test_device_authorization_and_the_documents_own_name() -> None:
    api = lowered(
        """
        $self: https://api.example/specs/own.yaml
        paths:
          /a: {get: {parameters: [{$ref: 'https://api.example/specs/own.yaml#/x-p'}]}}
        x-p: {name: p, in: query, schema: {}}
        components:
          securitySchemes:
            device:
              type: oauth2
              oauth2MetadataUrl: https://api.example/meta
              flows:
                deviceAuthorization:
                  deviceAuthorizationUrl: https://api.example/device
                  tokenUrl: https://api.example/token
                  scopes: {}
        """,
        version="3.2.0",
    )
    device = api.security_schemes["device"]
    assert device.flows == (
        OAuthFlow(
            kind="deviceAuthorization",
            device_authorization_url="https://api.example/device",
            token_url="https://api.example/token",
        ),
    )
    assert device.openid_url == "https://api.example/meta"
    assert rows(api.operations[0]) == [("p", "query", "p", False)]
    assert told(api) == []


def test_a_discriminator_has_a_kind_for_every_other_tag() -> None:
    api = lowered(
        """
        paths: {/a: {post: {requestBody: {content: {application/json: {schema:
          {$ref: '#/components/schemas/Pet'}}}}}}}
        components:
          schemas:
            Pet:
              oneOf:
                - {$ref: '#/components/schemas/Cat'}
                - {$ref: '#/components/schemas/Other'}
              discriminator:
                {propertyName: kind, mapping: {cat: Cat}, defaultMapping: Other}
            Cat: {type: object, properties: {kind: {type: string}}}
            Other: {type: object, properties: {kind: {type: string}}}
        """,
        version="3.2.0",
    )
    assert api.definitions.input["Pet"] == {
        "oneOf": [
            {"$ref": "#/$defs/Cat", "properties": {"kind": {"const": "cat"}}},
            {"$ref": "#/$defs/Other"},
        ],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"cat": "#/$defs/Cat"},
            "defaultMapping": "#/$defs/Other",
        },
        "description": "`kind` tells the kinds apart: `cat`; anything else is `Other`.",
    }


def test_parts_without_names_are_a_loss() -> None:
    api = lowered(
        """
        paths: {/a: {post: {requestBody: {content: {multipart/mixed: {
          schema: {type: array}, prefixEncoding: [{contentType: text/plain}],
          itemEncoding: {contentType: image/png}}}}}}}
        """,
        version="3.2.0",
    )
    at = "/paths/~1a/post/requestBody/content/multipart~1mixed"
    assert told(api) == [
        (
            "POST /a",
            f"{at}/prefixEncoding",
            "`prefixEncoding` is for parts without names, which are not sent",
        ),
        (
            "POST /a",
            f"{at}/itemEncoding",
            "`itemEncoding` is for parts without names, which are not sent",
        ),
        (
            "POST /a",
            f"{at}/schema",
            "a multipart body that is no object has no names for its parts",
        ),
    ]
