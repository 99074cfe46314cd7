"""The argument table of an operation: how each argument travels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .nodes import Location, Schema

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
