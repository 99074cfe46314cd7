"""`_fields` of a GraphQL call: dotted paths, held against the field map, made a document.

Only what stands below the tool's own root field is chosen, so a choice never calls another
root field and the tool's gate holds. A path is never GraphQL text: each step is a field's
name that the map has.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ..operation import GraphQLOperation
from ..shown.ours import FIELDS
from ..validation import did_you_mean
from ..wire.refusal import RequestProblem
from .fieldmap import FieldMap, MappedField, is_list, named
from .nodes import Body, FieldNode, InlineNode
from .request import Document
from .syntax import parse
from .trim import root_body
from .uses import pruned

Tree: TypeAlias = "dict[str, Tree]"

NESTED_PAGE = 5
DEEPEST = 8
_NAMES = ("id", "name", "title", "login", "key", "number", "slug", "code", "message", "url")
_ITEMS: Mapping[str, Tree] = {"nodes": {}, "edges": {"node": {}}}
_GOING_ON = ("pageInfo", ("hasNextPage", "endCursor"))


def chosen(
    text: str, operation: GraphQLOperation, paths: Sequence[Sequence[str]], fields: FieldMap
) -> Document:
    """The committed document with the fields at `paths` in place of its own.

    Raises RequestProblem for a path that leads nowhere, needs arguments or is too deep.
    """
    kind = fields.choosable(operation.kind, operation.root)
    body = root_body(parse(text), operation.root)
    if kind is None or body is None:
        raise _problem("this tool's result has no parts to choose from")
    tree: Tree = {}
    for path in paths:
        _plant(tree, path)
    if operation.paging is not None and operation.paging.more:
        holder = tree.setdefault(_GOING_ON[0], {})
        holder.update({name: {} for name in _GOING_ON[1]})
    given = dict(_given(text, body, ""))
    lines = _Writer(fields, given).selection(kind, tree, "", operation.root.count(".") + 2)
    margin = "  " * (operation.root.count(".") + 1)
    selection = "\n".join(["{", *lines, f"{margin}}}"])
    written, dropped = pruned(text[: body.start] + selection + text[body.end :])
    return Document(written, known=False, chosen=True, dropped=dropped)


def _plant(tree: Tree, path: Sequence[str]) -> None:
    if len(path) > DEEPEST:
        raise _problem(f"{'.'.join(path)}: has more than {DEEPEST} parts")
    for part in path:
        tree = tree.setdefault(part, {})


def _given(text: str, body: Body, place: str) -> Iterator[tuple[str, str]]:
    """The arguments in a document by the place of their field: the page, what settings gave."""
    for one in body.selections:
        if isinstance(one, FieldNode):
            here = _at(place, one.name)
            if one.arguments:
                head = text[one.start : one.body.start if one.body else one.end]
                yield here, head[head.index("(") :].strip()
            if one.body is not None:
                yield from _given(text, one.body, here)
        elif isinstance(one, InlineNode):
            yield from _given(text, one.body, place)


class _Writer:
    """Writes a selection; `given` are arguments that the committed document has, by place."""

    def __init__(self, fields: FieldMap, given: Mapping[str, str]) -> None:
        self._fields = fields
        self._given = given

    def selection(self, kind: str, tree: Tree, place: str, depth: int) -> list[str]:
        """The lines of a selection set, its braces excepted."""
        margin = "  " * depth
        lines: list[str] = []
        fragments: dict[str, Tree] = {}
        if "__typename" in tree or self._fields.possible(kind) != (kind,):
            lines.append(f"{margin}__typename")
        for name, below in tree.items():
            field = self._fields.field(kind, name)
            if name == "__typename":
                continue
            if field is not None:
                lines += self._field(field, below, _at(place, name), depth)
                continue
            for owner in self._owners(kind, name, place):
                fragments.setdefault(owner, {})[name] = below
        taken: dict[str, str] = {}
        for owner, branch in sorted(fragments.items()):
            lines.append(f"{margin}... on {owner} {{")
            for name, below in branch.items():
                own = self._fields.field(owner, name)
                assert own is not None
                clashes = taken.setdefault(name, own.type) != own.type
                alias = f"{owner[0].lower()}{owner[1:]}_{name}: " if clashes else ""
                lines += self._field(own, below, _at(place, name), depth + 1, alias)
            lines.append(f"{margin}}}")
        return lines

    def _owners(self, kind: str, name: str, place: str) -> list[str]:
        """The possible types that have a field which their common type has not."""
        possible = self._fields.possible(kind)
        owners = [one for one in possible if one != kind and self._fields.field(one, name)]
        if owners:
            return owners
        known = [field.name for field in self._fields.fields(kind)]
        hint = did_you_mean(name, known)
        where = f"in {place}" if place else "in the result"
        raise _problem(f"{_at(place, name)}: there is no {name!r} {where}{hint}")

    def _field(
        self, field: MappedField, below: Tree, place: str, depth: int, alias: str = ""
    ) -> list[str]:
        head = f"{'  ' * depth}{alias}{field.name}{self._arguments(field, place)}"
        if not self._fields.is_composite(field.type):
            if below:
                raise _problem(f"{place}: has no parts of its own")
            return [head]
        kind = named(field.type)
        if kind in self._fields.roots.values():
            raise _problem(f"{place}: leads back to the root of the API")
        tree = below or self._names(kind)
        return [f"{head} {{", *self.selection(kind, tree, place, depth + 1), f"{'  ' * depth}}}"]

    def _arguments(self, field: MappedField, place: str) -> str:
        if place in self._given:
            return self._given[place]
        many = is_list(field.type) or self._fields.is_connection(field.type)
        page = field.page if many else None
        needed = [name for name in field.required if name != page]
        if needed:
            raise _problem(f"{place}: needs {', '.join(needed)}, which `{FIELDS}` cannot give")
        if many and page is None and self._fields.is_connection(field.type):
            raise _problem(f"{place}: cannot be bounded")
        return f"({page}: {NESTED_PAGE})" if page else ""

    def _names(self, kind: str) -> Tree:
        """What stands for an object whose parts were not named: of a connection, its items."""
        if self._fields.is_connection(kind):
            for name, below in _ITEMS.items():
                held = self._fields.field(kind, name)
                if held is not None and self._fields.is_composite(held.type):
                    return {name: below}
        leaves = {
            field.name: field
            for field in self._fields.fields(kind)
            if not field.required and not self._fields.is_composite(field.type)
        }
        told = [name for name in _NAMES if name in leaves][:3] or sorted(leaves)[:3]
        return {name: {} for name in told or ["__typename"]}


def _at(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _problem(reason: str) -> RequestProblem:
    return RequestProblem(FIELDS, reason)
