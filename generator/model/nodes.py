"""What every node of the model is made with: its place, and the schemas of values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any] | bool
"""A JSON Schema 2020-12, as `json.load` would give it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where a node stands: the file or URL as the user named it, and an RFC 6901 pointer.

    Lines are looked up by `load` only when a message is printed.
    """

    file: str
    pointer: str  # "" is the whole document; printed as `#` + pointer
