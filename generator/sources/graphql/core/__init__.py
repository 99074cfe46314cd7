"""The host of graphql-core: nothing outside this folder imports it."""

from .reading import Core, Fault, SchemaError, Text, from_introspection, from_sdl
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
