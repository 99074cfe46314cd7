"""Decides which arguments of ours a tool is advertised with: parts of a result, and its pages."""

from collections.abc import Iterator

from ..runtime.edge.projection import has_choice
from ..runtime.graphql_codec.fieldmap import FieldMap
from ..runtime.shown.ours import FIELDS, PAGE
from .model.api import Api, Operation
from .model.calls import GraphQLCall, HttpCall, Paging
from .model.catalogue import Effects


class Offers:
    """Decides for the tools of one Api."""

    def __init__(self, api: Api) -> None:
        self._results = {"$defs": api.definitions.output}
        self._fields = None if api.graphql is None else FieldMap(api.graphql.field_map)

    def of(self, operation: Operation, effects: Effects, paging: Paging | None) -> tuple[str, ...]:
        """`_fields` where a result has parts, `_page` where reading it leads from page to page.

        An argument of the operation's own that is called so is no argument of ours.
        """
        taken = {argument.name for argument in operation.arguments}
        return tuple(one for one in self._fitting(operation, effects, paging) if one not in taken)

    def _fitting(
        self, operation: Operation, effects: Effects, paging: Paging | None
    ) -> Iterator[str]:
        if self._has_parts(operation):
            yield FIELDS
        if paging is not None or (effects.pure and _goes_on(operation)):
            yield PAGE

    def _has_parts(self, operation: Operation) -> bool:
        call = operation.call
        if isinstance(call, HttpCall) or call.by_hand or self._fields is None:
            return has_choice(operation.output_schema, self._results)
        return self._fields.choosable(call.kind, call.root) is not None


def _goes_on(operation: Operation) -> bool:
    """Whether it asks for a connection; what a subscription gives has no pages."""
    call = operation.call
    return isinstance(call, GraphQLCall) and call.kind == "query" and call.cursor is not None
