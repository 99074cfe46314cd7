"""On whose behalf a call is made, so that tenants in one process never share tokens."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("toolmint_principal", default="")


def principal() -> str:
    """The principal of the running task or thread; "" when none is named."""
    return _current.get()


@contextmanager
def acting_for(name: str) -> Generator[None]:
    """Make the calls inside on behalf of a principal: its stored tokens, and no other's.

    A credential function can ask `principal()`; an OAuth 2 client does so by itself.
    """
    token = _current.set(name)
    try:
        yield
    finally:
        _current.reset(token)
