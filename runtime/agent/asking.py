"""Asking a model: its answer at once or as it is written, within the time that a run has left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from .conversation import Delta, ModelRequest, ModelResponse

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
            yield await asyncio.wait_for(model.respond(request), breaker.seconds_left())
            return
        stream = cast("AsyncGenerator[Delta | ModelResponse]", model.stream(request))
        async with aclosing(stream) as parts:
            while True:
                try:
                    part = await asyncio.wait_for(anext(parts), breaker.seconds_left())
                except StopAsyncIteration:
                    return
                yield part
    except TimeoutError:
        if breaker.seconds_left() != 0:
            raise  # the model's own
        breaker.out_of_time()
