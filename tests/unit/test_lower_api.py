"""What surrounds operations: versions, servers, security, results, and what is left out."""

import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.load import parse
from toolmint.generator.model.api import Result, Tag
from toolmint.generator.model.calls import Server, ServerVariable
from toolmint.generator.model.security import OAuthFlow, SecurityScheme
from toolmint.generator.sources.openapi import lower

from .openapi_documents import document, http, lowered, operation, told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'openapi: "4.0.0"',
            (
                "api.yaml:1 #/openapi: OpenAPI '4.0.0' is not known. "
                "Use a description of 2.0 or 3.0 to 3.2."
            ),
        ),
        (
            "asyncapi: 3.0.0",
            (
                "api.yaml:1: is an AsyncAPI description, so it is no OpenAPI description. "
                "Name the file that opens with `openapi`."
            ),
        ),
        (
            "a: 1",
            (
                "api.yaml:1: has neither `openapi` nor `swagger`, so it is no OpenAPI description. "
                "Name the file that opens with `openapi`."
            ),
        ),
    ],
)
def test_what_is_no_openapi_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        lower(parse(text.encode(), file="api.yaml"))
    assert str(caught.value) == message


def test_a_version_that_yaml_reads_as_a_number() -> None:
    api = lower(parse(b"openapi: 3.1\ninfo: {title: T, version: 1.0}\npaths: {}", file="a"))
    assert (api.title, api.version, api.operations) == ("T", "1.0", ())


def test_the_document_as_a_whole() -> None:
    api = lowered("""
        x-ratelimit: {b: 1, a: 2}
        tags: [{name: b, description: B}, {name: a}, {name: b}, {x: y}]
        paths:
          x-internal: {get: {}}
          /b: {put: {}, delete: {}, parameters: [], summary: s}
          /a: {trace: {}, query: {}}
        webhooks: {hook: {post: {}}}
    """)
    assert api.tags == (Tag(name="b", description="B"), Tag(name="a"))
    assert api.extensions == {"x-ratelimit": {"a": 2, "b": 1}}
    assert [one.key for one in api.operations] == ["TRACE /a", "DELETE /b", "PUT /b"]
    assert (api.operation_count, api.operations[1].summary) == (3, "s")


def test_what_people_read_is_read_without_its_html() -> None:
    api = lowered("""
        tags: [{name: a, description: '<p>Tag.</p>'}]
        paths:
          /a:
            post:
              tags: [a]
              summary: <em>Send</em> it
              description: '<p>Sends.</p> <p>Use <code>x</code>.</p>'
              parameters:
                - {name: q, in: query, description: 'One<br>two', schema: {type: string}}
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        x: {type: string, description: '<ul><li>a</li><li>b</li></ul>'}
                        description: {type: string, default: '<p>data</p>'}
              responses: {'200': {description: <i>Done</i>}}
    """)
    [only] = api.operations
    assert api.tags == (Tag(name="a", description="Tag."),)
    assert (only.summary, only.description) == ("Send it", "Sends.\n\nUse `x`.")
    assert {one.name: one.schema for one in only.arguments} == {
        "q": {"type": "string", "description": "One\ntwo"},
        "x": {"type": "string", "description": "- a\n- b"},
        "description": {"type": "string", "default": "<p>data</p>"},
    }
    assert [result.description for result in only.results] == ["Done"]


def test_servers_are_resolved_against_the_documents_address() -> None:
    text = """
        servers:
          - url: ../v1
          - url: https://{region}.example/{base}
            variables:
              region: {enum: [eu, us], default: ap}
              base: {default: 2, description: Version}
          - url: '{origin}/v3'
            variables: {origin: {default: https://c.example}}
          - {url: 'ftp://files.example'}
        paths:
          /a:
            servers: [{url: /path}]
            get: {servers: [{url: 'https://op.example'}]}
            put: {}
          /b: {get: {}}
    """
    api = lowered(text, address="https://docs.example/specs/api.json")
    assert api.servers == (
        Server(url="https://docs.example/v1"),
        Server(
            url="https://{region}.example/{base}",
            variables={
                "region": ServerVariable(default="ap", enum=("ap", "eu", "us")),
                "base": ServerVariable(default="2", description="Version"),
            },
        ),
        Server(
            url="{origin}/v3", variables={"origin": ServerVariable(default="https://c.example")}
        ),
    )
    assert {one.key: http(one).servers for one in api.operations} == {
        "GET /a": (Server(url="https://op.example"),),
        "PUT /a": (Server(url="https://docs.example/path"),),
        "GET /b": None,
    }
    assert told(api) == [("GET /b", "/servers/3", "a server over 'ftp' is no HTTP; it is dropped")]


