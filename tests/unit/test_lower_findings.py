"""Nothing goes unsaid: what is odd leaves a trace, and the trace names each operation it touches."""

from typing import Any

import pytest

from tests.unit.openapi_documents import body_of, document, lowered, operation, schema_of
from toolmint.generator.load import parse
from toolmint.generator.model.api import Api
from toolmint.generator.settings.policy import PackageSettings
from toolmint.generator.shape import shape
from toolmint.generator.sources.openapi import lower


def lost(api: Api) -> list[tuple[str, str, str]]:
    return [(one.operation, one.location.pointer, one.what) for one in api.losses]


def warned(api: Api) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.location.pointer, one.text, one.operations) for one in api.warnings]


def out(api: Api) -> list[tuple[str, str, str]]:
    return [(one.operation, one.location.pointer, one.why) for one in api.left_out]


# ── what operations share ───────────────────────────────────────────────────────────

SHARED = """
    paths:
      /a: {get: {tags: [one], parameters: [{$ref: '#/components/parameters/P'}]}}
      /b:
        post:
          requestBody:
            content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Far'}}}}
      /c: {get: {responses: {'200': {$ref: '#/components/responses/R'}}}}
      /d: {get: {}}
    components:
      parameters: {P: {name: p, in: query, schema: {$ref: '#/components/schemas/Bad'}}}
      responses:
        R: {description: r, content: {application/json: {schema: {$ref: '#/components/schemas/Bad'}}}}
        Unused: {description: u, content: {application/json: {schema: {type: magic}}}}
      schemas:
        Far: {type: object, properties: {near: {$ref: '#/components/schemas/Near'}}}
        Near: {type: object, properties: {bad: {$ref: '#/components/schemas/Bad'}, far: {$ref: '#/components/schemas/Far'}}}
        Bad: {type: string, pattern: '('}
        Odd: {type: magic}
"""


def test_a_loss_in_a_shared_schema_is_that_of_each_operation_that_reaches_it() -> None:
    at, what = "/components/schemas/Bad/pattern", "no engine takes the pattern '('; it is dropped"
    assert sorted(lost(lowered(SHARED))) == [
        ("GET /a", at, what),
        ("GET /c", at, what),
        ("POST /b", at, what),
    ]


@pytest.mark.parametrize(
    ("include", "losses"),
    [
        (("GET /a",), ["GET /a"]),
        (("tag:one",), ["GET /a"]),
        (("GET /d",), []),
        (("GET /**",), ["GET /a", "GET /c"]),
    ],
)
def test_only_the_losses_of_what_was_chosen_count(
    include: tuple[str, ...], losses: list[str]
) -> None:
    made = shape(lowered(SHARED), PackageSettings(include=include))
    assert [one.operation for one in made.losses] == losses


def test_what_was_left_out_counts_where_it_was_chosen() -> None:
    api = lowered("""
        paths:
          /a: {get: {operationId: getA, tags: [x], parameters: [{$ref: '#/nowhere'}]}}
          /b: {get: {operationId: getB, parameters: [{$ref: '#/nowhere'}]}}
          /c: {get: {deprecated: 'yes'}}
          /d: {$ref: '#/nowhere'}
    """)

    def told(**patterns: Any) -> tuple[list[str], list[str]]:
        made = shape(api, PackageSettings(**patterns))
        return [one.operation for one in made.left_out], [one.text[:12] for one in made.warnings]

    everything = ["/d", "GET /a", "GET /b"]
    assert told() == (everything, ["`deprecated`"])
    assert told(include=("getA",)) == (["GET /a"], [])
    assert told(include=("tag:x",)) == (["GET /a"], [])
    assert told(include=("GET /c",)) == ([], ["`deprecated`"])
    assert told(include=("/d",)) == (["/d"], [])
    assert told(exclude=("GET /b", "/d")) == (["GET /a"], ["`deprecated`"])


def test_a_credential_is_told_of_to_each_operation_that_has_it() -> None:
    api = lowered("""
        paths:
          /a: {get: {parameters: [{name: api_key, in: query, schema: {}}]}}
          /b: {get: {parameters: [{name: api_key, in: query, schema: {}}]}}
          /c: {get: {}}
    """)
    [(pointer, _, operations)] = warned(api)
    assert (pointer, operations) == ("/paths/~1a/get/parameters/0", ("GET /a", "GET /b"))


# ── operations that would vanish ────────────────────────────────────────────────────


