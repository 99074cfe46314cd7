"""A typed call as a value: await it, run it, look at its request, or ask for its result."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .result import ToolResult
from .unset import UNSET

if TYPE_CHECKING:
    from .execute import Executor
    from .prepared import PreparedRequest

SHOWN = 500  # characters of the arguments in a repr

T_co = TypeVar("T_co", covariant=True)


class Call(Generic[T_co]):
    """One tool with its arguments. Nothing is sent before it is awaited or run.

    Each `await` and each `run` sends the request once more.
    """

    __slots__ = ("_arguments", "_executor", "_name")

    def __init__(self, executor: Executor, name: str, arguments: Mapping[str, object]) -> None:
        self._executor = executor
        self._name = name
        self._arguments = {name: value for name, value in arguments.items() if value is not UNSET}

    def __repr__(self) -> str:
        text = ", ".join(
            f"{name if name.isidentifier() else repr(name)}={value!r}"
            for name, value in self._arguments.items()
        )
        return f"Call({self._name}: {self._executor.hide(text)[:SHOWN]})"

    @property
    def arguments(self) -> Mapping[str, object]:
        """The arguments given, by their wire names."""
        return dict(self._arguments)

    def __await__(self) -> Generator[Any, None, T_co]:
        """The decoded answer. Raises `ToolError` for any outcome but "ok"."""
        return self._data().__await__()

    def run(self) -> T_co:
        """`await` for callers without asyncio; safe inside a running event loop too."""
        from .loop_thread import run

        return run(self._data())

    def prepare(self) -> PreparedRequest:
        """The request as data. Sends nothing; raises `ToolError` where it cannot be made."""
        return self._executor.prepare(self._name, self._arguments)

    def result(self) -> ResultCall:
        """The same call for those who want the `ToolResult`, whatever the outcome."""
        return ResultCall(self)

    def execute(self) -> Coroutine[Any, Any, ToolResult]:
        """Send it and say what came of it."""
        return self._executor.execute(self._name, self._arguments)

    async def _data(self) -> T_co:
        result = await self.execute()
        if result.error is not None:
            raise result.error
        return cast("T_co", result.data)


class ResultCall:
    """A call whose `await` and `run` return a `ToolResult` and never raise `ToolError`."""

    __slots__ = ("_call",)

    def __init__(self, call: Call[object]) -> None:
        self._call = call

    def __repr__(self) -> str:
        return f"{self._call!r}.result()"

    def __await__(self) -> Generator[Any, None, ToolResult]:
        """The result."""
        return self._call.execute().__await__()

    def run(self) -> ToolResult:
        """`await` for callers without asyncio."""
        from .loop_thread import run

        return run(self._call.execute())
