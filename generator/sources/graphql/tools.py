"""One root field as an operation: its variables, its document, what it gives back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....runtime.shown.ours import OURS
from ...model.api import Operation, Result
from ...model.arguments import Argument
from ...model.arguments import Variable as Carrier
from ...model.calls import GraphQLCall, Paging
from ...model.findings import LeftOut, Loss
from ...model.nodes import Location
from ...model.nodes import Schema as JsonSchema
from .core import Core
from .documents import Variable
from .inputs import Inputs, object_of, or_null
from .outputs import Outputs
from .roots import Root
from .schema import ABSENT, Field, Input, NonNull, Schema, nullable, spelled
from .selection.choose import choose
from .selection.conflicts import apart
from .selection.facts import Facts
from .selection.limits import Wishes
from .selection.pages import connection, other_end, page_argument
from .selection.picks import Omitted, Pick, Picks
from .selection.validity import Invalid, Sound, sound
from .selection.wished import Unknown, wished

GROUPS = {"query": "queries", "mutation": "mutations", "subscription": "subscriptions"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of one root."""

    operation: Operation | None = None
    losses: tuple[Loss, ...] = ()
    left_out: LeftOut | None = None


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
class _Selection:
    picks: Picks | None  # of the root's own type; None for a leaf
    rows: tuple[Row, ...] = ()  # lifted arguments
    omitted: tuple[Omitted, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes the operations of one schema."""

    facts: Facts
    judge: Core
    inputs: Inputs
    outputs: Outputs
    file: str

    @property
    def schema(self) -> Schema:
        """The schema whose operations are made."""
        return self.facts.schema

    def make(self, root: Root, wishes: Wishes) -> Made:
        """The operation of a root field, or why there is none."""
        place = self.location(root.key)
        try:
            chosen = self._selected(root, wishes)
            rows = (*self._rows(root.field, wishes), *chosen.rows)
            document = self._document(root, rows, chosen.picks)
        except (Invalid, Unknown) as error:
            return Made(left_out=LeftOut(operation=root.key, location=place, why=str(error)))
        omitted = (*chosen.omitted, *document.dropped)
        lost = _losses(root.key, place, [one for one in omitted if not one.by_budget])
        beyond = tuple(one.path for one in omitted if one.by_budget)
        return Made(operation=self._operation(root, rows, document, beyond), losses=lost)

    def location(self, key: str) -> Location:
        """Where a root field stands."""
        return Location(file=self.file, pointer="/" + key.replace(".", "/"))

    def argument(self, row: Row, place: Location) -> Argument:
        """A row as the model has it."""
        return Argument(
            name=row.name,
            carrier=Carrier(name=row.variable.name, type=row.variable.type),
            required=row.input.required,
            schema=self.inputs.of(row.input),
            location=place,
        )

    def uploads(self, rows: tuple[Row, ...]) -> tuple[str, ...]:
        """Where files may stand among the variables."""
        return tuple(
            path for row in rows for path in self.inputs.uploads(row.variable.name, row.input.type)
        )

    # ── the document ────────────────────────────────────────────────────────────────

    def _selected(self, root: Root, wishes: Wishes) -> _Selection:
        kind = self.schema.composite(root.field.type)
        if kind is None:
            return _Selection(picks=None)
        if kind.name in self.schema.roots:
            raise Invalid(f"it only gives the type {kind.name} again")
        if wishes.fields:
            return _Selection(picks=wished(self.facts, kind, wishes.fields, wishes.limits))
        choice = choose(self.facts, kind, root.field, root.kind, wishes)
        rows = tuple(
            Row(
                input=replace(one.argument, name=one.variable),
                variable=Variable(name=one.variable, type=_declared(one.argument)),
            )
            for one in choice.lifted
        )
        return _Selection(
            picks=apart(choice.branch.frozen()), rows=rows, omitted=tuple(choice.omitted)
        )

    def _rows(self, field: Field, wishes: Wishes) -> tuple[Row, ...]:
        """The field's own arguments; a connection's page gets a size where it has none."""
        paged = connection(self.schema, self.schema.composite(field.type)) is not None
        page = page_argument(field) if paged else None
        return tuple(
            _paged(field, one, wishes.limits.page)
            if one is page and one.default is ABSENT
            else Row(input=one, variable=Variable(name=one.name, type=_declared(one)))
            for one in field.arguments
        )

    def _document(self, root: Root, rows: tuple[Row, ...], picks: Picks | None) -> Sound:
        given = tuple((one.name, f"${one.name}") for one in root.field.arguments)
        pick = Pick(field=root.field, arguments=given, below=picks)
        for index in range(len(root.path) - 1, 0, -1):
            above = root.path[index - 1]
            kind = self.schema.composite(above.type)
            assert kind is not None
            pick = Pick(field=above, below=Picks(type=kind, fields=(pick,)))
        whole = Picks(type=self.schema.root(root.kind), fields=(pick,))
        variables = [row.variable for row in rows]
        return sound(self.judge, root.kind, _operation_name(root), variables, whole)

    # ── the operation ───────────────────────────────────────────────────────────────

    def _operation(
        self, root: Root, rows: tuple[Row, ...], document: Sound, beyond: tuple[str, ...]
    ) -> Operation:
        place = self.location(root.key)
        arguments = tuple(self.argument(row, place) for row in rows)
        output = self._output(root, document.picks)
        return Operation(
            key=root.key,
            operation_id=root.key,
            tags=(GROUPS[root.kind], *(field.name for field in root.path[:-1])),
            summary="",
            description=_description(root),
            deprecated=root.deprecated is not None,
            call=GraphQLCall(
                kind=root.kind,
                document=document.text,
                root=root.place,
                name=_operation_name(root),
                roots=(".".join(root.key.split(".")[:2]),),
                uploads=self.uploads(rows),
                makes_way={row.variable.name: row.makes_way for row in rows if row.makes_way},
                beyond=beyond,
                cursor=self._cursor(root.field),
            ),
            arguments=arguments,
            input_schema=object_of(arguments),
            results=(result(output),),
            output_schema=output,
            security=None,
            location=place,
        )

    def _cursor(self, field: Field) -> Paging | None:
        """How a connection goes on, where its document asks for what that takes."""
        kind = self.schema.composite(field.type)
        found = None if kind is None else self.facts.connection(kind)
        page, names = page_argument(field), {one.name for one in field.arguments}
        if found is None or page is None or "after" not in names:
            return None
        return Paging(
            argument="after",
            size_argument=page.name,
            next="pageInfo.endCursor",
            more="pageInfo.hasNextPage",
            items="nodes" if found.nodes is not None else "edges",
        )

    def _output(self, root: Root, picks: Picks) -> JsonSchema:
        pick = picks.fields[0]
        maybe = False
        for field in root.path[:-1]:
            maybe = maybe or not isinstance(field.type, NonNull)
            assert pick.below is not None
            pick = pick.below.fields[0]
        made = self.outputs.of(pick)
        if maybe and not isinstance(made, bool):
            made = or_null(made)
        return events_of(made) if root.kind == "subscription" else made


def events_of(schema: JsonSchema) -> JsonSchema:
    """A subscription gives the values that came before its bound."""
    return {"type": "array", "items": schema}


def result(schema: JsonSchema) -> Result:
    """The one answer of a GraphQL call."""
    return Result(status="200", media_type="application/json", schema=schema)


def _declared(declared: Input) -> str:
    """The type of an argument's variable.

    One with a default is nullable, so that it may be left out and the server's default holds
    (GraphQL, 5.8.5).
    """
    kind = declared.type if declared.default is ABSENT else nullable(declared.type)
    return spelled(kind)


def _paged(field: Field, page: Input, size: int) -> Row:
    return Row(
        input=replace(page, default=size),
        variable=Variable(name=page.name, type=spelled(page.type), default=json.dumps(size)),
        makes_way=other_end(field, page),
    )


def _operation_name(root: Root) -> str:
    """As people name operations: `repository` → `Repository`."""
    return "_".join(field.name[0].upper() + field.name[1:] for field in root.path)


def _description(root: Root) -> str:
    reason = root.deprecated
    text = root.field.description
    if reason and reason not in text:
        return f"{text}\n\nDeprecated: {reason}".strip()
    return text


def _losses(key: str, place: Location, omitted: Sequence[Omitted]) -> tuple[Loss, ...]:
    """One line for all that a document leaves out, each with its reason."""
    if not omitted:
        return ()
    listed = "; ".join(f"{one.path} {one.why}" for one in omitted)
    what = f"{key} does not select: {listed}. Choose with fields, lift, args or types."
    return (Loss(operation=key, location=place, what=what),)
