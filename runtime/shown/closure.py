"""Closes a schema over the definitions that it needs.

A walk over a schema knows where it stands: a property may be called `$ref`, and what
is under `enum`, `const`, `default` or `examples` is data.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, TypeGuard

Node: TypeAlias = Mapping[str, Any]

SINGLE = frozenset(
    (
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)
"""Keywords whose value is a schema (JSON Schema 2020-12, the applicator vocabulary)."""
LISTED = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
"""Keywords whose value is an array of schemas."""
NAMED = frozenset(("$defs", "dependentSchemas", "patternProperties", "properties"))
"""Keywords whose value is an object of schemas."""
APPLICATORS = SINGLE | LISTED | NAMED
PREFIX = "#/$defs/"


def is_node(value: Any) -> TypeGuard[Node]:
    """Whether a value is a schema with keywords, not a boolean one or no schema at all."""
    return isinstance(value, Mapping)


def children(node: Node) -> Iterator[tuple[tuple[str, ...], Node]]:
    """The schemas right below a schema, each with its path; boolean ones have nothing to say."""
    for keyword, value in node.items():
        if keyword not in APPLICATORS or value.__class__ is bool:
            continue
        if keyword in NAMED:
            for name, child in value.items():
                if child.__class__ is not bool:
                    yield (keyword, name), child
        elif keyword in LISTED:
            for index, child in enumerate(value):
                if child.__class__ is not bool:
                    yield (keyword, str(index)), child
        else:
            yield (keyword,), value


def target(node: Node) -> str | None:
    """The name of the definition that a schema refers to."""
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith(PREFIX):
        return reference[len(PREFIX) :]
    return None


def references(schema: Any) -> list[str]:
    """The definitions that a schema names itself, sorted."""
    found: set[str] = set()
    waiting: list[Node] = [schema] if is_node(schema) else []
    while waiting:
        node = waiting.pop()
        name = target(node)
        if name is not None:
            found.add(name)
        waiting.extend(child for _, child in children(node))
    return sorted(found)


class Definitions:
    """Shared schemas by name; each is looked through once, whoever needs it."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self.schemas = schemas
        self._direct: dict[str, list[str]] = {}

    def direct(self, name: str) -> list[str]:
        """What one definition refers to itself."""
        known = self._direct.get(name)
        if known is None:
            known = self._direct[name] = references(self.schemas[name])
        return known

    def needed(self, schema: Any) -> list[str]:
        """Every definition that a schema reaches, sorted; recursion ends by itself."""
        waiting = references(schema)
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in found and name in self.schemas:
                found.add(name)
                waiting.extend(self.direct(name))
        return sorted(found)

    def close(self, schema: Node) -> dict[str, Any]:
        """A schema with `$defs`: every definition that it reaches, and no other."""
        needed = self.needed(schema)
        closed = dict(schema)
        if needed:
            closed["$defs"] = {**schema.get("$defs", {}), **{n: self.schemas[n] for n in needed}}
        return closed


def close(schema: Node, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with every definition it reaches; see `Definitions` for closing many."""
    return Definitions(definitions).close(schema)
