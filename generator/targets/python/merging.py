"""What a schema with `allOf`, or with keywords beside `$ref`, asks for as one flat schema."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...model.nodes import Schema

Resolve = Callable[[str], Schema | None]
"""The definition that a `$ref` text points to, or None."""

_KEYWORDS = """$ref type enum const allOf anyOf oneOf items prefixItems properties required
    additionalProperties patternProperties"""
STRUCTURE: frozenset[str] = frozenset(
    _KEYWORDS.split()
)  # the keywords that decide a Python type; the rest are annotations or bounds on values


def has_structure(schema: Schema) -> bool:
    """A schema says something about the type of its values."""
    return not isinstance(schema, bool) and not STRUCTURE.isdisjoint(schema)


def merged(schema: Mapping[str, Any], resolve: Resolve, own: str = "") -> dict[str, Any]:
    """One schema without `allOf` and `$ref` that means about the same.

    Properties and `required` add up; a property named twice must fit both; of other
    keywords the outer one wins. `own` is the reference to the schema itself: a part that
    leads back is left out, and so is the union of a base in which the schema is a branch.
    """
    whole: dict[str, Any] = {}
    for part in _parts(schema, resolve, own):
        _add(whole, part)
    return whole


def _parts(schema: Schema, resolve: Resolve, own: str) -> Iterator[Mapping[str, Any]]:
    """A schema and all it is composed of, the outer before the inner, each definition once."""
    waiting, met = [(schema, frozenset({own}))], {own}
    while waiting:
        part, around = waiting.pop()
        if isinstance(part, bool):
            continue
        yield {
            key: value
            for key, value in part.items()
            if key not in ("$ref", "allOf") and not _leads_back(key, value, around)
        }
        waiting.extend((inner, around) for inner in reversed(part.get("allOf", ())))
        reference = part.get("$ref")
        if isinstance(reference, str) and reference not in met:
            met.add(reference)
            waiting.append((resolve(reference) or True, around | {reference}))


def _leads_back(key: str, value: Any, around: frozenset[str]) -> bool:
    """A union one branch of which is what is being composed (a base with its subtypes)."""
    return key in ("oneOf", "anyOf") and any(
        not isinstance(branch, bool) and branch.get("$ref") in around for branch in value
    )


def _add(whole: dict[str, Any], part: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if key == "properties":
            whole[key] = _both(whole.get(key, {}), value)
        elif key == "required":
            whole[key] = list(dict.fromkeys([*whole.get(key, ()), *value]))
        elif key in ("anyOf", "oneOf") and key in whole:
            continue
        else:
            whole.setdefault(key, value)


def _both(first: Mapping[str, Schema], second: Mapping[str, Schema]) -> dict[str, Schema]:
    properties = dict(first)
    for name, schema in second.items():
        known = properties.get(name, True)
        if known == schema or not has_structure(schema):
            properties.setdefault(name, schema)
        elif not has_structure(known):
            properties[name] = schema
        else:
            parts = [*conjuncts(known), *conjuncts(schema)]
            properties[name] = {"allOf": parts}
    return properties


def conjuncts(schema: Schema) -> list[Schema]:
    """The parts of a bare `allOf`, or the schema as the only one."""
    if isinstance(schema, Mapping) and set(schema) == {"allOf"}:
        return list(schema["allOf"])
    return [schema]
