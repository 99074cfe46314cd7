"""The host of graphql-core: nothing outside this folder imports it."""

from .judging import Core, Fault, SchemaError, Text
from .reading import from_introspection, from_sdl
from .written import Written, written

__all__ = [
    "Core",
    "Fault",
    "SchemaError",
    "Text",
    "Written",
    "from_introspection",
    "from_sdl",
    "written",
]
