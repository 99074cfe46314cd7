"""A hand-written operation document as an operation of its own."""

from collections.abc import Iterator

from ...model.api import Operation
from ...model.calls import GraphQLCall
from ...model.nodes import Location
from ...model.nodes import Schema as JsonSchema
from .core import Written
from .documents import Variable
from .drafts import Row
from .inputs import object_of
from .schema import ABSENT, Input, spelled
from .selection.facts import Facts
from .selection.pages import other_end
from .selection.picks import Pick, Picks
from .tools import GROUPS, Maker, events_of, result

_LABELS = {"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}


def unbounded(picks: Picks, facts: Facts, place: str) -> Iterator[str]:
    """The connections of a document that no argument bounds, by their place."""
    for pick in picks.fields:
        here = f"{place}.{pick.key}"
        page = facts.root_page(pick.field)
        if page is not None and not _has_bound(pick, page):
            yield f"{here} needs {page.name}, or the server may send all"
        if pick.below is not None:
            yield from unbounded(pick.below, facts, here)
    for fragment in picks.fragments:
        yield from unbounded(fragment, facts, place)


def _has_bound(pick: Pick, page: Input) -> bool:
    """Whether an argument of a page is given, or its default holds."""
    given = {name for name, value in pick.arguments if value != "null"}
    ends = {page.name, other_end(pick.field, page)}
    return bool(given & ends) or page.default not in (ABSENT, None)


def operation_of(written: Written, maker: Maker) -> Operation:
    """The operation of a document: it takes its variables and gives what it selects."""
    place = Location(file=written.file, pointer=f"/{written.name}")
    rows = tuple(
        Row(input=one, variable=Variable(name=one.name, type=spelled(one.type)))
        for one in written.variables
    )
    arguments = tuple(maker.argument(row, place) for row in rows)
    root = _single(written.picks)
    output = _output(written, maker, root)
    return Operation(
        key=written.name,
        operation_id=written.name,
        tags=(GROUPS[written.kind],),
        summary="",
        description=written.description,
        deprecated=False,
        call=GraphQLCall(
            kind=written.kind,
            document=written.text,
            root=root,
            name=written.name,
            roots=tuple(
                f"{_LABELS[written.kind]}.{name}"
                for name in dict.fromkeys(pick.field.name for pick in written.picks.fields)
            ),
            uploads=maker.uploads(rows),
            by_hand=True,
        ),
        arguments=arguments,
        input_schema=object_of(arguments),
        results=(result(output),),
        output_schema=output,
        security=None,
        location=place,
    )


def _single(picks: Picks) -> str:
    """The key of the only root field that always comes; "" keeps the whole of `data`."""
    if len(picks.fields) == 1 and not picks.fields[0].conditional and not picks.typename:
        return picks.fields[0].key
    return ""


def _output(written: Written, maker: Maker, root: str) -> JsonSchema:
    picks = written.picks
    made = maker.outputs.of(picks.fields[0]) if root else maker.outputs.object(picks)
    return events_of(made) if written.kind == "subscription" else made
