"""A plain Python function as a tool: its schema is read from its signature.

The parameters may be `str`, `int`, `float`, `bool`, `None`, `Any`, `Literal`, lists, dicts
with text keys, and unions of those. A parameter called `ctx`, or annotated `Context`, is given
the run's context and hidden from the model.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from ..edge.arguments import read_arguments
from ..edge.failures import invalid
from ..errors import ToolError, words
from ..operation import Effects, Gate
from ..policy import Allowed, Proposal, decided, witnessed
from ..result import Telling, ToolResult
from ..validation import Problem, Validator
from .waiting import until_ended

if TYPE_CHECKING:
    from .run_context import Context

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
_SCALARS: dict[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}
_UNKNOWN = Effects(reason="a function: nothing says what it does")
_USUAL = Gate()


class FunctionTool:
    """A function, sync or async, that a model may call.

    Nothing says what a function does, so it counts as a write, which asks first, unless
    `effects` say otherwise. Raises TypeError for a parameter whose type cannot be told.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        effects: Effects = _UNKNOWN,
        gate: Gate = _USUAL,
    ) -> None:
        self.name = name or str(getattr(function, "__name__", ""))
        if not _NAME.fullmatch(self.name):
            raise TypeError(f"{function!r} needs a name of letters, digits and _, at most 64")
        self.description: str = description or inspect.getdoc(function) or self.name
        self.effects = effects
        self.gate = gate
        self._function = function
        self._context, self._schema = _signature(function, self.name)

    def __repr__(self) -> str:
        return f"FunctionTool({self.name!r})"

    @property
    def origin(self) -> object:
        """The function."""
        return self._function

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """The parameters."""
        return self._schema

    @property
    def is_plain(self) -> bool:
        """Whether nothing was said of what it does, nor of when to ask."""
        return self.effects is _UNKNOWN and self.gate is _USUAL

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """What the function takes for a parameter that a call leaves out."""
        parameters = inspect.signature(self._function).parameters
        return {
            name: parameters[name].default
            for name in self._schema["properties"]
            if name not in self._schema["required"]
        }

    async def execute(self, arguments: object, context: Context) -> ToolResult:
        """Validate, ask the policy, run. Raises nothing but the cancellation of its task."""
        try:
            given = self._valid(arguments)
            proposal = Proposal(
                tool=self,
                arguments=given,
                call_id=context.call.call_id,
                run=context.call.run,
                principal=context.call.principal,
            )
            result = await self._run(proposal, context)
        except ToolError as error:
            return ToolResult(outcome=error.outcome, error=error, metadata=error.metadata)
        return result

    def _valid(self, arguments: object) -> dict[str, Any]:
        try:
            given = read_arguments(arguments)
        except ValueError as error:
            raise invalid(self.name, [Problem("", None, str(error))]) from None
        problems = self._validator.problems(given)
        if problems:
            raise invalid(self.name, problems)
        return deepcopy(given)  # what is approved is what runs, whoever holds the others

    @cached_property
    def _validator(self) -> Validator:
        return Validator(self._schema)

    async def _run(self, proposal: Proposal, context: Context) -> ToolResult:
        policy = context.call.policy
        if policy is not None:
            decision = await decided(policy, proposal)
            if not isinstance(decision, Allowed):
                raise ToolError(f"{self.name}: {decision.reason}", outcome="denied")
        result = await self._called(proposal.arguments, context)
        witnessed(policy, proposal, result)
        return result

    async def _called(self, arguments: Mapping[str, Any], context: Context) -> ToolResult:
        hidden = {self._context: context} if self._context else {}
        try:
            data = await _awaited(self._function, {**arguments, **hidden})
        except ToolError:
            raise
        except Exception as error:
            raise ToolError(f"{self.name}: {type(error).__name__}: {words(error)}") from error
        if isinstance(data, ToolResult):
            return data
        telling = Telling(tool=self.name, ours=not self.effects.open_world)
        return ToolResult(outcome="ok", data=data, _telling=telling)


async def _awaited(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """What a function gives; one that is not async runs in a thread, so that others go on.

    A thread cannot be stopped: when the call is cancelled, it is waited for all the same.
    """
    if inspect.iscoroutinefunction(function):
        return await function(**arguments)
    work = asyncio.ensure_future(asyncio.to_thread(_called_plainly, function, arguments))
    try:
        data = await asyncio.shield(work)
    except asyncio.CancelledError:
        await until_ended([work])
        raise
    return await data if inspect.isawaitable(data) else data


def _called_plainly(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        return function(**arguments)
    except StopIteration as error:  # no future can hold it: the call would never end
        raise RuntimeError("StopIteration") from error


# ── from a signature to a schema ────────────────────────────────────────────────────


def _signature(function: Callable[..., Any], name: str) -> tuple[str | None, dict[str, Any]]:
    """The name of the context's parameter, and the schema of the others."""
    hidden: str | None = None
    properties: dict[str, Any] = {}
    required: list[str] = []
    hints = _hints(function)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"{name}: {parameter} cannot be given by name")
        hint = hints.get(parameter.name, Any)
        if parameter.name == "ctx" or _is_context(hint):
            hidden = parameter.name
            continue
        properties[parameter.name] = _schema(hint, f"{name}: {parameter.name}")
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return hidden, {**schema, "required": required, "additionalProperties": False}


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    from .run_context import Context

    target: Any = function if inspect.isroutine(function) else type(function).__call__
    try:
        return get_type_hints(target, localns={"Context": Context})
    except NameError as error:
        raise TypeError(f"{function!r}: its annotations cannot be read: {error}") from None


def _is_context(hint: object) -> bool:
    from .run_context import Context

    return hint is Context


def _schema(hint: Any, where: str) -> dict[str, Any]:
    if hint is Any:
        return {}
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(part, where) for part in parts]}
    kind = origin or hint
    if kind in (list, Sequence):
        return {"type": "array", **({"items": _schema(parts[0], where)} if parts else {})}
    if kind in (dict, Mapping) and (not parts or parts[0] is str):
        value = _schema(parts[1], where) if parts else {}
        return {"type": "object", "additionalProperties": value or True}
    raise TypeError(f"{where} has a type that no schema can be made of: {hint!r}")
