"""The Python target: from a catalogue to the text of a typed tool package."""

from .emit import generate
from .plan import Settings

__all__ = ["Settings", "generate"]
