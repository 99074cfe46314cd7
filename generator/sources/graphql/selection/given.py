"""The arguments of picked fields: what the user fixed or lifted, and the size of a page."""

from __future__ import annotations

from ..literals import literal, untyped
from ..schema import Field
from .branches import Arguments
from .choice import Lifted
from .facts import Facts
from .limits import Wishes
from .pages import page_argument


class Given:
    """Gives the fields of one selection their arguments; `lifted` became the tool's own."""

    def __init__(self, facts: Facts, wishes: Wishes) -> None:
        self.lifted: list[Lifted] = []
        self._facts = facts
        self._wishes = wishes

    def page(self, declared: Field) -> Arguments:
        """How many items at most, where a field gives several and can be told."""
        page = page_argument(declared) if self._facts.is_many(declared) else None
        return ((page.name, str(self._wishes.limits.nested_page)),) if page else ()

    def every(self, declared: Field, place: str) -> Arguments:
        """Fixed arguments, lifted ones as variables, and a page's size."""
        fixed = self._wishes.args.get(place, {})
        types = {one.name: one.type for one in declared.arguments}
        schema = self._facts.schema
        given = {
            name: literal(value, types[name], schema) if name in types else untyped(value)
            for name, value in fixed.items()
        }
        if place in self._wishes.lift:
            for argument in declared.arguments:
                if argument.name not in given:
                    variable = f"{place.replace('.', '_')}_{argument.name}"
                    self.lifted.append(Lifted(variable=variable, argument=argument, place=place))
                    given[argument.name] = f"${variable}"
        for name, value in self.page(declared):
            given.setdefault(name, value)
        return tuple(given.items())
