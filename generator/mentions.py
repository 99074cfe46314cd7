"""Which definitions schemas name, and which they lead to."""

from collections.abc import Iterable, Mapping

from .model.nodes import Schema
from .plain import is_array, is_object

_PREFIX = "#/$defs/"
_PREFIX_LENGTH = len(_PREFIX)
_PLAIN = frozenset((str, int, float, bool, type(None)))  # hold nothing: most of what is met


def mentioned(schema: object) -> set[str]:
    """The definitions that a schema names; a property called `$ref` names none."""
    names: set[str] = set()
    waiting: list[object] = [schema]
    while waiting:
        node = waiting.pop()
        if is_object(node):
            reference = node.get("$ref")
            if isinstance(reference, str) and reference.startswith(_PREFIX):
                names.add(reference[_PREFIX_LENGTH:])
                if len(node) == 1:
                    continue
            waiting.extend(value for value in node.values() if value.__class__ not in _PLAIN)
        elif is_array(node):
            waiting.extend(node)
    return names


def reachable(roots: Iterable[Schema | None], definitions: Mapping[str, Schema]) -> set[str]:
    """The definitions that schemas use, directly or through others."""
    reached: set[str] = set()
    waiting = set[str]().union(*map(mentioned, roots))
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in reached:
            reached.add(name)
            waiting |= mentioned(definitions[name])
    return reached
