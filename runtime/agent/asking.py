"""Asking a model: its answer at once or as it is written, within the time that a run has left."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ..canonical import canonical
from ..edge.repair import DEEPEST
from ..wire.values import is_array, is_object
from .conversation import Arguments, Delta, ModelRequest, ModelResponse, ToolCall

if TYPE_CHECKING:
    from ..gates.breaker import Breaker
    from ..models.model import Model


async def answer(
    model: Model, request: ModelRequest, breaker: Breaker, *, deltas: bool
) -> AsyncGenerator[Delta | ModelResponse]:
    """The parts of one turn, the whole of it last; it breaks off when the time is up.

    Raises whatever the model raises.
    """
    try:
        if not deltas:
            yield _proper(await asyncio.wait_for(model.respond(request), breaker.seconds_left()))
            return
        stream = cast("AsyncGenerator[Delta | ModelResponse]", model.stream(request))
        async with aclosing(stream) as parts:
            while True:
                try:
                    part = await asyncio.wait_for(anext(parts), breaker.seconds_left())
                except StopAsyncIteration:
                    return
                yield _proper(part) if isinstance(part, ModelResponse) else part
    except TimeoutError:
        if breaker.seconds_left() != 0:
            raise  # the model's own
        breaker.out_of_time()


def _proper(response: ModelResponse) -> ModelResponse:
    """The turn with an id of its own for each call, and arguments that JSON can hold."""
    calls = tuple(_distinct(response.message.calls))
    if calls == response.message.calls:
        return response
    return replace(response, message=replace(response.message, calls=calls))


def _distinct(calls: Iterable[ToolCall]) -> Iterator[ToolCall]:
    """Outcomes are matched by id: two calls of one id would both be told what came of one."""
    taken: set[str] = set()
    for index, call in enumerate(calls):
        identity = call.id
        while not identity or identity in taken:
            identity = f"{identity or 'call'}_{index}"
        taken.add(identity)
        yield ToolCall(identity, call.name, _written(call.arguments))


def _written(arguments: Arguments) -> Arguments:
    """NaN, Infinity and endless nesting are no JSON: they go on as text, which is refused."""
    try:
        canonical(arguments)
    except ValueError:
        return json.dumps(arguments)
    except RecursionError:
        return _TOO_DEEP
    return _TOO_DEEP if _is_deeper(arguments, DEEPEST) else arguments


_TOO_DEEP = "[nested too deeply]"


def _is_deeper(value: object, most: int) -> bool:
    """Whether arrays and objects are nested in more than `most` levels."""
    level = [value]
    for _ in range(most + 1):
        level = [item for one in level for item in _items(one)]
    return bool(level)


def _items(value: object) -> Iterable[object]:
    if is_object(value):
        return value.values()
    return value if is_array(value) else ()
