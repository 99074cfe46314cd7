"""Reads a call's arguments: an object as it is, or the JSON text that models write."""

from collections.abc import Mapping
from typing import cast

from ..wire.json_reader import read_json


def read_arguments(given: object) -> dict[str, object]:
    """The arguments as an object; None and an empty text are an empty one.

    Raises ValueError, with the reason, for anything else.
    """
    value = given
    if isinstance(value, str | bytes):
        try:
            value = read_json(value) if value else None
        except ValueError as error:
            raise ValueError(f"not JSON: {error}") from None
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    raise ValueError(f"must be an object, got {type(value).__name__}")