def test_a_server_variable_may_lack_a_default_and_an_empty_address_is_the_root() -> None:
    text = """
        servers:
          - {url: '{scheme}://a.example/{version}', variables: {version: {enum: [v2, v1]}}}
          - {url: '{whole}/api', variables: {whole: {default: null}}}
          - {url: ''}
        paths: {/a: {get: {}}}
    """
    api = lowered(text, address="https://docs.example/specs/api.json?raw=1")
    assert api.servers == (
        Server(
            url="{scheme}://a.example/{version}",
            variables={
                "scheme": ServerVariable(default=None),
                "version": ServerVariable(default="v2", enum=("v2", "v1")),
            },
        ),
        Server(url="{whole}/api", variables={"whole": ServerVariable(default=None)}),
        Server(url="https://docs.example/"),
    )


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("api.example.com/v1", "https://api.example.com/v1"),
        ("localhost:8080", "http://localhost:8080"),
        ("example.com:8443/v1", "https://example.com:8443/v1"),
        ("v1.0/api", "https://docs.example/specs/v1.0/api"),
        ("a.b/c", "https://docs.example/specs/a.b/c"),
    ],
)
def test_a_scheme_that_was_forgotten_is_added_with_a_warning(url: str, expected: str) -> None:
    text = f"servers: [{{url: '{url}'}}]\npaths: {{/a: {{get: {{}}}}}}"
    api = lowered(text, address="https://docs.example/specs/api.json")
    assert api.servers == (Server(url=expected),)
    scheme = expected.partition(":")[0]
    told = f"a server's address has no scheme; {scheme} is taken"
    added = [] if "docs.example" in expected else [told]
    assert [one.text for one in api.warnings] == added


def test_a_document_without_a_usable_server_is_made_with_a_warning() -> None:
    api = lowered("""
        servers: [{url: /v1}, {url: 'https://second.example'}]
        paths:
          /a:
            get: {}
            put: {servers: [{url: /own}]}
            post: {servers: [{url: 'https://own.example'}]}
          /b:
            servers: [{url: /below}]
            get: {}
    """)
    assert api.servers == (Server(url="/v1"), Server(url="https://second.example"))
    text = (
        "the server has no absolute URL: give base_url= to the toolset, "
        "or --document-url at generation"
    )
    assert [(one.location.pointer, one.text, one.operations) for one in api.warnings] == [
        ("/servers", text, ("GET /a",)),
        ("/paths/~1a/put/servers", text, ("PUT /a",)),
        ("/paths/~1b/servers", text, ("GET /b",)),
    ]
    unused = lowered("servers: [{url: /v1}]\npaths: {/a: {get: {servers: [{url: 'https://x.y'}]}}}")
    assert unused.warnings == ()
    without = parse(b"openapi: 3.1.0\npaths: {}", file="a", address="https://x.example/d/a.json")
    assert lower(without).servers == (Server(url="https://x.example/"),)


def test_security_is_an_or_of_ands() -> None:
    api = lowered("""
        security: [{tenant: [], user: []}, {legacy: []}]
        paths:
          /in: {get: {}}
          /none: {get: {security: []}}
          /maybe: {get: {security: [{}, {oauth: [write, read]}]}}
          /odd: {get: {security: [{odd: []}]}}
        components:
          securitySchemes:
            tenant: {type: apiKey, in: header, name: X-Tenant, description: Yours.}
            user: {type: http, scheme: Bearer}
            legacy: {$ref: '#/components/securitySchemes/basic'}
            basic: {type: http, scheme: basic}
            oidc: {type: openIdConnect, openIdConnectUrl: /oidc}
            cert: {type: mutualTLS}
            odd: {type: magic}
            own: {type: http, scheme: SharedKey}
            oauth:
              type: oauth2
              flows:
                clientCredentials: {tokenUrl: /token, scopes: {write: W, read: R}}
    """)
    assert api.security == ({"tenant": (), "user": ()}, {"legacy": ()})
    assert {one.key: one.security for one in api.operations} == {
        "GET /in": None,
        "GET /maybe": ({}, {"oauth": ("write", "read")}),
        "GET /none": (),
        "GET /odd": ({"odd": ()},),
    }
    kinds = {name: (scheme.kind, scheme.scheme) for name, scheme in api.security_schemes.items()}
    assert kinds == {
        "basic": ("http", "basic"),
        "cert": ("mutualTLS", None),
        "legacy": ("http", "basic"),
        "oauth": ("oauth2", None),
        "odd": ("unsupported", "magic"),
        "own": ("http", "SharedKey"),
        "oidc": ("openIdConnect", None),
        "tenant": ("apiKey", None),
        "user": ("http", "bearer"),
    }
    tenant = api.security_schemes["tenant"]
    assert tenant == SecurityScheme(
        name="tenant",
        kind="apiKey",
        place="header",
        parameter="X-Tenant",
        description="Yours.",
        location=tenant.location,
    )
    assert api.security_schemes["oauth"].flows == (
        OAuthFlow(kind="clientCredentials", token_url="/token", scopes={"read": "R", "write": "W"}),
    )
    [loss] = told(api)
    assert loss[:2] == ("GET /odd", "/components/securitySchemes/odd")


