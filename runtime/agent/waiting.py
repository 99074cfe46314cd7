"""Waiting for tasks that were cancelled, until each of them has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any


async def until_ended(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Wait for all of them; who is cancelled meanwhile is so at the end.

    Left alone, a call would go on after its outcome was told.
    """
    cancelled: asyncio.CancelledError | None = None
    while pending := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(pending)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
