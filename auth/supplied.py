"""Credentials that a function of the user's hands over at each call."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from .apply import apply
from .errors import CredentialError
from .flow import Flow, Job, perform
from .held import secret_for
from .request import Answer, Outgoing
from .schemes import Scheme
from .secret import Secret
from .sources import Pair, Supplied, Supplier, Unavailable, is_pair


def is_async(supplier: Supplier) -> bool:
    """Whether the function is declared as a coroutine."""
    call = getattr(supplier, "__call__", None)  # noqa: B004 - an object whose __call__ is async
    return inspect.iscoroutinefunction(supplier) or inspect.iscoroutinefunction(call)


def ask(supplier: Supplier, scheme: Scheme) -> Secret | Pair | None:
    """What the function gives, or None when it turns out to be asynchronous."""
    if is_async(supplier):
        return None
    value = _called(supplier)
    if not isinstance(value, Awaitable):
        return _secret(scheme, value)
    if inspect.iscoroutine(value):
        value.close()
    return None


def supplied(supplier: Supplier, scheme: Scheme) -> Flow[Secret | Pair]:
    """What the function gives, in the form the scheme works with."""
    value = yield from perform(Job(partial(_block, supplier), partial(_wait, supplier)))
    return _secret(scheme, value)


@dataclass
class SuppliedProof:
    """Calls the function before a request, and after a 401 once more in case it knows better."""

    scheme: Scheme
    supplier: Supplier
    learn: Callable[[Secret | Pair], None]
    sent: Secret | Pair | None = None

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        """The request with what the function gave."""
        self.sent = yield from supplied(self.supplier, self.scheme)
        self.learn(self.sent)
        return apply(self.scheme, self.sent, request)

    def again(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        """The request with another value, if a 401 came and the function now gives one."""
        refused = self.sent
        if answer.status != 401 or refused is None:
            return None
        signed = yield from self.sign(request)
        return signed if self.sent != refused else None


def _secret(scheme: Scheme, value: object) -> Secret | Pair:
    if value is None:
        raise Unavailable("the function gave nothing")
    if is_pair(value) or isinstance(value, str | Secret):
        return secret_for(scheme, value, {})
    raise CredentialError(f"the function gave {type(value).__name__}, not a text")


async def _wait(supplier: Supplier) -> Supplied:
    """Call the function off the event loop unless it is asynchronous: it may well block."""
    if is_async(supplier):
        value = _called(supplier)
    else:
        from asyncio import to_thread

        value = await to_thread(_called, supplier)
    return await _awaited(value) if isinstance(value, Awaitable) else value


def _block(supplier: Supplier) -> Supplied:
    """Call the function from a blocking client; a coroutine runs in an event loop of its own."""
    value = _called(supplier)
    if not isinstance(value, Awaitable):
        return value
    from asyncio import run
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import copy_context

    context = copy_context()  # in which the function may ask for its `principal()`
    with ThreadPoolExecutor(1) as own_thread:  # the caller's thread may have a running loop
        return own_thread.submit(context.run, run, _awaited(value)).result()


def _called(supplier: Supplier) -> Supplied | Awaitable[Supplied]:
    """What the function gives, or its failure without its words, which may hold the secret."""
    try:
        return supplier()
    except CredentialError:
        raise
    except Exception as error:  # noqa: BLE001 - a user's function may raise anything
        failed = _failed(error)
    raise failed  # out here, where it takes nothing along of the function's error


async def _awaited(value: Awaitable[Supplied]) -> Supplied:
    """As `_called`, for what an asynchronous function gives."""
    try:
        return await value
    except CredentialError:
        raise
    except Exception as error:  # noqa: BLE001
        failed = _failed(error)
    raise failed


def _failed(error: Exception) -> CredentialError:
    """The kind of a function's failure and where it was."""
    failed = CredentialError(f"the function failed: {_told(error)}")
    failed.retryable = True
    return failed


def _told(error: Exception) -> str:
    """Where it happened; what we raised ourselves, under it, is told in our words."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    module = str(at.tb_frame.f_globals.get("__name__")) if at else ""
    if module.partition(".")[0] == __name__.partition(".")[0]:
        return str(error)
    return f"{type(error).__name__} at {module}:{at.tb_lineno}" if at else type(error).__name__