def test_a_reference_that_yaml_takes_for_a_comment_is_told_wherever_it_stands() -> None:
    api = lowered("""
        paths:
          /a:
            get:
              responses:
                '200':
                  $ref: #/components/responses/R
            put:
              parameters:
                - $ref: #/components/parameters/P
            post:
              requestBody:
                $ref: #/components/requestBodies/B
          /b:
            $ref: #/components/pathItems/I
    """)
    assert [one.key for one in api.operations] == ["GET /a", "POST /a"]
    assert lost(api) == [
        ("GET /a", "/paths/~1a/get/responses/200", "a response cannot be read: `$ref` is null"),
        (
            "POST /a",
            "/paths/~1a/post/requestBody",
            "the request body cannot be read: `$ref` is null",
        ),
    ]
    assert out(api) == [
        ("/b", "/paths/~1b", "the path cannot be read: `$ref` is null"),
        (
            "PUT /a",
            "/paths/~1a/put/parameters/0",
            "a parameter cannot be read: `$ref` is null",
        ),
    ]


def test_a_schema_a_level_too_high_is_meant_all_the_same() -> None:
    api = lowered("""
        paths:
          /a:
            post:
              requestBody: {content: {application/json: {$ref: '#/components/schemas/Thing'}}}
              responses: {'200': {description: d, schema: {type: array, items: {type: string}}}}
            put:
              requestBody: {schema: {type: array, items: {type: integer}}}
              responses: {'200': {content: {text/plain: {type: string}}}}
        components: {schemas: {Thing: {type: array, items: {}}}}
    """)
    post, put = api.operations
    assert post.arguments[0].schema == {"$ref": "#/$defs/Thing"}
    assert put.arguments[0].schema == {"type": "array", "items": {"type": "integer"}}
    assert post.output_schema == {"type": "array", "items": {"type": "string"}}
    assert put.output_schema == {"type": "string"}
    itself = "the media type is a schema itself; it is read as its `schema`"
    outside = "`schema` stands outside of `content`; it is read as JSON"
    assert warned(api) == [
        ("/paths/~1a/post/requestBody/content/application~1json", itself, ("POST /a",)),
        ("/paths/~1a/post/responses/200/schema", outside, ("POST /a",)),
        ("/paths/~1a/put/requestBody/schema", outside, ("PUT /a",)),
        ("/paths/~1a/put/responses/200/content/text~1plain", itself, ("PUT /a",)),
    ]


def test_a_method_in_upper_case_is_meant_all_the_same() -> None:
    api = lowered("paths: {/a: {GET: {operationId: x}, Post: {}}}")
    assert [(one.key, one.operation_id) for one in api.operations] == [
        ("GET /a", "x"),
        ("POST /a", None),
    ]
    about = ("GET /a", "POST /a")
    assert warned(api) == [
        ("/paths/~1a/GET", "`GET` is read as `get`, as OpenAPI writes it", about),
        ("/paths/~1a/Post", "`Post` is read as `post`, as OpenAPI writes it", about),
    ]


def test_a_method_in_upper_case_of_2_0_is_read_with_its_body() -> None:
    text = """
        swagger: '2.0'
        info: {title: T, version: '1'}
        host: api.example
        paths:
          /a:
            POST:
              parameters: [{name: body, in: body, schema: {type: object, properties: {a: {}}}}]
              responses: {'200': {description: ok, schema: {type: string}}}
    """
    from textwrap import dedent

    [only] = lower(parse(dedent(text).encode(), file="a.yaml")).operations
    assert [argument.name for argument in only.arguments] == ["a"]
    assert only.output_schema == {"type": "string"}


def test_an_operation_under_another_word_is_left_out_and_told() -> None:
    api = lowered("""
        paths:
          /a:
            connect: {operationId: x, responses: {}}
            query: {responses: {}}
            get: {}
            GET: {operationId: twin}
            gett: true
          /b: {gett: true}
    """)
    assert [one.key for one in api.operations] == ["GET /a"]
    assert out(api) == [
        ("CONNECT /a", "/paths/~1a/connect", "OpenAPI 3.1 has no operations under `connect`"),
        ("QUERY /a", "/paths/~1a/query", "OpenAPI 3.1 has no operations under `query`"),
    ]
    assert lost(api) == [
        ("GET /a", "/paths/~1a/GET", "`GET` stands beside `get`; only that is read")
    ]
    nothing = "`gett` means nothing in a path item; it is ignored"
    assert warned(api) == [
        ("/paths/~1a/gett", nothing, ("GET /a",)),
        ("/paths/~1b/gett", nothing, ()),
    ]
    assert api.operation_count == 3


