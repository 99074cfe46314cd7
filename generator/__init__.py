"""The compiler: API descriptions in, files of a tool package out.

from toolmint.generator import Config, check, compile, write

config = Config(source="petstore.yaml", output="petstore_tools")
write(compile(config), config.output)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .config import Config, Options, configurations
    from .diagnostics import Report
    from .errors import InputError
    from .output import Drift, EditedError, Files, Written, check, write
    from .pipeline import compile

__all__ = [
    "Config",
    "Drift",
    "EditedError",
    "Files",
    "InputError",
    "Options",
    "Report",
    "Written",
    "check",
    "compile",
    "configurations",
    "write",
]

_HOMES = {
    "Config": "config",
    "Drift": "output",
    "EditedError": "output",
    "Files": "output",
    "InputError": "errors",
    "Options": "config",
    "Report": "diagnostics",
    "Written": "output",
    "check": "output",
    "compile": "pipeline",
    "configurations": "config",
    "write": "output",
}


def __getattr__(name: str) -> object:
    """Import an exported name at its first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