def test_an_address_of_a_scheme_that_is_none_is_told_and_dropped() -> None:
    api = lowered("""
        security: [{oauth: []}, {oidc: []}]
        paths: {/a: {get: {}}}
        components:
          securitySchemes:
            oidc: {type: openIdConnect, openIdConnectUrl: 'http://[bad'}
            oauth:
              type: oauth2
              flows: {clientCredentials: {tokenUrl: 'http://[bad', refreshUrl: /more, scopes: {}}}
    """)
    schemes = api.security_schemes
    assert {name: scheme.kind for name, scheme in schemes.items()} == {
        "oauth": "oauth2",
        "oidc": "unsupported",
    }
    assert schemes["oauth"].flows == (OAuthFlow(kind="clientCredentials", refresh_url="/more"),)
    assert told(api) == [
        (
            "GET /a",
            "/components/securitySchemes/oauth/flows/clientCredentials/tokenUrl",
            "`tokenUrl` is no address; it is dropped",
        ),
        (
            "GET /a",
            "/components/securitySchemes/oidc",
            "a security scheme is not supported: its `openIdConnectUrl` is no address",
        ),
    ]


def test_a_scheme_that_nobody_declared_is_unsupported_and_told() -> None:
    api = lowered("""
        security: [{ghost: []}]
        paths:
          /a: {get: {}}
          /b: {get: {}, put: {security: [{ghost: []}]}, post: {security: []}}
    """)
    assert api.security == ({"ghost": ()},)
    assert api.security_schemes["ghost"].kind == "unsupported"
    what = "the security scheme 'ghost' is not declared"
    assert told(api) == [
        ("GET /a", "/security/0", what),
        ("GET /b", "/security/0", what),
        ("PUT /b", "/paths/~1b/put/security/0", what),
    ]


def test_results_by_status_with_the_best_media_type_first() -> None:
    only = operation("""
        paths:
          /a:
            get:
              responses:
                default: {$ref: '#/components/responses/Problem'}
                '201': {description: made}
                '200':
                  description: ok
                  headers: {X-B: {}, Link: {}}
                  content:
                    text/csv: {schema: {type: string}}
                    application/json: {schema: {type: array, items: {type: integer}}}
        components:
          responses:
            Problem: {content: {application/problem+json: {schema: {type: object}}}}
    """)
    ok = {"description": "ok", "headers": ("Link", "X-B")}
    integers = {"type": "array", "items": {"type": "integer"}}
    assert only.results == (
        Result(status="200", media_type="application/json", schema=integers, **ok),  # type: ignore[arg-type]
        Result(status="200", media_type="text/csv", schema={"type": "string"}, **ok),  # type: ignore[arg-type]
        Result(status="201", media_type=None, schema=None, description="made"),
        Result(status="default", media_type="application/problem+json", schema={"type": "object"}),
    )
    assert http(only).accept == ("application/json", "application/problem+json", "text/csv")
    assert only.output_schema == {"anyOf": [integers, {"type": "null"}]}


