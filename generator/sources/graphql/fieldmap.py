"""The committed field map: what may be selected, for choices that are made at call time."""

from typing import Any

from .scalars import BUILT_IN, Scalars
from .schema import ABSENT, Composite, Field, Input, Named, Object, Scalar, Schema, named, spelled


def field_map(schema: Schema, scalars: Scalars) -> dict[str, Any]:
    """Root kinds, custom scalars, and of every type in results its fields and possible types.

    A field is its type, or `[type, {argument: type}]`; an argument with a default has
    ` =` behind its type. A type that is not listed is a leaf.
    """
    waiting = [Named(name) for name in schema.roots]
    found: dict[str, dict[str, Any]] = {}
    while waiting:
        kind = schema.composite(waiting.pop())
        if kind is None or kind.name in found:
            continue
        found[kind.name] = _entry(schema, kind)
        waiting += [Named(named(field.type)) for field in schema.fields(kind).values()]
        waiting += [Named(name) for name in _possible(kind)]
    return {
        "roots": dict(sorted(schema.root_names.items())),
        "scalars": {
            name: dict(scalars.input(kind))
            for name, kind in sorted(schema.types.items())
            if isinstance(kind, Scalar) and name not in BUILT_IN
        },
        "types": {name: found[name] for name in sorted(found)},
    }


def _entry(schema: Schema, kind: Composite) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    if possible := _possible(kind):
        entry["possible"] = list(possible)
    fields = schema.fields(kind)
    if fields:
        entry["fields"] = {name: _field(fields[name]) for name in sorted(fields)}
    return entry


def _possible(kind: Composite) -> tuple[str, ...]:
    return () if isinstance(kind, Object) else kind.possible


def _field(field: Field) -> Any:
    if not field.arguments:
        return spelled(field.type)
    return [spelled(field.type), {one.name: _argument(one) for one in field.arguments}]


def _argument(argument: Input) -> str:
    ending = "" if argument.default is ABSENT else " ="
    return f"{spelled(argument.type)}{ending}"
