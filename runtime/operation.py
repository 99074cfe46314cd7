"""What generated code says of a tool: how each argument travels, and what surrounds the call.

Plain frozen data, cheap to import. A generated method carries one `@http(...)`; the
runtime reads the `HttpOperation` it leaves behind, and nothing else, to build a request.
A method of a GraphQL package carries one `@graphql(...)`, which leaves a `GraphQLOperation`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, ParamSpec, TypeAlias, TypeVar

QueryStyle: TypeAlias = Literal[
    "form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"
]
"""Styles of a query; `tabDelimited` is OpenAPI 2.0's `tsv`, which has no name in 3.x."""

ArrayFormat: TypeAlias = Literal["repeat", "brackets", "indices"]
"""An array in a deepObject: `a[b]=1&a[b]=2`, `a[b][]=1&a[b][]=2` or `a[b][0]=1&a[b][1]=2`."""

# ── arguments ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Path:
    """A path parameter. `name` is the wire name; `argument` the input key when it differs."""

    name: str
    argument: str | None = None
    style: Literal["simple", "label", "matrix"] = "simple"
    explode: bool = False
    allow_reserved: bool = False
    content: str | None = None  # media type of a `content` parameter


@dataclass(frozen=True, slots=True)
class Query:
    """A query parameter."""

    name: str
    argument: str | None = None
    style: QueryStyle = "form"
    explode: bool = True
    allow_reserved: bool = False
    content: str | None = None
    arrays: ArrayFormat = "repeat"  # of deepObject


@dataclass(frozen=True, slots=True)
class QueryString:
    """The whole query string as one argument (OpenAPI 3.2 `in: querystring`)."""

    name: str
    argument: str | None = None
    content: str = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Header:
    """A header."""

    name: str
    argument: str | None = None
    explode: bool = False
    content: str | None = None


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie."""

    name: str
    argument: str | None = None
    style: Literal["form", "cookie"] = "form"
    explode: bool = True
    allow_reserved: bool = False
    content: str | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a member of a form or multipart body is written. `style` None: the media type decides."""

    style: QueryStyle | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    binary: bool = False  # {filename?, content_type?, data_base64}, sent as bytes
    arrays: ArrayFormat = "repeat"  # of deepObject


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a flattened object body."""

    name: str
    argument: str | None = None
    encoding: Encoding | None = None


@dataclass(frozen=True, slots=True)
class WholeBody:
    """The argument that is the body."""

    argument: str = "body"


Argument: TypeAlias = Path | Query | QueryString | Header | Cookie | Member | WholeBody


@dataclass(frozen=True, slots=True)
class Input:
    """A variable of a GraphQL document. `type` is as GraphQL writes it: `[ID!]!`.

    `gives_way_to` is the argument beside which a default of the document must not be sent.
    """

    name: str
    type: str
    argument: str | None = None
    gives_way_to: str | None = None


def argument_name(argument: Argument | Input) -> str:
    """The key of an argument in the input schema."""
    if isinstance(argument, WholeBody):
        return argument.argument
    return argument.argument or argument.name


# ── bodies ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Json:
    """Any JSON media type, sent as written."""

    media_type: str = "application/json"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """`application/x-www-form-urlencoded`; `encodings` are those of a whole-body argument."""

    media_type: str = "application/x-www-form-urlencoded"
    required: bool = False
    encodings: Mapping[str, Encoding] = field(default_factory=dict[str, Encoding])


@dataclass(frozen=True, slots=True)
class Multipart:
    """`multipart/form-data` and its kin."""

    media_type: str = "multipart/form-data"
    required: bool = False
    encodings: Mapping[str, Encoding] = field(default_factory=dict[str, Encoding])


@dataclass(frozen=True, slots=True)
class Text:
    """A string sent as it is, in UTF-8."""

    media_type: str = "text/plain"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes, given as {filename?, content_type?, data_base64}.

    Where `media_type` is a range, or there are `alternatives`, the file's content_type chooses.
    """

    media_type: str = "application/octet-stream"
    required: bool = False
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Xml:
    """XML written by the `xml` keywords of the input schema."""

    media_type: str = "application/xml"
    required: bool = False


@dataclass(frozen=True, slots=True)
class JsonLines:
    """An array sent as one JSON value a line."""

    media_type: str = "application/jsonl"
    required: bool = False


Body: TypeAlias = Json | Form | Multipart | Text | Binary | Xml | JsonLines


# ── what surrounds a call ───────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call does, named as MCP's hints; a bare `Effects()` is an ordinary write."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = True
    reason: str = ""

    @property
    def pure(self) -> bool:
        """It only reads: repeating it, or running it ahead of time, changes nothing."""
        return self.read_only and not self.destructive

    @property
    def consequential(self) -> bool:
        """It changes something; whoever calls for a model should ask first."""
        return not self.pure


Approval: TypeAlias = Literal["never", "consequential", "destructive", "always"]
Reading: TypeAlias = Literal["untrusted", "sensitive"]
"""What a call brings into a conversation: others' text; data of people, money or secrets."""


@dataclass(frozen=True, slots=True)
class Gate:
    """When a call needs approval, and which tools must have run before for the same thing.

    `suggested` is an order that the description lets one guess; only `requires` is enforced.
    """

    approval: Approval = "consequential"
    requires: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    reads: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `requests` in `seconds`."""

    requests: float
    seconds: float
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How a tool's results are paged, as its description says; dotted paths into the result."""

    kind: Literal["cursor", "page", "offset", "url", "link"]
    argument: str = ""  # takes the cursor, page number or offset; unused by "url" and "link"
    size_argument: str = ""  # takes the number of items of a page
    next: str = ""  # where the result holds the cursor or URL; "link": the header of RFC 8288
    items: str = ""  # where it holds the items; "" is the result itself
    more: str = ""  # where it holds whether more follow


