"""Loaders: tools that add the tools of one group, so that a run can start with few."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..describe import loader_name
from ..operation import Effects, Gate
from .functions import FunctionTool

if TYPE_CHECKING:
    from ..result import ToolResult
    from ..toolset import Toolset
    from .run_context import Context

_READS = Effects(read_only=True, idempotent=True, open_world=False, reason="offers more tools")
SHOWN = 12  # names of tools in a description


class Loader:
    """`load_issues_tools`: offers every tool of the module `issues` from the next turn on."""

    effects = _READS
    gate = Gate(approval="never")

    def __init__(self, toolset: Toolset, group: str) -> None:
        self._view = toolset.select(predicate=lambda tool: tool.group == group)
        first = next(iter(self._view))
        self.name = loader_name(first.name.removesuffix(first.operation.name), group)
        self._group = group
        self._tool = FunctionTool(self._load, name=self.name, effects=_READS, gate=self.gate)

    def __repr__(self) -> str:
        return f"Loader({self.name!r})"

    @property
    def description(self) -> str:
        """Which tools it offers: their names are ours, so nothing of strangers is told."""
        names = self._view.names()
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return (
            f"Offer the tools of {self._group!r} from the next turn on: "
            f"{', '.join(names[:SHOWN])}{more}."
        )

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """It takes no arguments."""
        return self._tool.advertised_schema

    @property
    def origin(self) -> object:
        """Its tools, which all views of one toolset share: loaders of the same ones are one."""
        return "loader", *self._view

    @property
    def tools(self) -> Toolset:
        """What it offers."""
        return self._view

    async def execute(self, arguments: object, context: Context) -> ToolResult:
        """Offer the tools. Outside a run this is an error that says so."""
        return await self._tool.execute(arguments, context)

    def _load(self, ctx: Context) -> dict[str, Any]:
        ctx.add_tools(self._view)
        return {"offered from the next turn on": self._view.names()}


def loaders(toolset: Toolset, groups: Iterable[str] | None = None) -> list[Loader]:
    """A loader for each group of a toolset, or for those that are named by module.

    Raises KeyError for a group that the toolset does not have.
    """
    known = list(dict.fromkeys(tool.group for tool in toolset))
    chosen = known if groups is None else list(groups)
    for group in chosen:
        if group not in known:
            raise KeyError(f"there is no group {group!r}; there are {', '.join(known)}")
    return [Loader(toolset, group) for group in chosen]
