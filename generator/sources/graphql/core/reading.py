"""Schemas as graphql-core reads them: text and introspection in, our own schema out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import graphql as core
from graphql.validation.validate import validate_sdl

from ..schema import (
    ABSENT,
    Enum,
    EnumValue,
    Field,
    Input,
    InputObject,
    Interface,
    ListOf,
    Named,
    NonNull,
    Object,
    Scalar,
    Schema,
    Type,
    TypeRef,
    Union,
)
from .completing import Completion
from .judging import Core, Fault, SchemaError, Text, fault_of, parsed, unreadable
from .mending import mended


def from_sdl(texts: Sequence[Text]) -> tuple[Schema, Core, list[Fault]]:
    """A schema from its texts, read as one, and what is wrong with it that can be lived with.

    Raises SchemaError for what cannot.
    """
    document = core.concat_ast([parsed(text) for text in texts])
    faults = [fault_of(error) for error in validate_sdl(document)]
    whole, left_out = mended(document)
    built = _built(lambda: core.build_ast_schema(whole, assume_valid_sdl=True, assume_valid=False))
    return _read(built, [*faults, *left_out])


def from_introspection(data: Mapping[str, Any]) -> tuple[Schema, Core, list[Fault]]:
    """A schema from `{"__schema": …}`. Raises SchemaError for what is none."""
    completion = Completion()
    whole: Any = {"__schema": completion.schema(data["__schema"])}
    built = _built(lambda: core.build_client_schema(whole, assume_valid=False))
    return _read(built, completion.faults)


def _built(build: Callable[[], core.GraphQLSchema]) -> core.GraphQLSchema:
    try:
        return build()
    except core.GraphQLError as error:
        raise unreadable(error) from None
    except KeyError as error:
        raise SchemaError(f"a member {error} is missing") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise SchemaError(str(error).partition("\n")[0].strip('"').rstrip(".")) from None
    except RecursionError:
        raise SchemaError("is nested too deeply to be a schema") from None


def _read(built: core.GraphQLSchema, faults: list[Fault]) -> tuple[Schema, Core, list[Fault]]:
    broken = [fault_of(error) for error in core.validate_schema(built)]
    usable = built
    if broken:  # graphql-core refuses to judge documents by a schema it knows to be broken
        arguments: dict[str, Any] = {**built.to_kwargs(), "assume_valid": True}
        usable = core.GraphQLSchema(**arguments)
    return _schema(usable), Core(usable), [*faults, *broken]


def _schema(built: core.GraphQLSchema) -> Schema:
    types = {
        name: _type(built, kind)
        for name, kind in built.type_map.items()
        if not core.is_introspection_type(kind)
    }
    roots = (built.query_type, built.mutation_type, built.subscription_type)
    query, mutation, subscription = (root.name if root else None for root in roots)
    return Schema(
        types=types,
        query=query,
        mutation=mutation,
        subscription=subscription,
        description=built.description or "",
        lines=dict(_lines(built)),
    )


def _lines(built: core.GraphQLSchema) -> Iterator[tuple[str, int]]:
    """Where the roots and their fields stand: the places that reports name."""
    for root in (built.query_type, built.mutation_type, built.subscription_type):
        if root is None:
            continue
        for name, field in root.fields.items():
            if field.ast_node and field.ast_node.loc:
                yield f"{root.name}.{name}", field.ast_node.loc.start_token.line


def _type(built: core.GraphQLSchema, kind: core.GraphQLNamedType) -> Type:
    name, text = kind.name, kind.description or ""
    match kind:
        case core.GraphQLObjectType():
            return Object(name=name, fields=_fields(kind), description=text)
        case core.GraphQLInterfaceType():
            possible = tuple(sorted(one.name for one in built.get_possible_types(kind)))
            return Interface(name=name, fields=_fields(kind), possible=possible, description=text)
        case core.GraphQLUnionType():
            possible = tuple(sorted({one.name for one in kind.types}))
            return Union(name=name, possible=possible, description=text)
        case core.GraphQLInputObjectType():
            fields = tuple(_input(field, one) for field, one in kind.fields.items())
            one_of = bool(getattr(kind, "is_one_of", False)) or _says_one_of(kind)
            return InputObject(name=name, fields=fields, description=text, one_of=one_of)
        case core.GraphQLEnumType():
            return Enum(name=name, values=_values(kind), description=text)
        case _:
            return Scalar(name=name, description=text)


def _says_one_of(kind: core.GraphQLInputObjectType) -> bool:
    """`@oneOf` as written, for a graphql-core that does not know it."""
    directives = (kind.ast_node.directives if kind.ast_node else None) or ()
    return any(one.name.value == "oneOf" for one in directives)


def _values(kind: core.GraphQLEnumType) -> tuple[EnumValue, ...]:
    return tuple(
        EnumValue(
            name=name, description=value.description or "", deprecated=value.deprecation_reason
        )
        for name, value in kind.values.items()
    )


def _fields(kind: core.GraphQLObjectType | core.GraphQLInterfaceType) -> dict[str, Field]:
    return {
        name: Field(
            name=name,
            type=_reference(field.type),
            arguments=tuple(_input(argument, one) for argument, one in field.args.items()),
            description=field.description or "",
            deprecated=field.deprecation_reason,
        )
        for name, field in kind.fields.items()
    }


def _input(name: str, declared: core.GraphQLArgument | core.GraphQLInputField) -> Input:
    return Input(
        name=name,
        type=_reference(cast(Any, declared).type),
        default=_default(declared),
        description=declared.description or "",
        deprecated=declared.deprecation_reason,
    )


def _default(declared: core.GraphQLArgument | core.GraphQLInputField) -> Any:
    """The default as JSON, an enum value as its name."""
    node = declared.ast_node.default_value if declared.ast_node else None
    given: Any = getattr(declared, "default", None)
    if node is None and given is not None:
        node = getattr(given, "literal", None)
        if node is None:
            return getattr(given, "value", ABSENT)
    if node is not None:
        return core.value_from_ast_untyped(node)
    return ABSENT if declared.default_value is core.Undefined else declared.default_value


def _reference(kind: Any) -> TypeRef:
    if isinstance(kind, core.GraphQLNonNull):
        return NonNull(cast("Named | ListOf", _reference(cast(Any, kind).of_type)))
    if isinstance(kind, core.GraphQLList):
        return ListOf(_reference(cast(Any, kind).of_type))
    return Named(str(kind.name))
