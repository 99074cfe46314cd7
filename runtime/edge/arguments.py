"""Reads a call's arguments: an object as it is, or the JSON text that models write."""

import json
from collections.abc import Mapping
from math import isfinite
from typing import NoReturn, cast


def read_arguments(given: object) -> dict[str, object]:
    """The arguments as an object; None and an empty text are an empty one.

    Raises ValueError, with the reason, for anything else.
    """
    value = given
    if isinstance(value, str | bytes):
        try:
            value = _loaded(value) if value else None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"not JSON: {error}") from None
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    raise ValueError(f"must be an object, got {type(value).__name__}")


def _loaded(text: str | bytes) -> object:
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name[:40]} is no JSON value")
