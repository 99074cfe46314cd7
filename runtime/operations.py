"""The operations of a package, read from its groups' modules at their first use."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from .operation import Operation


class Operations:
    """The operations of a generated package; a group's module is imported at its first use."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._groups: dict[str, dict[str, Operation]] = {}

    def find(self, group: str, tool: str) -> Operation:
        """How a call of that tool travels."""
        if group not in self._groups:
            self._groups[group] = _marked(vars(import_module(f"{self._module}.{group}")))
        return self._groups[group][tool]


def _marked(module: Mapping[str, object]) -> dict[str, Operation]:
    """What the decorators left on the methods of a module's groups, by method name."""
    from .decorators import left_on

    found: dict[str, Operation] = {}
    for kind in module.values():
        if isinstance(kind, type):
            for name, method in vars(kind).items():
                operation = left_on(method)
                if operation is not None:
                    found[name] = operation
    return found
