"""Operation documents that people wrote: what each takes, selects and is called."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import graphql as core
from graphql.language import ast

from ..schema import (
    ABSENT,
    Composite,
    Field,
    Input,
    ListOf,
    Named,
    NonNull,
    Object,
    RootKind,
    Schema,
    TypeRef,
)
from ..selection.picks import Pick, Picks
from .judging import Core, Fault, SchemaError, Text, parsed

_KINDS: dict[core.OperationType, RootKind] = {
    core.OperationType.QUERY: "query",
    core.OperationType.MUTATION: "mutation",
    core.OperationType.SUBSCRIPTION: "subscription",
}
D = TypeVar("D", ast.OperationDefinitionNode, ast.FragmentDefinitionNode)
_TYPENAME = Field(name="__typename", type=NonNull(Named("String")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One operation of a document, ready to be sent."""

    name: str
    kind: RootKind
    text: str  # as written but for descriptions, with the fragments it uses and no others
    description: str
    variables: tuple[Input, ...]
    picks: Picks  # of the root type
    file: str
    line: int


def written(texts: Sequence[Text], schema: Schema, judge: Core) -> list[Written]:
    """The operations of documents that may share fragments, in their order.

    Raises SchemaError for an operation without a name, for two of one name, and for what is
    not valid.
    """
    fragments: dict[str, tuple[Text, ast.FragmentDefinitionNode]] = {}
    operations: dict[str, tuple[Text, ast.OperationDefinitionNode]] = {}
    for text in texts:
        for one in parsed(text).definitions:
            if isinstance(one, ast.FragmentDefinitionNode):
                _declare(fragments, "fragment", text, one)
            elif isinstance(one, ast.OperationDefinitionNode):
                _declare(operations, "operation", text, one)
    reader = _Reader(schema, fragments)
    return [reader.operation(text, one, judge) for text, one in operations.values()]


def _declare(known: dict[str, tuple[Text, D]], kind: str, text: Text, node: D) -> None:
    """Keep a definition by its name; the same text again is no other."""
    line = node.loc.start_token.line if node.loc else 1
    if node.name is None:
        raise SchemaError("an operation needs a name: it names the tool", text.file, line)
    before = known.setdefault(node.name.value, (text, node))
    if before[1] is not node and _slice(*before) != _slice(text, node):
        raise SchemaError(f"two {kind}s are called {node.name.value}", text.file, line)


class _Reader:
    def __init__(
        self, schema: Schema, fragments: dict[str, tuple[Text, ast.FragmentDefinitionNode]]
    ) -> None:
        self._schema = schema
        self._fragments = fragments

    def operation(self, text: Text, node: ast.OperationDefinitionNode, judge: Core) -> Written:
        """One operation, judged together with its fragments."""
        line = node.loc.start_token.line if node.loc else 1
        assert node.name is not None
        used = list(dict.fromkeys(self._used(node)))
        definitions = [node, *(self._fragments[name][1] for name in used)]
        faults = judge.faults_of(ast.DocumentNode(definitions=tuple(definitions)))
        if faults:
            raise _invalid(faults[0], text.file, line)
        kind = _KINDS[node.operation]
        root = self._schema.root(kind)
        pieces = [_slice(text, node), *(_slice(*self._fragments[name]) for name in used)]
        return Written(
            name=node.name.value,
            kind=kind,
            text="\n\n".join(pieces) + "\n",
            description=_description(node),
            variables=tuple(_variable(one) for one in node.variable_definitions or ()),
            picks=self._picks(root, node.selection_set),
            file=text.file,
            line=line,
        )

    def _used(self, node: ast.Node) -> Iterator[str]:
        """The fragments that a definition needs, in the order of their use."""
        waiting: list[ast.Node] = [node]
        seen: set[str] = set()
        while waiting:
            for name in _spreads(waiting.pop(0)):
                if name not in seen and name in self._fragments:
                    seen.add(name)
                    waiting.append(self._fragments[name][1])
                    yield name

    # ── selections ──────────────────────────────────────────────────────────────────

    def _picks(self, kind: Composite, node: ast.SelectionSetNode | None) -> Picks:
        fields: dict[str, Pick] = {}
        fragments: dict[str, Picks] = {}
        self._collect(kind, node, False, fields, fragments)
        typename = fields.pop("__typename", None) is not None
        return Picks(
            type=kind,
            typename=typename,
            fields=tuple(fields.values()),
            fragments=tuple(fragments[name] for name in sorted(fragments)),
        )

    def _collect(
        self,
        kind: Composite,
        node: ast.SelectionSetNode | None,
        conditional: bool,
        fields: dict[str, Pick],
        fragments: dict[str, Picks],
    ) -> None:
        for one in node.selections if node else ():
            maybe = conditional or _is_conditional(one)
            if isinstance(one, ast.FieldNode):
                _add(fields, self._field(kind, one, maybe))
                continue
            condition, inner = self._spread(kind, one)
            if (
                condition is None
                or condition.name == kind.name
                or kind.name in _possible(condition)
            ):
                self._collect(kind, inner, maybe, fields, fragments)
                continue
            for name in sorted(set(_possible(condition)) & set(_possible(kind))):
                own = self._schema.types[name]
                assert isinstance(own, Object)
                more = self._picks(own, inner)
                if maybe:
                    more = replace(
                        more, fields=tuple(replace(p, conditional=True) for p in more.fields)
                    )
                before = fragments.get(name)
                fragments[name] = more if before is None else _merged(before, more)

    def _spread(
        self, kind: Composite, node: ast.SelectionNode
    ) -> tuple[Composite | None, ast.SelectionSetNode | None]:
        if isinstance(node, ast.FragmentSpreadNode):
            definition = self._fragments[node.name.value][1]
            return self._schema.composite(
                _type(definition.type_condition)
            ), definition.selection_set
        assert isinstance(node, ast.InlineFragmentNode)
        if node.type_condition is None:
            return kind, node.selection_set
        return self._schema.composite(_type(node.type_condition)), node.selection_set

    def _field(self, kind: Composite, node: ast.FieldNode, conditional: bool) -> Pick:
        name = node.name.value
        declared = _TYPENAME if name == "__typename" else self._schema.fields(kind)[name]
        below = self._schema.composite(declared.type)
        return Pick(
            field=declared,
            alias=node.alias.value if node.alias else None,
            arguments=tuple(
                (one.name.value, core.print_ast(one.value)) for one in node.arguments or ()
            ),
            below=None if below is None else self._picks(below, node.selection_set),
            conditional=conditional,
        )


