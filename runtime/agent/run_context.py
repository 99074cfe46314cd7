"""What a run needs of a tool, and what a tool or a middleware is given of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..context import CallContext

if TYPE_CHECKING:
    from ..operation import Effects, Gate
    from ..result import ToolResult
    from ..tool import Tool
    from ..toolset import Toolset


class AgentTool(Protocol):
    """What a loop needs of a tool: what a model is told, what it does, and how it is run."""

    @property
    def name(self) -> str:
        """What a model calls it."""
        ...

    @property
    def description(self) -> str:
        """What it does, for a model."""
        ...

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """The input schema that a model is shown."""
        ...

    @property
    def effects(self) -> Effects:
        """What a call does to the world."""
        ...

    @property
    def gate(self) -> Gate:
        """When a call needs approval."""
        ...

    @property
    def origin(self) -> object:
        """What it was made from: adding that once more is no news."""
        ...

    async def execute(self, arguments: object, context: Context) -> ToolResult:
        """Run a call to its one outcome, proposing it to the run's policy first."""
        ...


One: TypeAlias = "Tool | AgentTool | Callable[..., Any]"
Source: TypeAlias = "Toolset | One | Iterable[Source]"
"""What tools are made from: toolsets, tools, plain callables, and any number of those."""
Named: TypeAlias = "str | Toolset | One | Iterable[Named]"
"""What tools are named by: their names, and what they were made from."""


class LiveTools(Protocol):
    """The tools that a run offers, as they change."""

    def __iter__(self) -> Iterator[AgentTool]:
        """Oldest first."""
        ...

    def add(self, tools: Source) -> None:
        """As `Context.add_tools`."""
        ...

    def remove(self, tools: Named) -> None:
        """As `Context.remove_tools`."""
        ...


_OUTSIDE = "tools can be added and removed inside a run only"


@dataclass(frozen=True, slots=True)
class Context:
    """The run, as the code inside it may see and change it. Outside a run `tools` is None.

    What is added or removed is seen by the model at its next turn; the calls of the current
    turn all run as they were asked for.
    """

    call: CallContext = field(default_factory=CallContext)
    live: LiveTools | None = field(default=None, repr=False)

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

    def _inside(self) -> LiveTools:
        if self.live is None:
            raise RuntimeError(_OUTSIDE)
        return self.live
