"""The argument table: names, places, what is required, what is no argument."""

from toolmint.generator.model.arguments import Member, Parameter

from .openapi_documents import body, body_of, http, lowered, operation, rows, told


def test_only_names_that_collide_change() -> None:
    only = operation("""
        paths:
          /accounts/{id}:
            put:
              parameters:
                - {name: id, in: path, required: true, schema: {type: string}}
                - {name: id, in: query, schema: {type: string}}
                - {name: from, in: query, schema: {type: string}}
                - {name: From, in: header, schema: {type: string}}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {type: object, required: [id], properties: {name: {}, id: {}}}
    """)
    assert rows(only) == [
        ("id__path", "path", "id", True),
        ("id__query", "query", "id", False),
        ("from", "query", "from", False),
        ("From", "header", "From", False),
        ("id", "body", "id", True),
        ("name", "body", "name", False),
    ]
    assert only.input_schema == {
        "type": "object",
        "properties": {
            "id__path": {"type": "string"},
            "id__query": {"type": "string"},
            "from": {"type": "string"},
            "From": {"type": "string"},
            "id": {},
            "name": {},
        },
        "required": ["id__path", "id"],
        "additionalProperties": False,
    }


def test_reserved_names_always_give_way() -> None:
    only = operation("""
        paths:
          /labels:
            post:
              parameters:
                - {name: body, in: query, schema: {}}
                - {name: _fields, in: query, schema: {}}
              requestBody:
                required: true
                content: {application/json: {schema: {type: array, items: {type: string}}}}
    """)
    assert rows(only) == [
        ("body__query", "query", "body", False),
        ("_fields__query", "query", "_fields", False),
        ("body", "body", "", True),
    ]
    flat = operation(body_of("{type: object, properties: {_page: {}, body: {}}}"))
    assert rows(flat) == [
        ("_page__body", "body", "_page", False),
        ("body", "body", "body", False),
    ]


def test_a_suffix_that_is_taken_gives_way_too() -> None:
    only = operation("""
        paths:
          /a/{id}:
            post:
              parameters:
                - {name: id, in: path, required: true, schema: {}}
                - {name: id__path, in: query, schema: {}}
              requestBody:
                content:
                  application/json: {schema: {type: object, properties: {id: {}, id__path_: {}}}}
    """)
    assert [one.name for one in only.arguments] == ["id__path__", "id__path", "id", "id__path_"]


def test_parameters_of_the_path_item_are_overridden_in_place() -> None:
    api = lowered("""
        paths:
          /orgs/{orgId}:
            parameters:
              - {$ref: '#/components/parameters/OrgId'}
              - {name: expand, in: query, schema: {type: array, items: {type: string}}}
              - {name: X-Trace, in: header, schema: {type: string}}
            get:
              parameters:
                - {name: expand, in: query, explode: false, schema: {type: string}}
                - {name: expand, in: header, schema: {type: string}}
                - {name: x-trace, in: header, required: true, schema: {type: string}}
            delete: {}
        components:
          parameters:
            OrgId: {name: orgId, in: path, required: true, schema: {type: string}}
    """)
    delete, get = api.operations
    assert rows(delete) == [
        ("orgId", "path", "orgId", True),
        ("expand", "query", "expand", False),
        ("X-Trace", "header", "X-Trace", False),
    ]
    assert rows(get) == [
        ("orgId", "path", "orgId", True),
        ("expand__query", "query", "expand", False),
        ("x-trace", "header", "x-trace", True),
        ("expand__header", "header", "expand", False),
    ]
    assert get.arguments[1].carrier == Parameter(
        name="expand", place="query", style="form", explode=False
    )


