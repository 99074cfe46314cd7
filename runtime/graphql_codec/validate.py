"""Holds a document that was written at run time against the committed field map.

What is checked is what would send something the package did not mean: root fields without a
tool, fields and arguments that do not exist, missing or ill-typed variables, fragments that
fit nowhere, lists without a bound in a connection. The server has the last word on the rest.
"""

from dataclasses import dataclass, field

from ..validation import did_you_mean
from .fieldmap import FieldMap, MappedField, named
from .nodes import (
    Body,
    Directive,
    DocumentNode,
    FieldNode,
    FragmentNode,
    InlineNode,
    OperationNode,
    SpreadNode,
    VariableUse,
)
from .uses import variables_in


class InvalidDocument(ValueError):
    """A document that does not fit the schema; it says why."""


@dataclass
class _Uses:
    """What an operation was seen to use."""

    variables: set[str] = field(default_factory=set[str])
    fragments: set[str] = field(default_factory=set[str])


def check(document: DocumentNode, operation: OperationNode, fields: FieldMap) -> frozenset[str]:
    """The fragments that an operation uses. Raises InvalidDocument for what does not fit."""
    root = fields.roots.get(operation.kind)
    if root is None:
        raise InvalidDocument(f"the API has no {operation.kind}")
    if operation.name is None:
        raise InvalidDocument("an operation needs a name: it names the tool")
    checker = _Checker(document, operation, fields)
    checker.body(operation.body, root, operation.name, ())
    declared = {one.name for one in operation.variables}
    if unused := sorted(declared - checker.uses.variables):
        raise InvalidDocument(f"${unused[0]} is declared and not used")
    return frozenset(checker.uses.fragments)


class _Checker:
    def __init__(self, document: DocumentNode, operation: OperationNode, fields: FieldMap) -> None:
        self._fragments = document.fragments
        self._variables = {one.name: one for one in operation.variables}
        self._fields = fields
        self.uses = _Uses()

    def body(self, body: Body, kind: str, place: str, spread: tuple[str, ...]) -> None:
        """Check a selection of a type; `spread` are the fragments it stands in."""
        keys: dict[str, tuple[object, ...]] = {}
        for one in body.selections:
            self._directives(one.directives, place)
            if isinstance(one, FieldNode):
                self._field(one, kind, place, spread)
                shape = (one.name, repr(one.arguments))
                if keys.setdefault(one.key, shape) != shape:
                    raise InvalidDocument(f"{place}.{one.key} is asked for in two ways")
            else:
                self._fragment(one, kind, place, spread)

    def _field(self, node: FieldNode, kind: str, place: str, spread: tuple[str, ...]) -> None:
        here = f"{place}.{node.key}"
        if node.name == "__typename":
            return
        declared = self._fields.field(kind, node.name)
        if declared is None:
            hint = did_you_mean(node.name, [one.name for one in self._fields.fields(kind)])
            raise InvalidDocument(f"{here}: {kind} has no field {node.name!r}{hint}")
        self._arguments(node, declared, here)
        has_parts = self._fields.is_composite(declared.type)
        if has_parts != (node.body is not None):
            wants = "needs a selection of its fields" if has_parts else "has no fields of its own"
            raise InvalidDocument(f"{here}: {wants}")
        if node.body is not None:
            self.body(node.body, named(declared.type), here, spread)

    def _arguments(self, node: FieldNode, declared: MappedField, here: str) -> None:
        for name, value in node.arguments.items():
            expected = declared.arguments.get(name)
            if expected is None:
                hint = did_you_mean(name, list(declared.arguments))
                raise InvalidDocument(f"{here}: has no argument {name!r}{hint}")
            if isinstance(value, VariableUse):
                self._variable(value.name, expected, here)
            elif value is None and expected.endswith("!"):
                raise InvalidDocument(f"{here}: {name} cannot be null")
            else:
                self._inside(value, here)
        missing = [name for name in declared.required if name not in node.arguments]
        if missing:
            raise InvalidDocument(f"{here}: needs {', '.join(missing)}")
        is_page = self._fields.is_connection(declared.type)
        if is_page and declared.page is not None and not self._bounded(node, declared):
            raise InvalidDocument(f"{here}: needs {declared.page}, or the server may send all")

    def _bounded(self, node: FieldNode, declared: MappedField) -> bool:
        given = {
            *node.arguments,
            *(n for n, kind in declared.arguments.items() if kind.endswith(" =")),
        }
        return any(page in given for page in declared.pages)

    def _variable(self, name: str, expected: str, here: str) -> None:
        declared = self._variables.get(name)
        if declared is None:
            raise InvalidDocument(f"{here}: ${name} is not declared")
        self.uses.variables.add(name)
        plain = expected.removesuffix(" =")
        given = declared.type
        if expected.endswith(" =") or declared.has_default:
            plain = plain.removesuffix("!")
        if not _fits(given, plain):
            raise InvalidDocument(f"{here}: ${name} is {given}, and {plain} is expected")

    def _inside(self, value: object, here: str) -> None:
        """Variables inside a list or object; what they must be is the server's to judge."""
        for name in variables_in(value):
            if name not in self._variables:
                raise InvalidDocument(f"{here}: ${name} is not declared")
            self.uses.variables.add(name)

    def _directives(self, directives: tuple[Directive, ...], place: str) -> None:
        for one in directives:
            for value in one.arguments.values():
                self._inside(value, f"{place} @{one.name}")

    def _fragment(
        self, node: SpreadNode | InlineNode, kind: str, place: str, spread: tuple[str, ...]
    ) -> None:
        if isinstance(node, InlineNode):
            self._of_type(node.type or kind, kind, place)
            self.body(node.body, node.type or kind, place, spread)
            return
        fragment = self._known(node.name, place)
        if node.name in spread:
            raise InvalidDocument(f"{place}: fragment {node.name} contains itself")
        self.uses.fragments.add(node.name)
        self._of_type(fragment.type, kind, place)
        self.body(fragment.body, fragment.type, place, (*spread, node.name))

    def _known(self, name: str, place: str) -> FragmentNode:
        fragment = self._fragments.get(name)
        if fragment is None:
            raise InvalidDocument(f"{place}: there is no fragment {name}")
        return fragment

    def _of_type(self, condition: str, kind: str, place: str) -> None:
        if not self._fields.is_composite(condition):
            raise InvalidDocument(f"{place}: there is no type {condition!r} with fields")
        if not set(self._fields.possible(condition)) & set(self._fields.possible(kind)):
            raise InvalidDocument(f"{place}: a {kind} is never a {condition}")


def _fits(given: str, expected: str) -> bool:
    """Whether a variable of one type may stand where another is expected (GraphQL, 5.8.5)."""
    if expected.endswith("!"):
        return given.endswith("!") and _fits(given[:-1], expected[:-1])
    given = given.removesuffix("!")
    if expected.startswith("["):
        return given.startswith("[") and _fits(given[1:-1], expected[1:-1])
    return given == expected
