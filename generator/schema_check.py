"""Compiling schemas at generation, so that no tool breaks at its first call."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import jsonschema_rs

from .model.nodes import Schema
from .patterns import with_escapes

_AT_ONCE = 250
"""Schemas compiled together: each batch pays for the names of all, and is held in memory."""


def usable_pattern(pattern: str) -> str | None:
    """The pattern as the engine takes it, or None when it takes it in no way."""
    for candidate in (pattern, with_escapes(pattern)):
        if not problems({"pattern": candidate}):
            return candidate
    return None


def problems(schema: Schema) -> str | None:
    """Why a schema does not compile, in one line; None when it does. Nothing is retrieved."""
    try:
        jsonschema_rs.Draft202012Validator(
            dict(schema) if isinstance(schema, Mapping) else schema, retriever=_refuse
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        return str(error).partition("\n")[0]
    return None


def culprits(
    definitions: Mapping[str, Schema], schemas: Sequence[Schema]
) -> tuple[dict[str, str], dict[int, str]]:
    """What does not compile and why: definitions by name, schemas by index.

    Many are compiled at once; only when that fails are they halved until the guilty ones
    stand alone. What they refer to is left open, unless it is among them.
    """
    items: list[tuple[str | int, Schema]] = [*definitions.items(), *enumerate(schemas)]
    opened = dict.fromkeys(definitions, True)
    guilty: dict[str | int, str] = {}
    for start in range(0, len(items), _AT_ONCE):
        _search(items[start : start + _AT_ONCE], opened, guilty)
    return (
        {name: why for name, why in guilty.items() if isinstance(name, str)},
        {index: why for index, why in guilty.items() if isinstance(index, int)},
    )


def _search(
    items: list[tuple[str | int, Schema]], opened: dict[str, bool], guilty: dict[str | int, str]
) -> None:
    if not items:
        return
    why = problems(_together(items, opened))
    if why is None:
        return
    if len(items) == 1:
        guilty[items[0][0]] = why
        return
    half = len(items) // 2
    _search(items[:half], opened, guilty)
    _search(items[half:], opened, guilty)


def _together(items: list[tuple[str | int, Schema]], opened: dict[str, bool]) -> dict[str, Any]:
    """One schema that compiles all items; a definition that is not among them is open."""
    held = {key: schema for key, schema in items if isinstance(key, str)}
    every: list[Schema] = [{"$ref": f"#/$defs/{name}"} for name in held]
    every += [schema for key, schema in items if isinstance(key, int)]
    return {"$defs": {**opened, **held}, "allOf": every}


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not retrieved")