def test_styles_and_their_defaults() -> None:
    only = operation("""
        paths:
          /a/{p}:
            get:
              parameters:
                - {name: p, in: path, style: matrix, explode: true, schema: {}}
                - {name: q, in: query, schema: {}}
                - {name: d, in: query, style: deepObject, schema: {}}
                - {name: s, in: query, style: spaceDelimited, allowReserved: true, schema: {}}
                - {name: h, in: header, schema: {}}
                - {name: c, in: cookie, schema: {}}
                - {name: w, in: query, content: {application/json: {schema: {type: object}}}}
    """)
    carriers = [one.carrier for one in only.arguments]
    assert carriers == [
        Parameter(name="p", place="path", style="matrix", explode=True),
        Parameter(name="q", place="query", style="form", explode=True),
        Parameter(name="d", place="query", style="deepObject", explode=False),
        Parameter(
            name="s", place="query", style="spaceDelimited", explode=False, allow_reserved=True
        ),
        Parameter(name="h", place="header", style="simple", explode=False),
        Parameter(name="c", place="cookie", style="form", explode=True),
        Parameter(
            name="w",
            place="query",
            style="form",
            explode=True,
            media_type="application/json",
        ),
    ]
    assert only.arguments[0].required


def test_an_unknown_style_is_a_loss_and_the_default_is_used() -> None:
    api = lowered("""
        paths:
          /a:
            get: {parameters: [{name: h, in: header, style: form, schema: {}}]}
    """)
    assert told(api) == [
        (
            "GET /a",
            "/paths/~1a/get/parameters/0/style",
            "'form' is no style in header; 'simple' is used",
        )
    ]


def test_credentials_are_never_arguments() -> None:
    api = lowered("""
        security: [{token: []}]
        paths:
          /a:
            get:
              parameters:
                - {name: Authorization, in: header, required: true, schema: {type: string}}
                - {name: Accept, in: header, schema: {type: string}}
                - {name: Content-Type, in: header, schema: {type: string}}
                - {name: x-tenant, in: header, schema: {type: string}}
                - {name: access_token, in: query, required: true, schema: {type: string}}
                - {name: key, in: query, schema: {type: string}, description: The key of a row.}
                - {name: unread, in: query, schema: {type: boolean}}
          /b:
            get:
              parameters:
                - {name: key, in: query, schema: {type: string}, description: Your API key.}
        components:
          securitySchemes:
            token: {type: http, scheme: bearer}
            tenant: {type: apiKey, in: header, name: X-Tenant}
    """)
    first, second = api.operations
    assert rows(first) == [
        ("key", "query", "key", False),
        ("unread", "query", "unread", False),
    ]
    assert first.credentials == ("tenant", "access_token")
    assert rows(second) == []
    assert second.credentials == ("key",)
    assert sorted(api.security_schemes) == ["access_token", "key", "tenant", "token"]
    assert [warning.text for warning in api.warnings] == [
        (
            "the query parameter 'access_token' is a credential: it is no argument, "
            "give it as the credential 'access_token'"
        ),
        (
            "the query parameter 'key' is a credential: it is no argument, "
            "give it as the credential 'key'"
        ),
    ]


def test_the_idempotency_key_belongs_to_the_runtime() -> None:
    only = operation("""
        paths:
          /a:
            post: {parameters: [{name: idempotency-Key, in: header, required: true, schema: {}}]}
    """)
    assert (rows(only), only.idempotency_key) == ([], "idempotency-Key")


def test_the_path_and_its_parameters_are_made_to_agree() -> None:
    api = lowered("""
        paths:
          /a/{id}/{+rest}#frag:
            get:
              parameters:
                - {name: rest, in: path, required: true, schema: {type: string}}
                - {name: gone, in: path, required: true, schema: {type: string}}
          /q?fixed=1&by={who}:
            get:
              parameters:
                - {name: who, in: path, required: true, schema: {type: string}}
    """)
    first, second = api.operations
    assert first.key == "GET /a/{id}/{+rest}#frag"
    assert http(first).path == "/a/{id}/{rest}"
    assert rows(first) == [("rest", "path", "rest", True), ("id", "path", "id", True)]
    assert http(second).path == "/q"
    assert http(second).query == "fixed=1"
    assert rows(second) == [("who", "query", "by", True)]
    assert [what for _, _, what in told(api)] == [
        "the path has no {gone}; the path parameter of that name is dropped",
        "the path's {id} is not declared; it is taken for a string",
    ]


