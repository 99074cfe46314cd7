"""A selection that the user spells as dotted paths: exactly those fields, nothing more."""

from dataclasses import replace

from ..schema import Composite, Field, Schema, spelled
from .limits import Limits
from .pages import is_many, page_argument
from .picks import Pick, Picks
from .ranking import reference_fields


class Unknown(Exception):
    """A path that leads to no field; the text says where it ends."""


def wished(schema: Schema, kind: Composite, paths: tuple[str, ...], limits: Limits) -> Picks:
    """The picks of dotted paths; a path that ends at an object takes what names it.

    Raises Unknown for a path that leads nowhere, or through a field that needs arguments.
    """
    picks = Picks(type=kind)
    for path in paths:
        picks = _with(schema, picks, path.split("."), path, limits)
    return picks


def _with(schema: Schema, picks: Picks, parts: list[str], path: str, limits: Limits) -> Picks:
    name, rest = parts[0], parts[1:]
    if name == "__typename":
        return replace(picks, typename=True)
    declared = schema.fields(picks.type).get(name)
    if declared is None:
        raise Unknown(f"{path!r}: {picks.type.name} has no field {name!r}")
    pick = next((one for one in picks.fields if one.key == name), None)
    grown = _grown(schema, pick or _new(schema, declared, path, limits), rest, path, limits)
    if pick is None:
        return replace(picks, fields=(*picks.fields, grown))
    return replace(picks, fields=tuple(grown if one is pick else one for one in picks.fields))


def _new(schema: Schema, declared: Field, path: str, limits: Limits) -> Pick:
    page = page_argument(declared) if is_many(schema, declared) else None
    missing = [one for one in declared.required if page is None or one.name != page.name]
    if missing:
        needs = ", ".join(f"{one.name}: {spelled(one.type)}" for one in missing)
        raise Unknown(f"{path!r}: {declared.name!r} needs {needs}; lift it or fix it with args")
    below = schema.composite(declared.type)
    return Pick(
        field=declared,
        arguments=((page.name, str(limits.nested_page)),) if page else (),
        below=None if below is None else Picks(type=below),
    )


def _grown(schema: Schema, pick: Pick, rest: list[str], path: str, limits: Limits) -> Pick:
    if rest:
        if pick.below is None:
            raise Unknown(f"{path!r}: {pick.key!r} has no fields of its own")
        return replace(pick, below=_with(schema, pick.below, rest, path, limits))
    if pick.below is None or not pick.below.empty:
        return pick
    leaves = tuple(Pick(field=one) for one in reference_fields(schema, pick.below.type))
    return replace(pick, below=replace(pick.below, fields=leaves, typename=not leaves))
