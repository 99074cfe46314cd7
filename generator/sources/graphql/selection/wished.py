"""A selection that the user spells as dotted paths: exactly those fields, nothing more."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..schema import Composite, Field, Object, Schema, spelled
from .facts import Facts
from .limits import Limits, Wishes
from .picks import Pick, Picks


class Unknown(Exception):
    """A path that leads to no field; the text says where it ends."""


def wished(facts: Facts, kind: Composite, paths: tuple[str, ...], limits: Limits) -> Picks:
    """The picks of dotted paths; a path that ends at an object takes what names it.

    A connection also says where its next page begins. Raises Unknown for a path that leads
    nowhere, or through a field that needs arguments or has no bound.
    """
    picks = Picks(type=kind)
    for path in (*paths, *_going_on(facts, kind)):
        picks = _with(facts, picks, path.split("."), path, limits)
    return picks


def _with(facts: Facts, picks: Picks, parts: list[str], path: str, limits: Limits) -> Picks:
    name, rest = parts[0], parts[1:]
    if name == "__typename":
        return replace(picks, typename=True)
    declared = facts.schema.fields(picks.type).get(name)
    if declared is None:
        return _of_members(facts, picks, parts, path, limits)
    pick = next((one for one in picks.fields if one.key == name), None)
    grown = _grown(facts, pick or _new(facts, declared, path, limits), rest, path, limits)
    if pick is None:
        return replace(picks, fields=(*picks.fields, grown))
    return replace(picks, fields=tuple(grown if one is pick else one for one in picks.fields))


def require_known(schema: Schema, kind: Composite, wishes: Wishes) -> None:
    """Raises Unknown for a wish that names what the schema has not."""
    for name in wishes.types:
        if not isinstance(schema.types.get(name), Object):
            raise Unknown(f"types: there is no object type {name!r}")
    for path in (*wishes.lift, *wishes.args):
        known: set[str] = set()
        for declared in _declared(schema, [kind], path):
            known |= {one.name for one in declared.arguments}
        for name in wishes.args.get(path, ()):
            if name not in known:
                raise Unknown(f"{path!r}: has no argument {name!r}")


def _declared(schema: Schema, kinds: Sequence[Composite], path: str) -> list[Field]:
    """The fields that a dotted path may lead to, through all possible types."""
    found: list[Field] = []
    for name in path.split("."):
        held = [one for kind in kinds for one in (kind, *members(schema, kind))]
        found = [fields[name] for one in held if name in (fields := schema.fields(one))]
        if not found:
            there = kinds[0].name if kinds else "a leaf"
            raise Unknown(f"{path!r}: {there} has no field {name!r}")
        kinds = [one for field in found if (one := schema.composite(field.type)) is not None]
    return found


def _of_members(facts: Facts, picks: Picks, parts: list[str], path: str, limits: Limits) -> Picks:
    """A field that only possible types have, in a fragment of each that has it."""
    kind = picks.type
    owners = [one for one in members(facts.schema, kind) if parts[0] in one.fields]
    if not owners:
        raise Unknown(f"{path!r}: {kind.name} has no field {parts[0]!r}")
    fragments = {one.type.name: one for one in picks.fragments}
    for owner in owners:
        before = fragments.get(owner.name, Picks(type=owner))
        fragments[owner.name] = _with(facts, before, parts, path, limits)
    told = tuple(fragments[name] for name in sorted(fragments))
    return replace(picks, typename=True, fragments=told)


def members(schema: Schema, kind: Composite) -> list[Object]:
    """The possible types of an abstract type; none of an object."""
    names = () if isinstance(kind, Object) else kind.possible
    return [one for name in names if isinstance(one := schema.types.get(name), Object)]


def _going_on(facts: Facts, kind: Composite) -> Iterator[str]:
    """The paths of where the next page of a connection begins."""
    declared = facts.schema.fields(kind).get("pageInfo")
    info = facts.schema.composite(declared.type) if declared else None
    if facts.connection(kind) is None or declared is None or declared.required or info is None:
        return
    for name in ("hasNextPage", "endCursor"):
        told = facts.schema.fields(info).get(name)
        if told is not None and not told.required:
            yield f"pageInfo.{name}"


def _new(facts: Facts, declared: Field, path: str, limits: Limits) -> Pick:
    if not facts.is_bounded(declared):
        raise Unknown(f"{path!r}: {declared.name!r} has no argument that bounds how much comes")
    page, unfilled = facts.page(declared), facts.missing(declared)
    if unfilled:
        needs = ", ".join(f"{one.name}: {spelled(one.type)}" for one in unfilled)
        raise Unknown(f"{path!r}: {declared.name!r} needs {needs}; lift it or fix it with args")
    below = facts.schema.composite(declared.type)
    return Pick(
        field=declared,
        arguments=((page.name, str(limits.nested_page)),) if page else (),
        below=None if below is None else Picks(type=below),
    )


def _grown(facts: Facts, pick: Pick, rest: list[str], path: str, limits: Limits) -> Pick:
    if rest:
        if pick.below is None:
            raise Unknown(f"{path!r}: {pick.key!r} has no fields of its own")
        return replace(pick, below=_with(facts, pick.below, rest, path, limits))
    if pick.below is None or not pick.below.empty:
        return pick
    items = facts.items(pick.below.type)
    if items:
        return replace(pick, below=_with(facts, pick.below, items, path, limits))
    leaves = tuple(Pick(field=one) for one in facts.names(pick.below.type))
    return replace(pick, below=replace(pick.below, fields=leaves, typename=not leaves))
