"""Where each argument of a call goes on the wire, and how the body that some are part of is written.

Plain frozen data, cheap to import: generated code states it, one value an argument.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Delimited: TypeAlias = Literal["spaceDelimited", "pipeDelimited", "tabDelimited"]
"""OpenAPI 2.0's `ssv`, `pipes` and `tsv`: there in any place; 3.x has no name for the last."""

QueryStyle: TypeAlias = Literal["form", "deepObject"] | Delimited

ArrayFormat: TypeAlias = Literal["repeat", "brackets", "indices"]
"""An array in a deepObject: `a[b]=1&a[b]=2`, `a[b][]=1&a[b][]=2` or `a[b][0]=1&a[b][1]=2`."""

# ── arguments ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Path:
    """A path parameter. `name` is the wire name; `argument` the input key when it differs."""

    name: str
    argument: str | None = None
    style: Literal["simple", "label", "matrix"] | Delimited = "simple"
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
    style: Literal["simple"] | Delimited = "simple"


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
