"""Gives clashing response keys of possible types an alias of their own.

(GraphQL, 5.3.2: fields that share a response key must have the same shape, also on
types that exclude each other.)
"""

from dataclasses import replace

from ..schema import spelled
from .picks import Pick, Picks


def apart(picks: Picks) -> Picks:
    """The selection with every clash aliased `type_field`; the first of a key keeps it."""
    fields = tuple(map(_inside, picks.fields))
    taken = {pick.key: _shape(pick) for pick in fields}
    fragments: list[Picks] = []
    for fragment in picks.fragments:
        inner = apart(fragment)
        kept = tuple(_own(pick, inner.type.name, taken) for pick in inner.fields)
        fragments.append(replace(inner, fields=kept))
    return replace(picks, fields=fields, fragments=tuple(fragments))


def _inside(pick: Pick) -> Pick:
    return pick if pick.below is None else replace(pick, below=apart(pick.below))


def _own(pick: Pick, kind: str, taken: dict[str, tuple[object, ...]]) -> Pick:
    shape = _shape(pick)
    if taken.setdefault(pick.key, shape) == shape:
        return pick
    alias = f"{kind[0].lower()}{kind[1:]}_{pick.field.name}"
    while alias in taken and taken[alias] != shape:
        alias += "_"
    taken[alias] = shape
    return replace(pick, alias=alias)


def _shape(pick: Pick) -> tuple[object, ...]:
    return (pick.field.name, spelled(pick.field.type), pick.arguments)