@dataclass(frozen=True, slots=True)
class Variable:
    """A `{name}` in a server URL; `enum` empty means any value."""

    default: str
    enum: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Server:
    """A base address, absolute or, where the document's own address is unknown, relative."""

    url: str
    variables: Mapping[str, Variable] = field(default_factory=dict[str, Variable])


Security: TypeAlias = Sequence[Mapping[str, Sequence[str]]]
"""An OR of ANDs as OpenAPI writes it: `[{"tenantKey": [], "userToken": []}, {"legacy": []}]`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOperation:
    """One HTTP operation, whole: everything a request is made from."""

    name: str
    method: str
    path: str
    query: str = ""  # a literal query that stood in the path, sent before the parameters
    arguments: tuple[Argument, ...] = ()
    body: Body | None = None
    accept: tuple[str, ...] = ("application/json",)
    servers: tuple[Server, ...] | None = None  # None: the package's
    security: Security | None = None  # None: the package's
    optional_credentials: tuple[str, ...] = ()  # each is sent where it is given
    idempotency_key: str | None = None
    effects: Effects = Effects()
    gate: Gate = Gate()
    rate_limit: RateLimit | None = None  # None: the package's
    paging: Paging | None = None
    tags: tuple[str, ...] = ()
    operation_id: str | None = None
    deprecated: bool = False


GraphQLKind: TypeAlias = Literal["query", "mutation", "subscription"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLOperation:
    """One GraphQL operation. Its document lies in `operations/NAME.graphql`, validated.

    Members that it shares with `HttpOperation` mean the same.
    """

    name: str
    kind: GraphQLKind
    called: str  # the operation's name in the document
    sha256: str  # of the document
    root: str = ""  # dotted response keys of what holds the result; "": all of `data`
    roots: tuple[str, ...] = ()  # the root fields: `Mutation.deletePost`
    arguments: tuple[Input, ...] = ()
    uploads: tuple[str, ...] = ()  # where files may stand: `input.file`, `files.*`
    by_hand: bool = False  # a person wrote the document: it is sent as it is
    security: Security | None = None
    effects: Effects = Effects()
    gate: Gate = Gate()
    rate_limit: RateLimit | None = None
    paging: Paging | None = None
    tags: tuple[str, ...] = ()
    operation_id: str | None = None
    deprecated: bool = False

    @property
    def method(self) -> str:
        """How it travels, unless a query goes by GET."""
        return "POST"

    @property
    def path(self) -> str:
        """The server's address is the endpoint itself."""
        return ""

    @property
    def servers(self) -> tuple[Server, ...] | None:
        """The package's."""
        return None

    @property
    def idempotency_key(self) -> str | None:
        """GraphQL has none."""
        return None

    @property
    def optional_credentials(self) -> tuple[str, ...]:
        """GraphQL describes no credentials."""
        return ()


Operation: TypeAlias = HttpOperation | GraphQLOperation
"""The closed sum of how calls travel."""

P = ParamSpec("P")
R = TypeVar("R")
ATTRIBUTE = "__toolmint_operation__"


def http(
    method: str,
    path: str,
    *,
    query: str = "",
    arguments: Sequence[Argument] = (),
    body: Body | None = None,
    accept: Sequence[str] = ("application/json",),
    servers: Sequence[Server] | None = None,
    security: Security | None = None,
    optional_credentials: Sequence[str] = (),
    idempotency_key: str | None = None,
    effects: Effects = Effects(),
    gate: Gate = Gate(),
    rate_limit: RateLimit | None = None,
    paging: Paging | None = None,
    tags: Sequence[str] = (),
    operation_id: str | None = None,
    deprecated: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say how a method's call travels; the method's own name is the tool's name."""

    def mark(method_: Callable[P, R]) -> Callable[P, R]:
        setattr(
            method_,
            ATTRIBUTE,
            HttpOperation(
                name=method_.__name__,
                method=method,
                path=path,
                query=query,
                arguments=tuple(arguments),
                body=body,
                accept=tuple(accept),
                servers=None if servers is None else tuple(servers),
                security=security,
                optional_credentials=tuple(optional_credentials),
                idempotency_key=idempotency_key,
                effects=effects,
                gate=gate,
                rate_limit=rate_limit,
                paging=paging,
                tags=tuple(tags),
                operation_id=operation_id,
                deprecated=deprecated,
            ),
        )
        return method_

    return mark


def graphql(
    kind: GraphQLKind,
    called: str,
    *,
    sha256: str,
    root: str = "",
    roots: Sequence[str] = (),
    arguments: Sequence[Input] = (),
    uploads: Sequence[str] = (),
    by_hand: bool = False,
    security: Security | None = None,
    effects: Effects = Effects(),
    gate: Gate = Gate(),
    rate_limit: RateLimit | None = None,
    paging: Paging | None = None,
    tags: Sequence[str] = (),
    operation_id: str | None = None,
    deprecated: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say which document a method sends; the method's own name is the tool's name."""

    def mark(method_: Callable[P, R]) -> Callable[P, R]:
        setattr(
            method_,
            ATTRIBUTE,
            GraphQLOperation(
                name=method_.__name__,
                kind=kind,
                called=called,
                sha256=sha256,
                root=root,
                roots=tuple(roots),
                arguments=tuple(arguments),
                uploads=tuple(uploads),
                by_hand=by_hand,
                security=security,
                effects=effects,
                gate=gate,
                rate_limit=rate_limit,
                paging=paging,
                tags=tuple(tags),
                operation_id=operation_id,
                deprecated=deprecated,
            ),
        )
        return method_

    return mark