def test_the_query_of_a_path_key_and_the_parameters_are_made_to_agree() -> None:
    api = lowered("""
        paths:
          /a?by={who}&fixed=1: {get: {}}
          /b{?who,page*}: {get: {parameters: [{name: page, in: query, schema: {}}]}}
          /c/{who}?by={who}: {get: {}}
          /d?by={who}: {get: {parameters: [{name: who, in: query, schema: {}}]}}
          /e?by=pre-{who}&{key}={who}: {get: {}}
          /f?by={who}: {get: {parameters: [{name: by, in: query, schema: {}}]}}
          /g/{+rest}: {get: {}}
          /h?by={by}:
            get: {parameters: [{name: by, in: query, schema: {}}, {name: by, in: path}]}
    """)
    assert [(http(one).path, http(one).query, rows(one)) for one in api.operations] == [
        ("/a", "fixed=1", [("who", "query", "by", True)]),
        ("/b", "", [("page", "query", "page", False), ("who", "query", "who", True)]),
        ("/c/{who}", "", [("who", "path", "who", True)]),
        ("/d", "", [("who", "query", "who", False)]),
        ("/e", "", []),
        ("/f", "", [("by", "query", "by", False)]),
        ("/g/{rest}", "", [("rest", "path", "rest", True)]),
        ("/h", "", [("by", "query", "by", False)]),
    ]
    assert [(key, what) for key, _, what in told(api)] == [
        ("GET /a?by={who}&fixed=1", "the path's {who} is not declared; it is taken for a string"),
        ("GET /b{?who,page*}", "the path's {who} is not declared; it is taken for a string"),
        ("GET /c/{who}?by={who}", "the path's {who} is not declared; it is taken for a string"),
        (
            "GET /c/{who}?by={who}",
            "the path's by={who} is not sent: the variable travels under its own name already",
        ),
        (
            "GET /d?by={who}",
            "the path's by={who} is not sent: the variable travels under its own name already",
        ),
        (
            "GET /e?by=pre-{who}&{key}={who}",
            "the path's by=pre-{who} is not sent: a variable is a whole value, or nothing",
        ),
        (
            "GET /e?by=pre-{who}&{key}={who}",
            "the path's {key}={who} is not sent: a variable is a whole value, or nothing",
        ),
        ("GET /g/{+rest}", "the path's {rest} is not declared; it is taken for a string"),
        ("GET /h?by={by}", "the path has no {by}; the path parameter of that name is dropped"),
    ]


def test_what_could_end_a_header_line_is_never_sent() -> None:
    api = lowered(r"""
        paths:
          /a:
            post:
              security: [{bad: []}]
              parameters:
                - {name: "X-A: b\r\nX-B", in: header, schema: {}}
                - {name: "a;b", in: cookie, schema: {}}
                - {name: "any thing", in: query, schema: {}}
              requestBody:
                content:
                  "application/json\r\nX-C: d": {schema: {type: string}}
                  text/plain: {schema: {type: string}}
        components:
          securitySchemes:
            bad: {type: apiKey, in: header, name: "X\r\nY"}
    """)
    [only] = api.operations
    assert rows(only) == [
        ("any thing", "query", "any thing", False),
        ("body", "body", "", False),
    ]
    assert body(only).media_type == "text/plain"
    assert api.security_schemes["bad"].kind == "unsupported"
    assert [pointer for _, pointer, _ in told(api)] == [
        "/components/securitySchemes/bad",
        "/paths/~1a/post/parameters/0",
        "/paths/~1a/post/parameters/1",
        "/paths/~1a/post/requestBody/content/application~1json\r\nX-C: d",
    ]


