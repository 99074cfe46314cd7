"""Progressive exposure: the list of tools that one run offers its model, and how it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from ..describe import TYPE_HELPER, TypeHelper, explain_type
from ..errors import ToolError
from ..operation import Effects, Gate
from ..result import Telling, ToolResult
from ..tool import Tool
from ..toolset import Toolset
from .functions import FunctionTool

if TYPE_CHECKING:
    from .run_context import AgentTool, Context, Named, Source


class ToolsetTool:
    """A tool of a generated package."""

    __slots__ = ("tool",)

    def __init__(self, tool: Tool) -> None:
        self.tool = tool

    def __repr__(self) -> str:
        return f"ToolsetTool({self.name!r})"

    @property
    def name(self) -> str:
        """As `AgentTool.name`."""
        return self.tool.name

    @property
    def description(self) -> str:
        """As `AgentTool.description`."""
        return self.tool.description

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """As `AgentTool.advertised_schema`."""
        return self.tool.advertised_schema

    @property
    def effects(self) -> Effects:
        """As `AgentTool.effects`."""
        return self.tool.effects

    @property
    def gate(self) -> Gate:
        """As `AgentTool.gate`."""
        return self.tool.gate

    @property
    def origin(self) -> object:
        """The tool, which every view of its toolset shares."""
        return self.tool

    async def execute(self, arguments: object, context: Context) -> ToolResult:
        """As `AgentTool.execute`."""
        return await self.tool.execute(arguments, context.call)


class TypeHelperTool(TypeHelper):
    """`describe_type` for all generated tools of a run."""

    gate = Gate(approval="never")

    def __init__(self, tools: Iterable[AgentTool] = ()) -> None:
        super().__init__("")
        self._tools = tools

    @property
    def origin(self) -> object:
        """Itself."""
        return self

    async def execute(self, arguments: object, context: Context) -> ToolResult:
        """The schema of a part that was cut; it sends nothing."""
        known = [tool.tool for tool in self._tools if isinstance(tool, ToolsetTool)]
        try:
            data = explain_type(known, arguments)
        except ToolError as error:
            return ToolResult(outcome=error.outcome, error=error)
        return ToolResult(outcome="ok", data=data, _telling=Telling(tool=self.name))


class ToolList:
    """The tools of one run: a fresh copy of what the caller gave, in the order of arrival.

    Safe for parallel calls and threads: a change happens whole or not at all. A tool that
    arrives stands last, so that what a provider cached of the earlier ones stays good.
    """

    def __init__(self, tools: Source = ()) -> None:
        self._tools: dict[str, AgentTool] = {}
        self._lock = Lock()
        self.add(tools)

    def __iter__(self) -> Iterator[AgentTool]:
        return iter(list(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)

    def get(self, name: str) -> AgentTool | None:
        """The tool of exactly this name."""
        return self._tools.get(name)

    def snapshot(self) -> dict[str, AgentTool]:
        """The tools as they are now, by name."""
        return dict(self._tools)

    def add(self, tools: Source) -> None:
        """As `Context.add_tools`."""
        arriving = [self._own(tool) for tool in agent_tools(tools)]
        with self._lock:
            new: dict[str, AgentTool] = {}
            for tool in arriving:
                there = self._tools.get(tool.name) or new.get(tool.name)
                if there is None:
                    new[tool.name] = tool
                elif not is_same(there.origin, tool.origin) or _says_otherwise(there, tool):
                    raise ValueError(f"there is another tool {tool.name!r} already")
            self._tools = {**self._tools, **new, **self._helper(new)}

    def remove(self, tools: Named) -> None:
        """As `Context.remove_tools`."""
        with self._lock:
            gone = set(self._names(tools))
            self._tools = {name: tool for name, tool in self._tools.items() if name not in gone}

    def _own(self, tool: AgentTool) -> AgentTool:
        """A helper that explains the tools of this list, where one of another list arrives."""
        there = self._tools.get(tool.name)
        if not isinstance(tool, TypeHelperTool):
            return tool
        return there if isinstance(there, TypeHelperTool) else TypeHelperTool(self)

    def _helper(self, new: Mapping[str, AgentTool]) -> dict[str, AgentTool]:
        """`describe_type`, with the first tool that has a part cut from its schema."""
        if TYPE_HELPER in self._tools or TYPE_HELPER in new or not any(map(_is_cut, new.values())):
            return {}
        return {TYPE_HELPER: TypeHelperTool(self)}

    def _names(self, tools: object) -> Iterator[str]:
        if isinstance(tools, str):
            yield tools
        elif isinstance(tools, Tool) or _is_one(tools):
            origin = getattr(tools, "origin", tools)
            yield from (tool.name for tool in self._tools.values() if is_same(tool.origin, origin))
        elif _is_many(tools):
            for one in tools:
                yield from self._names(one)
        else:
            raise TypeError(f"{_kind(tools)} names no tool")


def agent_tools(tools: object) -> Iterator[AgentTool]:
    """The tools that something is or holds. Raises TypeError for what is no tool."""
    if isinstance(tools, Toolset):
        yield from map(ToolsetTool, tools)
    elif isinstance(tools, Tool):
        yield ToolsetTool(tools)
    elif _is_agent_tool(tools):
        yield cast("AgentTool", tools)
    elif callable(tools):
        yield FunctionTool(cast("Callable[..., Any]", tools))
    elif _is_many(tools):
        for one in tools:
            yield from agent_tools(one)
    else:
        raise TypeError(f"{_kind(tools)} is no tool")


def is_same(one: object, other: object) -> bool:
    """The same object; two mentions of a bound method are the same method."""
    if isinstance(one, MethodType) and isinstance(other, MethodType):
        return one.__self__ is other.__self__ and one.__func__ is other.__func__
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one == other
    return one is other


def _says_otherwise(there: AgentTool, tool: AgentTool) -> bool:
    """Whether a function comes once more with effects or a gate of its own that differ."""
    if not isinstance(tool, FunctionTool) or tool.is_plain:
        return False
    return (there.effects, there.gate) != (tool.effects, tool.gate)


def _is_many(value: object) -> TypeGuard[Iterable[object]]:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _kind(value: object) -> str:
    return type(value).__name__


def _is_cut(tool: AgentTool) -> bool:
    return isinstance(tool, ToolsetTool) and bool(tool.tool.trimmed)


def _is_one(value: object) -> bool:
    return not isinstance(value, Toolset) and (_is_agent_tool(value) or callable(value))


def _is_agent_tool(value: object) -> bool:
    return not isinstance(value, type) and all(
        hasattr(value, part)
        for part in ("name", "advertised_schema", "effects", "origin", "execute")
    )
