"""Suggests which tool had better run before which, for the same thing: look before you change.

Three signs are read. A path family: `GET /things/{id}` before `DELETE /things/{id}` and before
what destroys below it (`POST /things/{id}/void`). A link from a read's result. And a list
whose entries hold what a path parameter asks for, where the thing itself cannot be read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model.api import Operation
from ..model.calls import HttpCall
from ..model.catalogue import Effects
from ..model.nodes import Schema
from ..outputs import fields
from ..words import singular, words
from .verbs import verbs

_CHANGES = ("PUT", "PATCH", "DELETE")
_MAKES = frozenset(("create", "insert", "register"))


@dataclass(frozen=True, slots=True)
class Judged:
    """An operation and what was judged of it."""

    operation: Operation
    effects: Effects


class Order:
    """Suggestions within one set of tools."""

    def __init__(self, tools: Sequence[Judged], definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._reads = {
            tool.operation.call.path: tool.operation
            for tool in tools
            if tool.effects.pure
            and isinstance(tool.operation.call, HttpCall)
            and tool.operation.call.method == "GET"
        }
        self._linked: dict[str, list[Operation]] = {}
        for tool in tools:
            if tool.effects.pure:
                for name in tool.operation.links:
                    self._linked.setdefault(name, []).append(tool.operation)

    def before(self, tool: Judged) -> tuple[str, ...]:
        """The keys of the operations that had better run first; none for what only reads."""
        call = tool.operation.call
        if tool.effects.pure or not isinstance(call, HttpCall):
            return ()
        found = [*self._family(call, tool), *self._links_to(tool.operation)]
        if not found and call.method in _CHANGES:
            found = list(self._list(call.path))
        return tuple(dict.fromkeys(one.key for one in found if one.key != tool.operation.key))

    def _family(self, call: HttpCall, tool: Judged) -> Iterator[Operation]:
        if call.path in self._reads and "{" in call.path and _changes_it(call, tool.operation):
            yield self._reads[call.path]
        elif tool.effects.destructive and not call.path.endswith("}"):
            thing = _thing(call.path)
            if thing in self._reads:
                yield self._reads[thing]

    def _links_to(self, operation: Operation) -> Iterable[Operation]:
        return [
            *self._linked.get(operation.operation_id or "", ()),
            *self._linked.get(operation.key, ()),
        ]

    def _list(self, path: str) -> Iterator[Operation]:
        """`GET /things` before `DELETE /things/{thing_id}`, when things have an `id` or that."""
        collection, _, last = path.rpartition("/")
        reader = self._reads.get(collection)
        if reader is None or not (last.startswith("{") and last.endswith("}")):
            return
        members = fields(reader.output_schema, self._definitions)
        if _wanted(last[1:-1], collection) & {tuple(words(name)) for name, _ in members}:
            yield reader


def _changes_it(call: HttpCall, operation: Operation) -> bool:
    """A POST to one thing, `/things/{id}`, changes it, unless it says that it makes one there.

    One to `/things` makes another.
    """
    if call.method in _CHANGES:
        return True
    makes = any(verb.word in _MAKES for verb in verbs(operation))
    return call.method == "POST" and call.path.endswith("}") and not makes


def _thing(path: str) -> str:
    """The path up to its last parameter; empty without one."""
    before, found, _ = path.rpartition("}")
    return before + found


def _wanted(parameter: str, collection: str) -> set[tuple[str, ...]]:
    """What an entry may call the value of `{pet_id}`: `pet_id`, or `id` where it is a pet's."""
    own = tuple(words(parameter))
    thing = tuple(singular(word) for word in words(collection.rpartition("/")[2]))
    bare = own[len(thing) :] if own[: len(thing)] == thing and len(own) > len(thing) else ()
    return {name for name in (own, bare) if name}
