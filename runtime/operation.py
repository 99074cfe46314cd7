"""One operation, whole: how its call travels and what surrounds the call.

Plain frozen data, cheap to import. The runtime reads it, and nothing else, to build a request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .arguments import Argument, Body, Input


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

    def asks(self, effects: Effects) -> bool:
        """Whether a person must say yes to a call with these effects."""
        match self.approval:
            case "never":
                return False
            case "always":
                return True
            case "destructive":
                return effects.destructive
            case "consequential":
                return effects.consequential


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
    """A `{name}` in a server URL; `enum` empty means any value, no default that one is needed."""

    default: str | None = None
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
