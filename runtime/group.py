"""The base of generated groups: one class a tag, one typed method a tool."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from .operation import ATTRIBUTE, Operation

if TYPE_CHECKING:
    from .call import Call
    from .execute import Executor


class ToolGroup:
    """The tools of one tag. Calling a method sends nothing: it makes a `Call`."""

    __slots__ = ("_executor",)

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def _call(self, name: str, arguments: Mapping[str, object]) -> Call[Any]:
        """A call of the tool whose method has this name; arguments that are UNSET are left out."""
        from .call import Call

        return Call(self._executor, f"{self._executor.session.prefix}{name}", arguments)


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
    """What `@http` left on the methods of a module's groups, by method name."""
    found: dict[str, Operation] = {}
    for kind in module.values():
        if isinstance(kind, type) and issubclass(kind, ToolGroup):
            for name, method in vars(cast(type, kind)).items():
                operation = getattr(method, ATTRIBUTE, None)
                if operation is not None:
                    found[name] = cast(Operation, operation)
    return found
