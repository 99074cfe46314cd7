"""Definitions that only lead back to themselves: no value could ever be checked against them."""

from collections.abc import Iterator, Mapping

from ...model.nodes import Schema
from ...plain import as_array, as_object, is_object
from .definitions import PREFIX

_TOGETHER = ("allOf", "anyOf", "oneOf")
_ALONE = ("not", "if", "then", "else")


def circles(definitions: Mapping[str, Schema]) -> tuple[str, ...]:
    """Names of the definitions that refer to themselves without going into a value.

    `A: {$ref: B}, B: {allOf: [{$ref: A}]}` asks of a value what it asks of it: for ever.
    """
    uses = {
        name: [one for one in dict.fromkeys(_used(schema)) if one in definitions]
        for name, schema in definitions.items()
    }
    return tuple(name for name in uses if _returns(name, uses))


def _returns(name: str, uses: Mapping[str, list[str]]) -> bool:
    """Whether a definition is reached from itself."""
    met: set[str] = set()
    waiting = list(uses[name])
    while waiting:
        one = waiting.pop()
        if one == name:
            return True
        if one not in met:
            met.add(one)
            waiting.extend(uses[one])
    return False


def _used(schema: Schema) -> Iterator[str]:
    """The definitions that hold for the very value that the schema is about."""
    waiting: list[Schema] = [schema]
    while waiting:
        node = waiting.pop()
        if not is_object(node):
            continue
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(PREFIX):
            yield reference.removeprefix(PREFIX)
        for keyword in _TOGETHER:
            waiting.extend(as_array(node.get(keyword)))
        waiting.extend(node[keyword] for keyword in _ALONE if keyword in node)
        waiting.extend(as_object(node.get("dependentSchemas")).values())
