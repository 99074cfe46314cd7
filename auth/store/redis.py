"""Tokens in Redis, for processes of many machines (`toolmint[redis]`)."""

import logging
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from secrets import token_hex
from time import monotonic, sleep
from typing import TYPE_CHECKING

from ..errors import CredentialError
from . import Entry, Key

if TYPE_CHECKING:
    import redis


SOCKET_SECONDS = 5.0
"""How long Redis may say nothing."""

log = logging.getLogger("toolmint.auth")


class RedisStore:
    """Each step is one script that Redis runs alone; a lock outlives its holder by `seconds`.

    That is longer than any token request takes, so no two hold it; should a machine be stopped
    for longer, saving by generation still keeps the newer token.
    """

    SECONDS = 60

    def __init__(self, url: str = "redis://127.0.0.1:6379/0", prefix: str = "toolmint:") -> None:
        self._redis = _connect(url)
        self._prefix = prefix

    def __repr__(self) -> str:
        return "RedisStore()"

    @contextmanager
    def lock(self, key: Key) -> Generator[None]:
        """See `Store`."""
        name, holder = f"{self._prefix}lock:{key.digest()}", token_hex(16)
        deadline = monotonic() + self.SECONDS
        while not self._take(name, holder):
            if monotonic() > deadline:
                raise CredentialError("another process holds the token's lock in Redis: try again")
            sleep(0.02)
        try:
            yield
        finally:
            with suppress(CredentialError), _reported():  # it frees itself in the end
                self._redis.eval(_UNLOCK, 1, name, holder)

    def load(self, key: Key) -> Entry | None:
        """See `Store`."""
        with _reported():
            generation, text = self._redis.hmget(self._name(key), ["generation", "text"])
            if generation is None:
                return None
            if not isinstance(text, str) or not _GENERATION.fullmatch(str(generation)):
                log.warning("what Redis keeps of a token is damaged and counts as none")
                self._redis.delete(self._name(key))  # it would be saved over by nobody
                return None
        return Entry(int(generation), text)

    def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
        """See `Store`."""
        kept = "" if expected is None else str(expected)
        arguments = (kept, str(entry.generation), entry.text)
        with _reported():
            return bool(self._redis.eval(_SAVE, 1, self._name(key), *arguments))

    def delete(self, key: Key, generation: int | None = None) -> bool:
        """See `Store`."""
        wanted = "" if generation is None else str(generation)
        with _reported():
            return bool(self._redis.eval(_DELETE, 1, self._name(key), wanted))

    def _take(self, name: str, holder: str) -> bool:
        with _reported():
            return bool(self._redis.set(name, holder, nx=True, px=self.SECONDS * 1000))

    def _name(self, key: Key) -> str:
        return f"{self._prefix}token:{key.digest()}"


def _connect(url: str) -> "redis.Redis":
    try:
        import redis
    except ImportError:
        raise CredentialError("RedisStore needs an extra: pip install 'toolmint[redis]'") from None
    connect: Callable[..., redis.Redis] = redis.Redis.from_url  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    with suppress(ValueError):  # which may show the password
        return connect(
            url,
            decode_responses=True,
            encoding_errors="replace",
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
        )
    raise CredentialError("the address of the token store is no Redis URL")


@contextmanager
def _reported() -> Generator[None]:
    import redis

    try:
        yield
    except redis.RedisError as error:
        raise CredentialError(f"Redis did not answer ({type(error).__name__})") from None


_GENERATION = re.compile(r"\d{1,18}", re.ASCII)

_UNLOCK = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"
_SAVE = """
if (redis.call('hget', KEYS[1], 'generation') or '') ~= ARGV[1] then return 0 end
redis.call('hset', KEYS[1], 'generation', ARGV[2], 'text', ARGV[3])
return 1
"""
_DELETE = """
local kept = redis.call('hget', KEYS[1], 'generation')
if not kept or (ARGV[1] ~= '' and kept ~= ARGV[1]) then return 0 end
return redis.call('del', KEYS[1])
"""
