"""A GraphQL schema in types of our own: frozen, by name, whatever read it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Named:
    """A type by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    of: "TypeRef"


@dataclass(frozen=True, slots=True)
class NonNull:
    """A type without null."""

    of: "Named | ListOf"


TypeRef: TypeAlias = Named | ListOf | NonNull


def spelled(reference: TypeRef) -> str:
    """A type as GraphQL writes it: `[ID!]!`."""
    match reference:
        case Named(name):
            return name
        case ListOf(of):
            return f"[{spelled(of)}]"
        case NonNull(of):
            return f"{spelled(of)}!"


def named(reference: TypeRef) -> str:
    """The name inside all lists and non-nulls."""
    while not isinstance(reference, Named):
        reference = reference.of
    return reference.name


def nullable(reference: TypeRef) -> Named | ListOf:
    """The type without its outermost non-null."""
    return reference.of if isinstance(reference, NonNull) else reference


def is_list(reference: TypeRef) -> bool:
    """Whether values of the type are lists."""
    return isinstance(nullable(reference), ListOf)


class Absent:
    """The default of an input that has none; null is one."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """An argument, or a field of an input object."""

    name: str
    type: TypeRef
    default: Any = ABSENT  # as JSON
    description: str = ""
    deprecated: str | None = None  # the reason

    @property
    def required(self) -> bool:
        """Whether leaving it out is an error (GraphQL, 5.4.2.1: non-null without a default)."""
        return isinstance(self.type, NonNull) and self.default is ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of an object or interface."""

    name: str
    type: TypeRef
    arguments: tuple[Input, ...] = ()
    description: str = ""
    deprecated: str | None = None

    @property
    def required(self) -> tuple[Input, ...]:
        """The arguments that must be given."""
        return tuple(argument for argument in self.arguments if argument.required)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A scalar, built in or custom."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumValue:
    """One value of an enum."""

    name: str
    description: str = ""
    deprecated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """An enum."""

    name: str
    values: tuple[EnumValue, ...]
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputObject:
    """An input object; `one_of` takes exactly one of its fields."""

    name: str
    fields: tuple[Input, ...]
    description: str = ""
    one_of: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """An object type."""

    name: str
    fields: Mapping[str, Field]
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """An interface, and the object types that have it, by name."""

    name: str
    fields: Mapping[str, Field]
    possible: tuple[str, ...]
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """A union; its members sorted by name, so that their order in the text does not count."""

    name: str
    possible: tuple[str, ...]
    description: str = ""


Type: TypeAlias = Scalar | Enum | InputObject | Object | Interface | Union
RootKind: TypeAlias = Literal["query", "mutation", "subscription"]
Composite: TypeAlias = Object | Interface | Union
NO_FIELDS: Mapping[str, Field] = {}


@dataclass(frozen=True, kw_only=True)
class Schema:
    """A whole schema. `lines` tells where a type or field stands: `Query`, `Query.user`."""

    types: Mapping[str, Type]
    query: str | None
    mutation: str | None = None
    subscription: str | None = None
    description: str = ""
    lines: Mapping[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def roots(self) -> Mapping[str, str]:
        """Root type → `query`, `mutation` or `subscription`."""
        return {name: kind for kind, name in self.root_names.items()}

    @cached_property
    def root_names(self) -> Mapping[str, str]:
        """`query`, `mutation` or `subscription` → root type; careless schemas share one."""
        kinds = {"query": self.query, "mutation": self.mutation, "subscription": self.subscription}
        return {kind: name for kind, name in kinds.items() if name is not None}

    def root(self, kind: RootKind) -> Object:
        """The root type of a kind of operation."""
        found = self.types[self.root_names[kind]]
        assert isinstance(found, Object)
        return found

    def composite(self, reference: TypeRef) -> Composite | None:
        """The object, interface or union that a type is; None for a leaf."""
        found = self.types.get(named(reference))
        return found if isinstance(found, Object | Interface | Union) else None

    def fields(self, kind: Composite) -> Mapping[str, Field]:
        """What can be selected of a type; of a union nothing."""
        return NO_FIELDS if isinstance(kind, Union) else kind.fields