@pytest.mark.parametrize(
    ("version", "text", "losses"),
    [
        ("3.1.0", "paths: []", [("/paths", "`paths` is an array and no object; it is dropped")]),
        ("3.0.0", "tags: []", [("", "there are no `paths`, so that no operation is described")]),
        ("3.1.0", "webhooks: {}", []),
        ("3.1.0", "components: {}", []),
        ("3.1.0", "tags: []", [("", "there are no `paths`, so that no operation is described")]),
        (
            "3.1.0",
            "paths: {}\ncomponents: []",
            [("/components", "`components` is an array and no object; it is dropped")],
        ),
        (
            "3.1.0",
            "paths: {}\ncomponents: {schemas: []}",
            [("/components/schemas", "`schemas` is an array and no object; it is dropped")],
        ),
        (
            "3.1.0",
            "paths: {}\ntags: {a: b}",
            [("/tags", "`tags` is an object and no list; it is dropped")],
        ),
        (
            "3.1.0",
            "paths: {}\ntags: [a, {name: b}]",
            [("/tags/0", "a tag needs a `name`; it is dropped")],
        ),
    ],
)
def test_a_document_without_its_parts_says_so(
    version: str, text: str, losses: list[tuple[str, str]]
) -> None:
    api = lower(document(text, version=version))
    assert lost(api) == [("", *loss) for loss in losses]


def test_info_that_is_none_is_told() -> None:
    api = lower(parse(b"openapi: 3.1.0\ninfo: 3\npaths: {}", file="shop.yaml"))
    assert api.title == "shop"
    assert lost(api) == [("", "/info", "`info` is a number and no object; it is dropped")]


def test_the_documents_security_says_what_holds_without_it() -> None:
    api = lowered("security: x\npaths: {/a: {get: {security: {b: []}}}, /b: {get: {}}}")
    assert sorted(lost(api)) == [
        (
            "GET /a",
            "/paths/~1a/get/security",
            "`security` is an object and no list; the document's own holds",
        ),
        ("GET /a", "/security", "`security` is a string and no list; nothing is asked for"),
        ("GET /b", "/security", "`security` is a string and no list; nothing is asked for"),
    ]


def test_scalars_are_read_as_they_were_meant() -> None:
    api = lowered("""
        paths:
          /a:
            get:
              operationId: 12
              deprecated: 'yes'
              summary: 2024
              tags: [1, a]
            put: {operationId: [x], deprecated: {}, description: [d]}
            post: {operationId: '', deprecated: 'false'}
    """)
    read = [(one.operation_id, one.deprecated, one.summary, one.tags) for one in api.operations]
    assert read == [("12", True, "2024", ("1", "a")), (None, False, "", ()), (None, False, "", ())]
    get, post = ("GET /a",), ("POST /a",)
    assert warned(api) == [
        ("/paths/~1a/get/operationId", "`operationId` is a number; it is read as '12'", get),
        ("/paths/~1a/get/deprecated", "`deprecated` is 'yes'; it is read as true", get),
        ("/paths/~1a/post/deprecated", "`deprecated` is 'false'; it is read as false", post),
    ]
    assert [(pointer, what) for _, pointer, what in lost(api)] == [
        ("/paths/~1a/put/operationId", "`operationId` is an array and no text; it is dropped"),
        ("/paths/~1a/put/description", "`description` is an array and no text; it is dropped"),
        ("/paths/~1a/put/deprecated", "`deprecated` is an object and no boolean; it is dropped"),
    ]


def test_booleans_of_parts_are_read_as_they_were_meant() -> None:
    api = lowered("""
        paths:
          /a:
            post:
              parameters:
                - {name: q, in: query, required: 'yes', explode: 'no', schema: {}}
                - {name: r, in: query, allowReserved: 3, schema: {}}
              requestBody:
                required: 'TRUE'
                content: {application/json: {schema: {type: string}}}
    """)
    [only] = api.operations
    assert [(one.name, one.required) for one in only.arguments] == [
        ("q", True),
        ("r", False),
        ("body", True),
    ]
    assert sorted(pointer for pointer, _, _ in warned(api)) == [
        "/paths/~1a/post/parameters/0/explode",
        "/paths/~1a/post/parameters/0/required",
        "/paths/~1a/post/requestBody/required",
    ]
    assert [pointer for _, pointer, _ in lost(api)] == [
        "/paths/~1a/post/parameters/1/allowReserved"
    ]


def test_a_path_parameter_called_like_a_credential_is_told_of() -> None:
    api = lowered("""
        paths:
          /{api_key}/{id}:
            get:
              parameters:
                - {name: api_key, in: path, required: true, schema: {type: string}}
                - {name: id, in: path, required: true, schema: {type: string}}
    """)
    assert [one.name for one in api.operations[0].arguments] == ["api_key", "id"]
    [(pointer, text, operations)] = warned(api)
    assert (pointer, operations) == (
        "/paths/~1{api_key}~1{id}/get/parameters/0",
        ("GET /{api_key}/{id}",),
    )
    assert text.endswith("it is an argument that a model fills in")


# ── headers that are the sender's own ───────────────────────────────────────────────