@pytest.mark.parametrize(
    ("responses", "schema"),
    [
        ("{'204': {description: done}}", {"type": "null"}),
        ("{'200': {description: ok}}", None),
        ("{'200': {content: {application/json: {}}}}", None),
        ("{'200': {content: {text/html: {}}}}", {"type": "string"}),
        ("{'200': {content: {application/xml: {schema: {type: object}}}}}", {"type": "object"}),
        ("{'200': {content: {application/xml: {}}}}", {"type": "string"}),
        ("{'200': {content: {application/jsonl: {schema: {type: string}}}}}", {"type": "array"}),
        (
            "{'200': {content: {text/event-stream: {}}}}",
            {"type": "array", "items": {"type": "object"}},
        ),
        (
            "{'200': {content: {application/jsonl: {schema: {type: integer}}}}}",
            {"type": "array", "items": {"type": "integer"}},
        ),
        (
            "{default: {content: {application/json: {schema: {type: string}}}}}",
            {"type": "string"},
        ),
        (
            "{2XX: {content: {application/json: {schema: {type: string}}}}, default: {}}",
            {"type": "string"},
        ),
        ("{'404': {content: {application/json: {schema: {type: string}}}}}", None),
        ("{}", None),
    ],
)
def test_what_a_call_returns(responses: str, schema: object) -> None:
    only = operation(f"paths: {{/a: {{get: {{responses: {responses}}}}}}}")
    assert only.output_schema == schema


def test_bytes_come_back_as_a_file() -> None:
    only = operation("paths: {/a: {get: {responses: {'200': {content: {image/png: {}}}}}}}")
    assert isinstance(only.output_schema, dict)
    assert only.output_schema["required"] == ["data_base64"]


def test_one_odd_operation_costs_only_itself() -> None:
    api = lowered("""
        paths:
          /a:
            get: nonsense
            put: {parameters: [{$ref: '#/components/parameters/None'}]}
            post: {parameters: [{name: x, required: true}]}
            delete: {parameters: [{in: query}], responses: [], tags: 5}
          /b: {$ref: '#/paths/~1b'}
          /c: {$ref: '#/components/pathItems/C', parameters: [{name: q, in: query, schema: {}}]}
        components:
          pathItems:
            C: {get: {operationId: viaRef}}
    """)
    assert [(one.key, one.operation_id) for one in api.operations] == [
        ("DELETE /a", None),
        ("GET /c", "viaRef"),
    ]
    assert [argument.name for argument in api.operations[1].arguments] == ["q"]
    assert [(one.operation, one.location.pointer, one.why) for one in api.left_out] == [
        (
            "/b",
            "/paths/~1b",
            "the path cannot be read: it refers to itself through '#/paths/~1b'",
        ),
        ("GET /a", "/paths/~1a/get", "the operation is no object"),
        (
            "POST /a",
            "/paths/~1a/post/parameters/0",
            "a required parameter cannot be read: `in`: Field required",
        ),
        (
            "PUT /a",
            "/paths/~1a/put/parameters/0",
            (
                "a parameter cannot be read: '#/components/parameters/None' names nothing in the "
                "document"
            ),
        ),
    ]
    assert told(api) == [
        (
            "DELETE /a",
            "/paths/~1a/delete/parameters/0",
            "a parameter cannot be read: `name`: Field required; it is dropped",
        ),
        (
            "DELETE /a",
            "/paths/~1a/delete/responses",
            "`responses` is no object; no result is described",
        ),
        ("DELETE /a", "/paths/~1a/delete/tags", "`tags` lists what is no name; that is dropped"),
    ]


@pytest.mark.parametrize(
    "reference",
    ["http://169.254.169.254/x", "file:///etc/passwd", "../../outside.yaml", "/etc/passwd"],
)
def test_a_reference_out_of_the_document_reads_nothing(reference: str) -> None:
    text = f"paths: {{/a: {{get: {{parameters: [{{$ref: '{reference}'}}]}}}}}}"
    api = lowered(text)
    assert api.operations == ()
    assert [one.why for one in api.left_out] == [
        f"a parameter cannot be read: {reference!r} is in another document, which is not read"
    ]


def test_a_document_may_refer_to_itself_by_its_name() -> None:
    text = """
        paths: {/a: {get: {parameters: [{$ref: 'api.yaml#/components/parameters/P'}]}}}
        components: {parameters: {P: {name: p, in: query, schema: {}}}}
    """
    [only] = lower(document(text)).operations
    assert [argument.name for argument in only.arguments] == ["p"]


def test_a_shared_loss_belongs_to_each_operation_that_reaches_it() -> None:
    api = lowered("""
        paths:
          /a: {get: {parameters: [{$ref: '#/components/parameters/P'}]}}
          /b: {get: {parameters: [{$ref: '#/components/parameters/P'}]}}
        components:
          parameters: {P: {name: p, in: query, schema: {pattern: '('}}}
    """)
    what = "no engine takes the pattern '('; it is dropped"
    assert told(api) == [
        ("GET /a", "/components/parameters/P/schema/pattern", what),
        ("GET /b", "/components/parameters/P/schema/pattern", what),
    ]
