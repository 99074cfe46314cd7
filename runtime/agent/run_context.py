"""What a tool or a middleware is given of the run that it works in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..context import CallContext

if TYPE_CHECKING:
    from .exposure import AgentTool, Named, Source, ToolList

_OUTSIDE = "tools can be added and removed inside a run only"


@dataclass(frozen=True, slots=True)
class Context:
    """The run, as the code inside it may see and change it. Outside a run `tools` is None.

    What is added or removed is seen by the model at its next turn; the calls of the current
    turn all run as they were asked for.
    """

    call: CallContext = field(default_factory=CallContext)
    live: ToolList | None = field(default=None, repr=False)

    @property
    def run(self) -> str:
        """The id of the run; empty outside of one."""
        return self.call.run

    @property
    def tools(self) -> Sequence[AgentTool] | None:
        """The tools that the model is offered at its next turn, oldest first."""
        return None if self.live is None else tuple(self.live)

    def add_tools(self, tools: Source) -> None:
        """Offer more tools: a toolset, tools, plain callables, one or many, all or none of them.

        What is there already is no news. Raises ValueError for another tool under a taken
        name, TypeError for what is no tool, RuntimeError outside a run.
        """
        self._inside().add(tools)

    def remove_tools(self, tools: Named) -> None:
        """Offer tools no longer, by name, tool or callable; unknown ones are ignored."""
        self._inside().remove(tools)

    def of_call(self, call_id: str) -> Context:
        """The same for one call."""
        return replace(self, call=replace(self.call, call_id=call_id))

    def _inside(self) -> ToolList:
        if self.live is None:
            raise RuntimeError(_OUTSIDE)
        return self.live