@pytest.mark.parametrize(
    "name",
    [
        *("Host", "content-length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE"),
        *("Trailer", "Upgrade", "Expect", "Proxy-Connection", "Proxy-Authenticate"),
    ],
)
def test_what_frames_a_message_is_no_argument(name: str) -> None:
    api = lowered(f"""
        paths:
          /a: {{get: {{parameters: [{{name: {name}, in: header, required: true, schema: {{}}}}]}}}}
        components: {{securitySchemes: {{s: {{type: apiKey, in: header, name: {name}}}}}}}
    """)
    [only] = api.operations
    assert (only.arguments, only.credentials) == ((), ())
    assert warned(api) == [
        (
            "/paths/~1a/get/parameters/0",
            f"the header {name!r} is the sender's own: it is no argument",
            ("GET /a",),
        )
    ]
    assert api.security_schemes["s"].kind == "unsupported"


# ── schemas ─────────────────────────────────────────────────────────────────────────


def test_definitions_that_only_lead_back_to_themselves_are_open() -> None:
    api = lowered("""
        paths:
          /a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Self'}}}}}}
          /b:
            get:
              parameters:
                - {name: q, in: query, schema: {$ref: '#/components/schemas/One'}}
                - {name: r, in: query, schema: {$ref: '#/components/schemas/Tree'}}
        components:
          schemas:
            Self: {$ref: '#/components/schemas/Self'}
            One: {$ref: '#/components/schemas/Two'}
            Two: {allOf: [{$ref: '#/components/schemas/One'}]}
            Tree: {type: object, properties: {more: {$ref: '#/components/schemas/Tree'}}}
    """)
    assert api.definitions.input == {
        "One": {},
        "Self": {},
        "Tree": {"type": "object", "properties": {"more": {"$ref": "#/$defs/Tree"}}},
        "Two": {},
    }
    what = "the definition {!r} refers to nothing but itself; any value is taken"
    assert lost(api) == [
        ("GET /b", "/components/schemas/One", what.format("One")),
        ("POST /a", "/components/schemas/Self", what.format("Self")),
        ("GET /b", "/components/schemas/Two", what.format("Two")),
    ]


@pytest.mark.parametrize("number", ["1e400", "1" + "0" * 400])
@pytest.mark.parametrize("keyword", ["default", "const", "enum"])
def test_a_number_beyond_a_double_is_dropped_and_never_null(keyword: str, number: str) -> None:
    value = {"enum": f"[1, -{number}]", "default": f"{{a: [{number}]}}", "const": number}[keyword]
    api = lowered(f"""
        paths:
          /a: {{get: {{parameters: [{{name: q, in: query, schema: {{{keyword}: {value}}}}}]}}}}
    """)
    assert api.operations[0].arguments[0].schema == {}
    assert lost(api) == [
        (
            "GET /a",
            f"/paths/~1a/get/parameters/0/schema/{keyword}",
            f"`{keyword}` holds a number beyond a double; it is dropped",
        )
    ]


def test_an_example_beyond_a_double_is_left_out() -> None:
    assert schema_of("{type: number, examples: [1e400, 2]}") == {"type": "number", "examples": [2]}
    assert schema_of("{type: number, example: 1e400}") == {"type": "number"}
    only = operation("""
        paths:
          /a: {get: {parameters: [{name: q, in: query, schema: {}, example: {a: 1e400}}]}}
    """)
    assert only.arguments[0].schema == {}


@pytest.mark.parametrize("keyword", ["minimum", "multipleOf", "maxLength", "type", "pattern"])
def test_an_integer_beyond_a_double_is_no_bound(keyword: str) -> None:
    assert schema_of(f"{{title: T, {keyword}: 1{'0' * 400}}}") == {"title": "T"}


def test_an_integer_beyond_a_double_is_no_name() -> None:
    api = lowered(f"paths: {{/a: {{get: {{tags: [a, 1{'0' * 400}]}}}}}}")
    assert api.operations[0].tags == ("a",)
    assert lost(api) == [
        ("GET /a", "/paths/~1a/get/tags", "`tags` lists what is no name; that is dropped")
    ]


@pytest.mark.parametrize(
    "schema",
    [
        "{allOf: [{type: object, properties: {a: {}, b: {}}}, {required: [a]}]}",
        "{allOf: [{required: [a]}, {type: [object], properties: {a: {}, b: {}}}]}",
        "{type: [object], properties: {a: {}, b: {}}, required: [a]}",
        "{properties: {a: {}, b: {}}, allOf: [{required: [a]}, {description: d}]}",
    ],
)
def test_a_body_is_flattened_whatever_says_that_it_is_an_object(schema: str) -> None:
    only = operation(body_of(schema))
    assert [(one.name, one.required) for one in only.arguments] == [("a", True), ("b", False)]