def _possible(kind: Composite) -> tuple[str, ...]:
    return (kind.name,) if isinstance(kind, Object) else kind.possible


def _add(fields: dict[str, Pick], pick: Pick) -> None:
    before = fields.get(pick.key)
    if before is None:
        fields[pick.key] = pick
        return
    conditional = before.conditional and pick.conditional
    below = before.below
    if below is not None and pick.below is not None:
        below = _merged(below, pick.below)
    fields[pick.key] = replace(before, below=below, conditional=conditional)


def _merged(one: Picks, other: Picks) -> Picks:
    fields = {pick.key: pick for pick in one.fields}
    for pick in other.fields:
        _add(fields, pick)
    fragments = {part.type.name: part for part in one.fragments}
    for part in other.fragments:
        known = fragments.get(part.type.name)
        fragments[part.type.name] = part if known is None else _merged(known, part)
    return replace(
        one,
        typename=one.typename or other.typename,
        fields=tuple(fields.values()),
        fragments=tuple(fragments.values()),
    )


# ── syntax ──────────────────────────────────────────────────────────────────────────


def _spreads(node: ast.Node) -> Iterable[str]:
    found: list[str] = []

    class Spreads(core.Visitor):
        """Collects the names of fragments that are spread."""

        def enter_fragment_spread(self, node: ast.FragmentSpreadNode, *_: object) -> None:
            """One of them."""
            found.append(node.name.value)

    core.visit(node, Spreads())
    return found


def _is_conditional(node: ast.SelectionNode) -> bool:
    return any(one.name.value in ("include", "skip") for one in node.directives or ())


def _variable(node: ast.VariableDefinitionNode) -> Input:
    default = node.default_value
    return Input(
        name=node.variable.name.value,
        type=_type(node.type),
        default=ABSENT if default is None else core.value_from_ast_untyped(default),
        description=_said(node),
    )


def _type(node: ast.TypeNode) -> TypeRef:
    match node:
        case ast.NonNullTypeNode():
            inner = _type(node.type)
            assert not isinstance(inner, NonNull)
            return NonNull(inner)
        case ast.ListTypeNode():
            return ListOf(_type(node.type))
        case ast.NamedTypeNode():
            return Named(node.name.value)
        case _:
            raise TypeError(f"no type is spelled by a {type(node).__name__}")


def _slice(text: Text, node: ast.OperationDefinitionNode | ast.FragmentDefinitionNode) -> str:
    """A definition as written, without descriptions: servers before 2025 do not know them."""
    assert node.loc is not None
    start, end = node.loc.start, node.loc.end
    pieces: list[str] = []
    for one in (node, *(node.variable_definitions or ())):
        said = getattr(one, "description", None)
        if said is not None:
            pieces.append(text.body[start : said.loc.start])
            after = text.body[said.loc.end : end]
            start = end - len(after.lstrip())
    return "".join((*pieces, text.body[start:end]))


def _description(node: ast.OperationDefinitionNode) -> str:
    """Its own description, else the comment lines right above it."""
    if said := _said(node):
        return said
    lines: list[str] = []
    assert node.loc is not None
    token = node.loc.start_token.prev
    while token is not None and token.kind.value == "Comment":
        lines.append((token.value or "").strip())
        token = token.prev
    return "\n".join(reversed(lines)).strip()


def _said(node: ast.Node) -> str:
    """The description that newer GraphQL allows on operations and variables."""
    description = getattr(node, "description", None)
    return str(description.value) if description is not None else ""


def _invalid(fault: Fault, file: str, line: int) -> SchemaError:
    at = fault.lines[0] if fault.lines else line
    return SchemaError(f"is not valid: {fault.text}", fault.file or file, at)
