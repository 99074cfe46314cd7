"""A selection that the user spells as dotted paths: exactly those fields, nothing more."""

from dataclasses import replace

from ..schema import Composite, Field, spelled
from .facts import Facts
from .limits import Limits
from .pages import page_argument
from .picks import Pick, Picks


class Unknown(Exception):
    """A path that leads to no field; the text says where it ends."""


def wished(facts: Facts, kind: Composite, paths: tuple[str, ...], limits: Limits) -> Picks:
    """The picks of dotted paths; a path that ends at an object takes what names it.

    Raises Unknown for a path that leads nowhere, or through a field that needs arguments.
    """
    picks = Picks(type=kind)
    for path in paths:
        picks = _with(facts, picks, path.split("."), path, limits)
    return picks


def _with(facts: Facts, picks: Picks, parts: list[str], path: str, limits: Limits) -> Picks:
    name, rest = parts[0], parts[1:]
    if name == "__typename":
        return replace(picks, typename=True)
    declared = facts.schema.fields(picks.type).get(name)
    if declared is None:
        raise Unknown(f"{path!r}: {picks.type.name} has no field {name!r}")
    pick = next((one for one in picks.fields if one.key == name), None)
    grown = _grown(facts, pick or _new(facts, declared, path, limits), rest, path, limits)
    if pick is None:
        return replace(picks, fields=(*picks.fields, grown))
    return replace(picks, fields=tuple(grown if one is pick else one for one in picks.fields))


def _new(facts: Facts, declared: Field, path: str, limits: Limits) -> Pick:
    page = page_argument(declared) if facts.is_many(declared) else None
    unfilled = [one for one in declared.required if page is None or one.name != page.name]
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
    leaves = tuple(Pick(field=one) for one in facts.names(pick.below.type))
    return replace(pick, below=replace(pick.below, fields=leaves, typename=not leaves))
