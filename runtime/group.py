"""The base of generated groups: one class a tag, one typed method a tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

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
