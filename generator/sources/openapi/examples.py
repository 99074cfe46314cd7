"""Examples of parameters and bodies, as values that their schemas describe."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.nodes import Schema
from ...plain import as_object, is_array, is_object, is_writable, ordered
from ...pointers import Place
from .references import BrokenReference, References


def with_examples(
    references: References, schema: Schema, holder: Mapping[str, Any], place: Place
) -> Schema:
    """The read schema with the examples that stand beside it, unless it has its own.

    Beside a schema they may be serialised text; one that is so by its type is left out.
    """
    if schema is False or "examples" in as_object(schema):
        return schema
    types = as_object(schema).get("type")
    values = [
        ordered(value)
        for value in _values(references, holder, place)
        if is_writable(value) and _may_be(value, types)
    ]
    return {**as_object(schema), "examples": values} if values else schema


def _values(references: References, holder: Mapping[str, Any], place: Place) -> Iterator[Any]:
    if holder.get("example") is not None:
        yield holder["example"]
        return
    examples = as_object(holder.get("examples"))
    for name in sorted(examples):
        try:
            example, _ = references.follow(examples[name], ((place, "examples"), name))
        except BrokenReference:  # an example that cannot be read teaches nothing
            continue
        for key in ("value", "dataValue"):
            if key in example:
                yield example[key]


def _may_be(value: Any, types: Any) -> bool:
    """Whether a value can have a type: objects and arrays are never written as text."""
    if types == "object":
        return is_object(value)
    return is_array(value) if types == "array" else True
