# Written by hand in the shape that `toolmint generate` prints, for the tests of the runtime.
"""Tools of the Petstore API."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pets import Pets
    from .store import Store
    from .toolset import Petstore

    TOOLSET = Petstore

__all__ = [
    "TOOLSET",
    "Pets",
    "Petstore",
    "Store",
]

_HOMES = {
    "TOOLSET": ("toolset", "Petstore"),
    "Pets": ("pets", "Pets"),
    "Petstore": ("toolset", "Petstore"),
    "Store": ("store", "Store"),
}


def __getattr__(name: str) -> object:
    """Import an exported name at its first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"{__name__}.{module}"), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
