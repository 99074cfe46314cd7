"""Which calls share a limiter: those with the same origin, credential and group."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock

from ..clock import Clock, SystemClock
from ..operation import RateLimit
from .limiter import LONGEST_WAIT, Limiter

MOST_LIMITERS = 4096


class Limiters:
    """Limiters by origin, credential and group; what was not used for longest goes first.

    Credentials are kept as keyed digests, whose key lives and dies with this object.
    """

    def __init__(self, clock: Clock | None = None, *, longest_wait: float = LONGEST_WAIT) -> None:
        self.clock = clock or SystemClock()
        self.longest_wait = longest_wait
        self._key = secrets.token_bytes(32)
        self._limiters: OrderedDict[tuple[str, bytes, str], Limiter] = OrderedDict()
        self._lock = Lock()

    def get(
        self,
        origin: str,
        credential: str = "",
        group: str = "",
        limits: Iterable[RateLimit] = (),
    ) -> Limiter:
        """The limiter of a credential (any text that is equal for equal credentials).

        `limits` join those it already keeps to.
        """
        blurred = hashlib.blake2b(credential.encode(), key=self._key, digest_size=16).digest()
        key = (origin.lower(), blurred, group)
        with self._lock:
            limiter = self._limiters.get(key)
            if limiter is None:
                limiter = Limiter(self.clock, longest_wait=self.longest_wait)
                self._limiters[key] = limiter
            self._limiters.move_to_end(key)
            if len(self._limiters) > MOST_LIMITERS:
                self._limiters.popitem(last=False)
        for limit in limits:
            limiter.add(limit)
        return limiter


@lru_cache(maxsize=1)
def shared() -> Limiters:
    """The limiters of this process: every package with the same credential meets here."""
    return Limiters()
