"""GraphQL schemas, lowered to the neutral model."""

from .core import Text
from .introspect import introspect
from .load import Source, read_introspection, read_sdl
from .lowering import lower
from .options import LowerOptions
from .selection.limits import Limits, Wishes
from .texts import all_texts, texts

__all__ = [
    "Limits",
    "LowerOptions",
    "Source",
    "Text",
    "Wishes",
    "all_texts",
    "introspect",
    "lower",
    "read_introspection",
    "read_sdl",
    "texts",
]
