"""Reads a call's arguments: an object as it is, or the JSON text that models write."""

import json
from collections.abc import Mapping
from typing import NoReturn, cast


def read_arguments(given: object) -> dict[str, object]:
    """The arguments as an object; None and an empty text are an empty one.

    Raises ValueError, with the reason, for anything else.
    """
    value = given
    if isinstance(value, str | bytes):
        try:
            value = cast(object, json.loads(value, parse_constant=_refuse)) if value else None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"not JSON: {error}") from None
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    raise ValueError(f"must be an object, got {type(value).__name__}")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
