"""The neutral model: what any API description means, free of its syntax and of Python.

A source lowers a description to an `Api`; shape adds the user's policy and makes a
`Catalogue`; a target plans and prints from that. Names are as the source spells them.
Every node is frozen and knows its `Location`.

Schemas are JSON Schema 2020-12 as plain data, already normalised: `nullable`, boolean
exclusive bounds and `type: file` are gone, and references point to `#/$defs/NAME`, a
key of `Definitions.input` (in requests) or `Definitions.output` (in results).
Nobody changes a schema in place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Schema: TypeAlias = Mapping[str, Any] | bool
"""A JSON Schema 2020-12, as `json.load` would give it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where a node stands: the file or URL as the user named it, and an RFC 6901 pointer.

    Lines are looked up by `load` only when a message is printed.
    """

    file: str
    pointer: str  # "" is the whole document; printed as `#` + pointer


# ── how arguments travel: one table per operation ───────────────────────────────────


ArrayFormat: TypeAlias = Literal["repeat", "brackets", "indices"]
"""An array in a deepObject: `a[b]=1&a[b]=2`, `a[b][]=1&a[b][]=2` or `a[b][0]=1&a[b][1]=2`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument that travels as a parameter of its own."""

    name: str  # on the wire
    place: Literal["path", "query", "header", "cookie", "querystring"]
    style: str  # simple, label, matrix, form, space-, pipe-, tabDelimited, deepObject, cookie
    explode: bool
    allow_reserved: bool = False
    media_type: str | None = None  # of a `content` parameter: serialised by it, style unused
    arrays: ArrayFormat = "repeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How one member of a form or multipart body is written (OpenAPI's Encoding Object)."""

    style: str | None = None  # None: no style given, so the media type decides
    explode: bool | None = None
    allow_reserved: bool = False
    content_type: str | None = None  # as written; may be a comma-separated list
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # name → fixed value
    binary: bool = False  # the value is {filename?, content_type?, data_base64}
    arrays: ArrayFormat = "repeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An argument that travels as one member of a flattened object body."""

    name: str  # in the body
    encoding: Encoding | None = None  # form and multipart only


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBody:
    """The argument that is the request body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """An argument that travels as a variable of a GraphQL document."""

    name: str
    type: str  # as GraphQL writes it: `[ID!]!`


Carrier: TypeAlias = Parameter | Member | WholeBody | Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One row of an operation's argument table: what it is called and how it travels.

    The input schema (`Operation.input_schema`) and the request are both made from these.
    """

    name: str  # the key in the input schema: the wire name, `NAME__PLACE` where names collide
    carrier: Carrier
    required: bool
    schema: Schema  # with its description and deprecation
    location: Location


# ── how a call travels ──────────────────────────────────────────────────────────────

