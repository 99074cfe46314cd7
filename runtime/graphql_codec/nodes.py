"""A GraphQL document as a tree: what is asked for, and where each field stands in the text.

Of executable documents only (GraphQL, October 2021, section 2).
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["query", "mutation", "subscription"]


@dataclass(frozen=True, slots=True)
class VariableUse:
    """`$name` where a value is expected."""

    name: str


@dataclass(frozen=True, slots=True)
class EnumName:
    """A bare name where a value is expected."""

    name: str


Value: TypeAlias = Any
"""A variable, an enum's name, JSON, or a list or dict of these."""


@dataclass(frozen=True, slots=True)
class Directive:
    """`@include(if: $x)`."""

    name: str
    arguments: dict[str, Value]


@dataclass(frozen=True, slots=True)
class FieldNode:
    """A selected field; `start` and `end` are its place in the text."""

    name: str
    alias: str | None
    arguments: dict[str, Value]
    directives: tuple[Directive, ...]
    body: "Body | None"
    start: int
    end: int

    @property
    def key(self) -> str:
        """What the result calls it."""
        return self.alias or self.name


@dataclass(frozen=True, slots=True)
class SpreadNode:
    """`...Fragment`."""

    name: str
    directives: tuple[Directive, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class InlineNode:
    """`... on Type { … }`."""

    type: str | None
    directives: tuple[Directive, ...]
    body: "Body"
    start: int
    end: int


Selection: TypeAlias = FieldNode | SpreadNode | InlineNode


@dataclass(frozen=True, slots=True)
class Body:
    """`{ … }` with its braces."""

    selections: tuple[Selection, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class VariableNode:
    """`$name: [ID!]! = default`; `start` and `end` are its place in the text."""

    name: str
    type: str
    default: Value
    has_default: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OperationNode:
    """One operation."""

    kind: Kind
    name: str | None
    variables: tuple[VariableNode, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class FragmentNode:
    """`fragment Name on Type { … }`."""

    name: str
    type: str
    body: Body


@dataclass(frozen=True, slots=True)
class DocumentNode:
    """A whole document."""

    operations: tuple[OperationNode, ...]
    fragments: dict[str, FragmentNode]
