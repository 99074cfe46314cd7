"""One private event loop in a thread of its own, for callers that do not await."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Coroutine
    from concurrent.futures import Future

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the private loop, and return or raise what it does.

    Safe from any thread, whether or not an event loop runs there. The caller's context
    variables are seen. An interrupt (Ctrl-C) cancels the coroutine.
    """
    if _owner is threading.current_thread():
        coroutine.close()
        raise RuntimeError(".run() was used on toolmint's own event loop: await the call instead")
    future = submit(coroutine)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def submit(coroutine: Coroutine[Any, Any, T]) -> Future[T]:
    """Start a coroutine on the private loop."""
    import asyncio

    return asyncio.run_coroutine_threadsafe(coroutine, _started())


def current() -> AbstractEventLoop | None:
    """The private loop, once it was needed."""
    return _loop


_lock = threading.Lock()
_loop: AbstractEventLoop | None = None
_owner: threading.Thread | None = None


def _started() -> AbstractEventLoop:
    global _loop, _owner
    with _lock:
        if _loop is None:
            import asyncio
            import atexit

            _loop = asyncio.new_event_loop()
            _owner = threading.Thread(target=_loop.run_forever, name="toolmint", daemon=True)
            _owner.start()
            atexit.register(_stop)
        return _loop


def _stop() -> None:
    """End the thread before the interpreter takes its modules away."""
    loop, owner = _loop, _owner
    if loop is not None and owner is not None and owner.is_alive():
        loop.call_soon_threadsafe(loop.stop)
        owner.join(timeout=1)


def _forget() -> None:
    """A forked child has no threads but its own, so it starts a loop of its own."""
    global _lock, _loop, _owner
    _lock, _loop, _owner = threading.Lock(), None, None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
