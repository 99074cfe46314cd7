"""One root field as an operation: its document, judged, what it takes and what it gives back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...model.api import Operation, Result
from ...model.arguments import Argument
from ...model.arguments import Variable as Carrier
from ...model.calls import GraphQLCall, Paging
from ...model.findings import LeftOut, Loss
from ...model.nodes import Location
from ...model.nodes import Schema as JsonSchema
from .core import Core
from .drafts import Draft, Row
from .inputs import Inputs, object_of, or_null
from .outputs import Outputs
from .roots import Root
from .schema import Field, NonNull, Schema
from .selection.facts import Facts
from .selection.pages import page_argument
from .selection.picks import Omitted, Pick, Picks
from .selection.validity import Invalid, Sound, sound

GROUPS = {"query": "queries", "mutation": "mutations", "subscription": "subscriptions"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of one root."""

    operation: Operation | None = None
    losses: tuple[Loss, ...] = ()
    left_out: LeftOut | None = None


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

    def make(self, draft: Draft) -> Made:
        """The operation of a root field, or why there is none."""
        root = draft.root
        try:
            document = sound(self.judge, draft.request, draft.document)
        except Invalid as error:
            return self.leave_out(root, str(error))
        omitted = (*draft.omitted, *document.dropped)
        lost = _losses(
            root.key, self.location(root.key), [one for one in omitted if not one.by_budget]
        )
        beyond = tuple(one.path for one in omitted if one.by_budget)
        return Made(
            operation=self._operation(draft, document, beyond),
            losses=(*lost, *self._unbounded(root)),
        )

    def leave_out(self, root: Root, why: str) -> Made:
        """No operation, for a reason."""
        place = self.location(root.key)
        return Made(left_out=LeftOut(operation=root.key, location=place, why=why))

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

    def _unbounded(self, root: Root) -> Iterator[Loss]:
        """What there is to say of a connection that nobody can bound."""
        if not self.facts.is_bounded(root.field):
            what = f"{root.key} has no argument that bounds how much comes: its server decides."
            yield Loss(operation=root.key, location=self.location(root.key), what=what)

    def _operation(self, draft: Draft, document: Sound, beyond: tuple[str, ...]) -> Operation:
        root, rows = draft.root, draft.rows
        place = self.location(root.key)
        arguments = tuple(self.argument(row, place) for row in rows)
        pick, maybe = _own(root, document.picks)
        output = self._output(root, pick, maybe)
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
                name=draft.request.name,
                roots=(".".join(root.key.split(".")[:2]),),
                uploads=self.uploads(rows),
                makes_way={row.variable.name: row.makes_way for row in rows if row.makes_way},
                beyond=beyond,
                cursor=self._paging(root, pick.below),
            ),
            arguments=arguments,
            input_schema=object_of(arguments),
            results=(result(output),),
            output_schema=output,
            security=None,
            location=place,
        )

    def _paging(self, root: Root, picks: Picks | None) -> Paging | None:
        """How the pages of a tool follow each other."""
        if root.kind == "query" and self.facts.is_counted(root.field):
            habits = self.facts.habits
            return Paging(kind="offset", argument=habits.offset, size_argument=habits.size)
        return self._cursor(root.field, picks)

    def _cursor(self, field: Field, picks: Picks | None) -> Paging | None:
        """How a connection goes on, where its document asks for what that takes."""
        kind = self.schema.composite(field.type)
        found = None if kind is None else self.facts.connection(kind)
        page, names = page_argument(field), {one.name for one in field.arguments}
        if found is None or picks is None or page is None or "after" not in names:
            return None
        if {"hasNextPage", "endCursor"} - _keys(picks, "pageInfo"):
            return None
        return Paging(
            argument="after",
            size_argument=page.name,
            next="pageInfo.endCursor",
            more="pageInfo.hasNextPage",
            items="nodes" if "nodes" in {one.key for one in picks.fields} else "edges",
        )

    def _output(self, root: Root, pick: Pick, maybe: bool) -> JsonSchema:
        made = self.outputs.of(pick)
        if maybe and not isinstance(made, bool):
            made = or_null(made)
        return events_of(made) if root.kind == "subscription" else made


def _own(root: Root, picks: Picks) -> tuple[Pick, bool]:
    """The tool's own field in a document, and whether a namespace above it may be null."""
    pick, maybe = picks.fields[0], False
    for field in root.path[:-1]:
        maybe = maybe or not isinstance(field.type, NonNull)
        assert pick.below is not None
        pick = pick.below.fields[0]
    return pick, maybe


def _keys(picks: Picks, name: str) -> set[str]:
    """What is selected of one field."""
    below = next((one.below for one in picks.fields if one.key == name), None)
    return {one.key for one in below.fields} if below else set()


def events_of(schema: JsonSchema) -> JsonSchema:
    """A subscription gives the values that came before its bound."""
    return {"type": "array", "items": schema}


def result(schema: JsonSchema) -> Result:
    """The one answer of a GraphQL call."""
    return Result(status="200", media_type="application/json", schema=schema)


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
