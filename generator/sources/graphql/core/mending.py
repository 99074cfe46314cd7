"""Schema texts that are a part of a whole: extensions without a base, types that stand elsewhere.

Such are the schemas of federated services, and of servers that declare scalars in code.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import graphql as core
from graphql.language import ast

from ..scalars import is_scalar
from .judging import Fault

_BASES: Mapping[type[ast.Node], type[ast.TypeDefinitionNode]] = {
    ast.ScalarTypeExtensionNode: ast.ScalarTypeDefinitionNode,
    ast.ObjectTypeExtensionNode: ast.ObjectTypeDefinitionNode,
    ast.InterfaceTypeExtensionNode: ast.InterfaceTypeDefinitionNode,
    ast.UnionTypeExtensionNode: ast.UnionTypeDefinitionNode,
    ast.EnumTypeExtensionNode: ast.EnumTypeDefinitionNode,
    ast.InputObjectTypeExtensionNode: ast.InputObjectTypeDefinitionNode,
}


def mended(document: ast.DocumentNode) -> tuple[ast.DocumentNode, list[Fault]]:
    """The document as one that stands alone, and what was done for that.

    The first extension of a type that is nowhere declared declares it. A type that is nowhere
    is a scalar if its name or an input says so; any other could be an object, so whatever
    gives it is left out.
    """
    based = list(_based(document.definitions))
    declared = {*core.specified_scalar_types, *(one.name.value for one in _types(based))}
    unknown = _Uses(based, declared)
    faults: list[Fault] = []
    definitions = [_without(one, unknown.left_out, faults) for one in based]
    definitions += [
        ast.ScalarTypeDefinitionNode(name=ast.NameNode(value=name), directives=())
        for name in sorted(unknown.scalars)
    ]
    return ast.DocumentNode(definitions=tuple(definitions), loc=document.loc), faults


def _types(definitions: Iterable[ast.Node]) -> Iterator[ast.TypeDefinitionNode]:
    return (one for one in definitions if isinstance(one, ast.TypeDefinitionNode))


def _based(definitions: Sequence[ast.DefinitionNode]) -> Iterator[ast.DefinitionNode]:
    """The definitions, an extension in the place of a declaration that is nowhere."""
    declared = {one.name.value for one in _types(definitions)}
    for one in definitions:
        base = _BASES.get(type(one))
        name = getattr(one, "name", None)
        if base is not None and name is not None and name.value not in declared:
            declared.add(name.value)
            yield base(**_members(one))
        else:
            yield one


class _Uses:
    """What becomes of the types that nobody declares."""

    def __init__(self, definitions: Iterable[ast.Node], declared: AbstractSet[str]) -> None:
        taken: set[str] = set()
        given: set[str] = set()
        for one in definitions:
            for field in _fields(one):
                inner = isinstance(field, ast.InputValueDefinitionNode)
                (taken if inner else given).add(_named(field.type))
                taken.update(_named(argument.type) for argument in _arguments(field))
            taken.update(_named(argument.type) for argument in _arguments(one))
            given.update(_named(member) for member in _members_of(one))
        self.scalars = {name for name in taken | given if name in taken or is_scalar(name)}
        self.scalars -= declared
        self.left_out = given - self.scalars - declared


def _without(node: Any, names: AbstractSet[str], faults: list[Fault]) -> Any:
    """A definition without whatever has one of these types."""
    changes: dict[str, Any] = {}
    for key in ("fields", "types", "interfaces"):
        entries = getattr(node, key, None) or ()
        gone = [one for one in entries if _named(getattr(one, "type", one)) in names]
        if gone:
            changes[key] = tuple(one for one in entries if one not in gone)
            faults += (_left_out(node, one) for one in gone)
    return type(node)(**{**_members(node), **changes}) if changes else node


def _left_out(node: Any, one: Any) -> Fault:
    name = _named(getattr(one, "type", one))
    what = f"{node.name.value}.{one.name.value}" if hasattr(one, "type") else f"{name}"
    text = f"{what} is left out of the schema: {name} is nowhere declared"
    source = one.loc.source.name if one.loc else None
    return Fault(text, source, (one.loc.start_token.line,) if one.loc else ())


def _members(node: ast.Node) -> dict[str, Any]:
    return {key: getattr(node, key, None) for key in node.keys}


def _fields(node: ast.Node) -> Sequence[Any]:
    return getattr(node, "fields", None) or ()


def _arguments(node: ast.Node) -> Sequence[Any]:
    return getattr(node, "arguments", None) or ()


def _members_of(node: ast.Node) -> list[Any]:
    """The types that a union or an object names itself."""
    return [*(getattr(node, "types", None) or ()), *(getattr(node, "interfaces", None) or ())]


def _named(node: Any) -> str:
    """The name inside lists and non-nulls."""
    while not isinstance(node, ast.NamedTypeNode):
        node = node.type
    return node.name.value