def test_examples_beside_a_schema_become_its_examples() -> None:
    only = operation("""
        paths:
          /a:
            post:
              parameters:
                - name: x
                  in: query
                  schema: {type: integer}
                  examples:
                    two: {$ref: '#/components/examples/Two'}
                    one: {value: 1}
                    far: {externalValue: 'https://x.example/3'}
                - {name: y, in: query, schema: {type: array, items: {}}, example: 'a,b'}
                - {name: z, in: query, schema: {type: string, example: own}, example: other}
              requestBody:
                content: {application/json: {schema: {type: array}, example: [{b: 1, a: 2}]}}
        components: {examples: {Two: {value: 2}}}
    """)
    assert [one.schema for one in only.arguments] == [
        {"type": "integer", "examples": [1, 2]},
        {"type": "array", "items": {}},
        {"type": "string", "examples": ["own"]},
        {"type": "array", "examples": [[{"b": 1, "a": 2}]]},
    ]


def test_descriptions_and_deprecation_of_parameters_reach_the_argument() -> None:
    only = operation("""
        paths:
          /a:
            get:
              parameters:
                - {name: x, in: query, description: Mine., deprecated: true,
                   schema: {$ref: '#/components/schemas/X'}}
        components: {schemas: {X: {type: string, description: Shared.}}}
    """)
    assert only.arguments[0].schema == {
        "$ref": "#/$defs/X",
        "description": "Mine.",
        "deprecated": True,
    }


def deep(hints: str = "", *, root: str = "", more: str = "") -> list[str]:
    """The array formats of a deepObject parameter and a form's member."""
    api = lowered(f"""
        {root}
        paths:
          /a:
            post:
              parameters:
                - {{name: f, in: query, style: deepObject, schema: {{type: object}}{hints}}}
              requestBody:
                content:
                  application/x-www-form-urlencoded:
                    schema: {{type: object, properties: {{m: {{type: object}}}}}}
                    encoding: {{m: {{style: deepObject{hints}}}}}
          /b: {{get: {{{more}}}}}
    """)
    carriers = [one.carrier for one in api.operations[0].arguments]
    assert isinstance(carriers[0], Parameter)
    assert isinstance(carriers[1], Member)
    assert carriers[1].encoding is not None
    return [carriers[0].arrays, carriers[1].encoding.arrays]


def test_how_a_deep_object_writes_arrays_is_hinted_at() -> None:
    bare = "parameters: [{name: e, in: query, style: deepObject, schema: {type: array}}]"
    assert deep() == ["repeat", "repeat"]
    assert deep(", x-array-format: indices") == ["indices", "indices"]
    assert deep(root="x-array-format: brackets") == ["brackets", "brackets"]
    assert deep(more=bare) == ["brackets", "brackets"]
    assert deep(more=bare, root="x-array-format: repeat") == ["repeat", "repeat"]
    assert deep(", x-array-format: commas") == ["repeat", "repeat"]


def test_a_nested_deep_object_is_told() -> None:
    api = lowered("""
        paths:
          /a:
            get:
              parameters:
                - name: f
                  in: query
                  style: deepObject
                  schema: {type: object, properties: {x: {type: array}, y: {type: string}}}
    """)
    assert [one.text for one in api.warnings] == [
        "deepObject is not defined below one level: `a[b][c]` is sent"
    ]


def credentials_of(security: str, *, required: str = "true") -> tuple[str, ...]:
    """Those that an operation adds to its security by declaring the key as a parameter."""
    only = operation(f"""
        paths:
          /a:
            get:
              security: {security}
              parameters: [{{name: key, in: query, required: {required}, schema: {{type: string}}}}]
        components:
          securitySchemes:
            key: {{type: apiKey, in: query, name: key}}
            token: {{type: apiKey, in: query, name: token}}
    """)
    assert only.arguments == ()
    return only.credentials


def test_a_key_that_is_a_required_parameter_goes_with_every_alternative() -> None:
    assert credentials_of("[{token: []}, {key: []}]") == ("key",)
    assert credentials_of("[{token: []}, {key: []}]", required="false") == ()
    assert credentials_of("[{token: [], key: []}, {key: []}]") == ()
    assert credentials_of("[{token: []}]") == ("key",)
    assert credentials_of("[]") == ("key",)
