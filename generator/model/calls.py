"""How a call travels: a closed sum, one variant a protocol."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .arguments import Encoding

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
    """A `{name}` in a server URL; `enum` empty means any value, no default that one is needed."""

    default: str | None
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
class Paging:
    """How the pages of an operation follow each other; paths are dotted, into the result."""

    kind: Literal["cursor", "page", "offset", "url", "link"] = "cursor"
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
    cursor: Paging | None = None  # how a connection goes on


Call: TypeAlias = HttpCall | GraphQLCall
