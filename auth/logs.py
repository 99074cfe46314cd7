"""Keeping credentials out of what HTTP libraries log while they send a request of ours.

httpx logs each URL, and with it a key in the query; httpcore logs the headers of answers, in
which a server may repeat what it was sent.
"""

import logging
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache

Hide = Callable[[str], str]

_hide: ContextVar[Hide | None] = ContextVar("toolmint_hide", default=None)
_LOGGERS = tuple(
    f"{library}{part}"
    for library, parts in {
        "httpx": ("",),
        "httpx2": ("",),
        "httpcore": (".connection", ".http11", ".http2", ".proxy", ".socks"),
        "httpcore2": (".connection", ".http11", ".http2", ".proxy", ".socks"),
        "hpack": (".hpack", ".table"),  # of a client with HTTP/2: it logs each header it packs
    }.items()
    for part in parts
)


class hiding:
    """Hide what `hide` knows in the records that HTTP libraries make inside."""

    __slots__ = ("_before", "_hides")

    def __init__(self, hide: Hide) -> None:
        self._hides = hide
        self._before: Hide | None = None

    def __enter__(self) -> None:
        """From here on."""
        _install()
        self._before = _hide.get()
        _hide.set(self._hides)

    def __exit__(self, *_: object) -> None:
        _hide.set(self._before)  # not by a token: a generator may end in another context


@cache
def _install() -> None:
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_hidden)


def _hidden(record: logging.LogRecord) -> bool:
    """Never holds a record back; outside of `hiding` it does not look at it."""
    if hide := _hide.get():
        record.msg, record.args = hide(record.getMessage()), None
    return True
