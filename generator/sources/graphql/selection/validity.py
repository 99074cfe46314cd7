"""The validity gate: no document leaves that graphql-core refuses.

A field that makes a document invalid is dropped and the rest is judged again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..core import Core, Fault
from ..documents import Printed, Request, printed
from .picks import Omitted, Pick, Picks

_ROUNDS = 40  # more faults than that are no selection's


class Invalid(Exception):
    """No valid document can be made; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A valid document, what it selects, and what had to go."""

    text: str
    picks: Picks
    dropped: tuple[Omitted, ...] = ()


def sound(judge: Core, request: Request, document: Printed) -> Sound:
    """The document of a request, without what makes it invalid. Raises Invalid."""
    dropped: list[Omitted] = []
    while faults := judge.faults(document.text):
        place = _blamed(document, faults)
        if place is None or len(dropped) == _ROUNDS:
            raise Invalid(f"no valid document: {faults[0].text}")
        request = replace(request, picks=_without(request.picks, place))
        document = printed(request)
        dropped.append(Omitted(".".join(place[1:]), f"was refused: {faults[0].text}"))
    return Sound(document.text, request.picks, tuple(dropped))


def _blamed(document: Printed, faults: Sequence[Fault]) -> tuple[str, ...] | None:
    """The deepest field that a fault names; never the root field itself."""
    for fault in faults:
        places = [document.places[line] for line in fault.lines if line in document.places]
        below = [place for place in places if len(place) > 1]
        if below:
            return max(below, key=len)
    return None


def _without(picks: Picks, place: tuple[str, ...]) -> Picks:
    """The selection without one field; objects that held nothing else go with it."""
    first, rest = place[0], place[1:]
    if first.startswith("... on "):
        kept = tuple(
            _without(one, rest) if f"... on {one.type.name}" == first and rest else one
            for one in picks.fragments
            if rest or f"... on {one.type.name}" != first
        )
        full = tuple(one for one in kept if one.fields or one.fragments or one.typename)
        return replace(picks, fragments=full)
    fields: list[Pick] = []
    for pick in picks.fields:
        if pick.key != first:
            fields.append(pick)
        elif rest and pick.below is not None:
            below = _without(pick.below, rest)
            if below.fields or below.fragments or below.typename:
                fields.append(replace(pick, below=below))
    return replace(picks, fields=tuple(fields), typename=picks.typename and first != "__typename")
