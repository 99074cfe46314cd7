"""The arguments of picked fields: what the user fixed or lifted, and the size of a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..literals import literal, untyped
from ..schema import Field, Input
from .branches import Arguments
from .choice import Lifted
from .facts import Facts
from .limits import Wishes
from .pages import other_end


class Given:
    """Gives the fields of one selection their arguments; `lifted` became the tool's own.

    `taken` are the names of variables that the tool has already.
    """

    def __init__(self, facts: Facts, wishes: Wishes, taken: Iterable[str]) -> None:
        self.lifted: list[Lifted] = []
        self._facts = facts
        self._wishes = wishes
        self._taken = set(taken)

    def page(self, declared: Field) -> Arguments:
        """How many items at most, where a field gives several and can be told."""
        page = self._facts.page(declared)
        return ((page.name, str(self._wishes.limits.nested_page)),) if page else ()

    def every(self, declared: Field, place: str) -> Arguments:
        """Fixed arguments, lifted ones as variables, and a page's size."""
        fixed = self._wishes.args.get(place, {})
        given = self._fixed(declared, fixed)
        if place in self._wishes.lift:
            for argument in declared.arguments:
                if argument.name not in given:
                    given[argument.name] = f"${self._lift(declared, argument, place, fixed)}"
        for name, value in self.page(declared):
            if not given.keys() & set(_ends(declared, name)):
                given[name] = value
        return tuple(given.items())

    def _fixed(self, declared: Field, fixed: Mapping[str, Any]) -> dict[str, str]:
        types = {one.name: one.type for one in declared.arguments}
        schema = self._facts.schema
        return {
            name: literal(value, types[name], schema) if name in types else untyped(value)
            for name, value in fixed.items()
        }

    def _lift(self, declared: Field, argument: Input, place: str, fixed: Mapping[str, Any]) -> str:
        """The variable for an argument; possible types that agree on one share it."""
        for one in self.lifted:
            if (one.place, one.argument) == (place, argument):
                return one.variable
        name = f"{place.replace('.', '_')}_{argument.name}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        page = self._facts.page(declared)
        bounds = page is argument and not fixed.keys() & set(_ends(declared, argument.name))
        self.lifted.append(
            Lifted(variable=name, argument=argument, place=place, field=declared, bounds=bounds)
        )
        return name


def _ends(declared: Field, name: str) -> tuple[str, ...]:
    """A page's argument, and the one that counts from the other end."""
    page = next(one for one in declared.arguments if one.name == name)
    other = other_end(declared, page)
    return (name,) if other is None else (name, other)
