"""What one root field is asked: its variables and its document, before anybody judged it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....runtime.shown.ours import OURS
from .documents import Printed, Request, Variable, printed
from .roots import Root
from .schema import ABSENT, Field, Input, NonNull, named, nullable, spelled
from .selection.choice import Lifted
from .selection.choose import choose
from .selection.conflicts import apart
from .selection.facts import Facts
from .selection.limits import Wishes
from .selection.pages import other_end
from .selection.picks import Omitted, Pick, Picks
from .selection.validity import Invalid
from .selection.wished import require_known, wished


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One argument of a tool: declared in the schema, sent as a variable of the document."""

    input: Input
    variable: Variable
    makes_way: str | None = None  # the argument before which a default of ours is not sent

    @property
    def name(self) -> str:
        """The key in the input schema."""
        name = self.variable.name
        return f"{name}__variable" if name in OURS else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A request for a root field, printed, and what is not selected in it."""

    root: Root
    rows: tuple[Row, ...]
    request: Request
    document: Printed
    omitted: tuple[Omitted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    picks: Picks | None  # of the root's own type; None for a leaf
    rows: tuple[Row, ...] = ()  # lifted arguments
    omitted: tuple[Omitted, ...] = ()


class Drafter:
    """Drafts the documents of one schema."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._schema = facts.schema

    def draft(self, root: Root, wishes: Wishes) -> Draft:
        """The draft for a root field. Raises Invalid, and Unknown for a wish that leads nowhere."""
        chosen = self._selected(root, wishes)
        rows = (*self._rows(root.field, wishes), *chosen.rows)
        request = Request(
            kind=root.kind,
            name=_operation_name(root),
            variables=tuple(row.variable for row in rows),
            picks=self._whole(root, chosen.picks),
        )
        return Draft(
            root=root,
            rows=rows,
            request=request,
            document=printed(request),
            omitted=chosen.omitted,
        )

    def _selected(self, root: Root, wishes: Wishes) -> _Selection:
        kind = self._schema.composite(root.field.type)
        if kind is None:
            return _Selection(picks=None)
        if kind.name in {*self._schema.roots, *(named(one.type) for one in root.path[:-1])}:
            raise Invalid(f"it only gives the type {kind.name} again")
        if wishes.fields:
            chosen = wished(self._facts, kind, wishes.fields, wishes.limits)
            return _Selection(picks=apart(chosen))
        require_known(self._schema, kind, wishes)
        choice = choose(self._facts, kind, root.field, root.kind, wishes)
        return _Selection(
            picks=apart(choice.branch.frozen()),
            rows=_lifted(choice.lifted, wishes.limits.nested_page),
            omitted=tuple(choice.omitted),
        )

    def _rows(self, field: Field, wishes: Wishes) -> tuple[Row, ...]:
        """The field's own arguments; a page gets a size where it has none."""
        page = self._facts.root_page(field)
        return tuple(
            _paged(one, wishes.limits.page, other_end(field, one)) if one is page else _row(one)
            for one in field.arguments
        )

    def _whole(self, root: Root, picks: Picks | None) -> Picks:
        """From the root type down to what is selected of the field's own type."""
        given = tuple((one.name, f"${one.name}") for one in root.field.arguments)
        pick = Pick(field=root.field, arguments=given, below=picks)
        for index in range(len(root.path) - 1, 0, -1):
            above = root.path[index - 1]
            kind = self._schema.composite(above.type)
            assert kind is not None
            pick = Pick(field=above, below=Picks(type=kind, fields=(pick,)))
        return Picks(type=self._schema.root(root.kind), fields=(pick,))


def _declared(declared: Input) -> str:
    """The type of an argument's variable.

    One with a default is nullable, so that it may be left out and the server's default holds
    (GraphQL, 5.8.5).
    """
    kind = declared.type if declared.default is ABSENT else nullable(declared.type)
    return spelled(kind)


def _row(declared: Input) -> Row:
    return Row(input=declared, variable=Variable(name=declared.name, type=_declared(declared)))


def _paged(page: Input, size: int, other: str | None) -> Row:
    """A page's size, which makes way for the `other` end; without a default it is ours."""
    makes_way = None if isinstance(page.type, NonNull) else other
    if page.default is not ABSENT and page.default is not None:
        return replace(_row(page), makes_way=makes_way)
    return Row(
        input=replace(page, default=size),
        variable=Variable(name=page.name, type=spelled(page.type), default=json.dumps(size)),
        makes_way=makes_way,
    )


def _lifted(found: Sequence[Lifted], size: int) -> tuple[Row, ...]:
    """Nested arguments as the tool's own; a page stays bounded where nobody says how."""
    variables = {(one.place, one.argument.name): one.variable for one in found}
    rows: list[Row] = []
    for one in found:
        own = replace(one.argument, name=one.variable)
        other = other_end(one.field, one.argument) if one.bounds else None
        end = variables.get((one.place, other)) if other else None
        rows.append(_paged(own, size, end) if one.bounds else _row(own))
    return tuple(rows)


def _operation_name(root: Root) -> str:
    """As people name operations: `repository` → `Repository`."""
    return "_".join(field.name[0].upper() + field.name[1:] for field in root.path)