BodyKind: TypeAlias = Literal["json", "form", "multipart", "text", "binary", "xml", "json_lines"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The request body: its kind decides the codec, `media_type` is sent as written."""

    kind: BodyKind
    media_type: str
    required: bool
    encodings: Mapping[str, Encoding] = field(default_factory=dict[str, Encoding])
    # ^ of a whole form or multipart body; a flattened one has them on its members
    binary: bool = False  # a whole body that is {filename?, content_type?, data_base64}
    alternatives: tuple[str, ...] = ()
    # ^ of a binary body: other media types and ranges that the file's own type may choose


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVariable:
    """A `{name}` in a server URL; `enum` empty means any value."""

    default: str
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A base address. `url` is absolute unless the document's own address is unknown."""

    url: str
    variables: Mapping[str, ServerVariable] = field(default_factory=dict[str, ServerVariable])
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCall:
    """An HTTP request: `path` is a template whose `{name}` are wire names of path parameters."""

    method: str  # upper case
    path: str  # without query and fragment
    query: str = ""  # a literal query that stood in the path key, as written
    body: Body | None = None
    servers: tuple[Server, ...] | None = None  # the nearest list; None: the Api's
    accept: tuple[str, ...] = ()  # media types of the described responses, best first


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How the next page of a connection is asked for; paths are dotted, into the result."""

    argument: str  # takes the cursor
    size_argument: str
    next: str
    more: str
    items: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How the pages of an HTTP operation follow each other; paths are dotted, into the result."""

    kind: Literal["cursor", "page", "offset", "url", "link"]
    argument: str = ""  # takes the cursor, page number or offset
    size_argument: str = ""
    next: str = ""  # where the result holds the cursor or URL
    more: str = ""  # where it holds whether more follow
    items: str = ""  # where it holds the items; "": it is the array


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLCall:
    """A GraphQL request: one document that was validated at generation."""

    kind: Literal["query", "mutation", "subscription"]
    document: str
    root: str  # dotted response keys of what holds the result; "": all of `data`
    name: str = ""  # of the operation in the document
    roots: tuple[str, ...] = ()  # the root fields it calls: `Mutation.deletePost`
    uploads: tuple[str, ...] = ()  # where files may stand: `input.file`, `files.*`
    makes_way: Mapping[str, str] = field(default_factory=dict[str, str])
    # ^ variable with a default of ours → the variable that it must not be sent beside
    beyond: tuple[str, ...] = ()  # result paths that the budget left to `_fields`
    by_hand: bool = False  # the document is a person's: it is sent as it is
    cursor: Cursor | None = None


Call: TypeAlias = HttpCall | GraphQLCall


# ── what surrounds a call ───────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One described answer. `media_type` None: no content."""

    status: str  # "200", "2XX", "default"
    media_type: str | None
    schema: Schema | None  # None: not described
    description: str = ""
    headers: tuple[str, ...] = ()  # names, as written


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthFlow:
    """One flow of an OAuth 2 scheme; URLs as written, resolved against the server."""

    kind: Literal[
        "authorizationCode", "clientCredentials", "password", "implicit", "deviceAuthorization"
    ]
    authorization_url: str | None = None
    token_url: str | None = None
    refresh_url: str | None = None
    device_authorization_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityScheme:
    """A way to authenticate. `kind` "unsupported" keeps what the document says in `scheme`."""

    name: str  # the key in `securitySchemes`
    kind: Literal["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS", "unsupported"]
    place: Literal["header", "query", "cookie"] | None = None  # apiKey
    parameter: str | None = None  # apiKey: the header, key or cookie
    scheme: str | None = None  # http: basic, bearer, digest, or another as written
    flows: tuple[OAuthFlow, ...] = ()
    openid_url: str | None = None
    description: str = ""
    location: Location


SecurityRequirement: TypeAlias = tuple[Mapping[str, tuple[str, ...]], ...]
"""An OR of ANDs: each alternative maps scheme names to scopes; `{}` is anonymous; `()` is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """At most `requests` in `seconds`, and where that was read (`x-ratelimit…`, settings, 429)."""

    requests: float
    seconds: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a call does, named as MCP's hints, and the reason for the verdict."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = True
    reason: str

    @property
    def pure(self) -> bool:
        """It only reads: repeating it, or running it ahead of time, changes nothing."""
        return self.read_only and not self.destructive

    @property
    def consequential(self) -> bool:
        """It changes something; whoever calls for a model should ask first."""
        return not self.pure


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """When a call needs approval, and which tools must have run before for the same thing.

    `suggested` is what the description lets one guess of such an order; nothing enforces it
    until settings move it to `requires`. `reads` says what a call brings into a conversation:
    text written by others, and data of people, money or secrets (the Rule of Two).
    """

    approval: Literal["never", "consequential", "destructive", "always"] = "consequential"
    requires: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    reads: tuple[Literal["untrusted", "sensitive"], ...] = ()


# ── what was lost on the way ────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something the description says that the tool does not carry."""

    operation: str  # Operation.key, "" for the whole document
    location: Location
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An operation that did not become a tool, and why."""

    operation: str
    location: Location
    why: str
    operation_id: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Warning:
    """Something worth telling a person that costs nothing in the result."""

    location: Location
    text: str
    operations: tuple[str, ...] = ()  # keys of those it is about; none: the whole document


# ── the whole ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing a client can do, with everything a tool is made from."""

    key: str  # unique and independent of order: "GET /things/{id}", "Query.repository"
    operation_id: str | None  # as the source spells it
    tags: tuple[str, ...]
    summary: str
    description: str
    deprecated: bool
    call: Call
    arguments: tuple[Argument, ...]  # declaration order: parameters, then body members
    input_schema: Mapping[str, Any]  # the object that `arguments` makes; closed to unknown names
    results: tuple[Result, ...]
    output_schema: Schema | None  # the union of the 2XX results, `default` only without one
    security: SecurityRequirement | None  # None: the Api's
    credentials: tuple[str, ...] = ()
    # ^ names of credential-like parameters that became optional credentials (Api.security_schemes)
    idempotency_key: str | None = None  # the header the runtime fills, as the source spells it
    extensions: Mapping[str, Any] = field(default_factory=dict[str, Any])  # `x-…`, as written
    links: tuple[str, ...] = ()  # operationIds and keys of operations that its results lead to
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """Shared schemas by name. A request leaves out readOnly members, a result writeOnly ones."""

    input: Mapping[str, Schema]
    output: Mapping[str, Schema]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A group of operations."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLSide:
    """What a GraphQL description has beside its operations, and how its server is spoken to."""

    field_map: Mapping[str, Any]  # what may be selected
    get: bool = False
    persisted: Literal["no", "apq", "trusted"] = "no"
    stream: Literal["sse", "websocket"] = "sse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """Everything one description says."""

    title: str
    version: str
    description: str
    servers: tuple[Server, ...]
    security: SecurityRequirement
    security_schemes: Mapping[str, SecurityScheme]
    tags: tuple[Tag, ...]  # as declared; an operation may name others
    operations: tuple[Operation, ...]  # ranked by path, then method: never by the order of keys
    definitions: Definitions
    losses: tuple[Loss, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
    operation_count: int  # counted in the document before anything was lowered
    extensions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    # ^ `x-…` of the root and of `info`, as written; the root's win
    graphql: GraphQLSide | None = None
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """An operation as the user gets it: named, described, judged and cut to the budget."""

    operation: Operation
    name: str  # ^[a-zA-Z_][a-zA-Z0-9_]{0,63}$, unique in the catalogue
    description: str  # for the model
    effects: Effects
    gate: Gate
    rate_limit: RateLimit | None
    paging: Paging | None = None  # of an HTTP operation; a GraphQL call has its `cursor`
    trimmed: tuple[str, ...]
    # ^ pointers into the closed input schema (`input_schema` + `$defs`) that the advertised one lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The Api after the user's policy: the tools, in a stable order, and what came with them."""

    api: Api
    tools: tuple[Tool, ...]
    rate_limit: RateLimit | None = None  # of the whole package
    losses: tuple[Loss, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
