"""Renewing tokens right: once in a process, once among processes, and nothing is lost.

The order is what makes it right. One flight a key in the process; the store's lock *before*
anything is sent; what is kept is read again under the lock; only then is the token renewed, and
kept if nobody kept a newer one. The lock is never held while the token is used. A flight runs
in a thread of its own, which no cancelled caller can stop between sending and keeping, and for
which no other flight has to wait.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from os import getpid
from threading import Lock, Thread
from typing import TypeAlias

from ..errors import CredentialError
from ..flow import Job
from ..secret import Secret
from ..store import Entry, Key, Store
from .errors import TokenRefused
from .token import Token, dump, parse

Obtain: TypeAlias = Callable[[Token | None], Token]
"""A new token, by refreshing the one that is kept if it can be. Raises `TokenRefused` with the
code `invalid_grant` when the refresh token is no longer good."""

log = logging.getLogger("toolmint.auth")


@dataclass
class Keeper:
    """The tokens of one store, as one process sees them."""

    store: Store
    clock: Callable[[], float]
    _fresh: dict[Key, Token] = field(default_factory=dict[Key, Token], repr=False)
    _unsaved: dict[Key, Token] = field(default_factory=dict[Key, Token], repr=False)
    _flights: dict[tuple[int, Key], "Future[Token]"] = field(
        default_factory=dict[tuple[int, Key], "Future[Token]"], repr=False
    )
    _guard: Lock = field(default_factory=Lock, repr=False)

    def at_hand(self, key: Key, refused: Secret | None) -> Token | None:
        """A token that needs no waiting."""
        return self._usable(self._fresh.get(key), refused)

    def renewal(self, key: Key, refused: Secret | None, obtain: Obtain) -> Job[Token]:
        """Wait for a token that is fresh and not the refused one."""

        def block() -> Token:
            token = self._flight(key, refused, obtain).result()
            if token.access != refused:
                return token
            return self._flight(key, refused, obtain).result()  # that flight knew of no refusal

        async def wait() -> Token:
            token = await _land(self._flight(key, refused, obtain))
            if token.access != refused:
                return token
            return await _land(self._flight(key, refused, obtain))

        return Job(block, wait)

    def adopt(self, key: Key, token: Token) -> None:
        """Keep the token of a new sign-in in place of whatever is kept."""
        with self.store.lock(key):
            kept = self._load(key)
            self._fresh[key] = self._keep(key, token.following(kept))

    def forget(self, key: Key) -> Token | None:
        """Sign out: delete what is kept, and return it so that it can be revoked."""
        with self.store.lock(key):
            kept = self._load(key)
            self.store.delete(key)
            self._fresh.pop(key, None)
            self._unsaved.pop(key, None)
            return kept

    def kept(self, key: Key) -> Token | None:
        """What the store holds."""
        return self._load(key)

    def _usable(self, token: Token | None, refused: Secret | None) -> Token | None:
        if token and token.is_fresh(self.clock()) and token.access != refused:
            return token
        return None

    def _flight(self, key: Key, refused: Secret | None, obtain: Obtain) -> "Future[Token]":
        """The flight under way in this process, or a new one: a fork takes no thread along."""
        with self._guard:
            flight = self._flights.get((getpid(), key))
            if flight is None or flight.done():
                flight = Future[Token]()
                arguments = (flight, key, refused, obtain)
                Thread(target=self._fly, args=arguments, name="toolmint-token").start()
                self._flights[getpid(), key] = flight
            return flight

    def _fly(
        self, flight: "Future[Token]", key: Key, refused: Secret | None, obtain: Obtain
    ) -> None:
        try:
            token = self._renewed(key, refused, obtain)
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            flight.set_exception(error)
            return
        self._fresh[key] = token
        flight.set_result(token)

    def _renewed(self, key: Key, refused: Secret | None, obtain: Obtain) -> Token:
        with self.store.lock(key):
            kept = self._load(key)
            if usable := self._usable(kept, refused):
                return usable
            try:
                return self._keep(key, obtain(kept).following(kept))
            except TokenRefused as refusal:
                if refusal.code != "invalid_grant" or kept is None or kept.refresh is None:
                    raise
            self.store.delete(key, kept.generation)  # and nothing newer
            self._unsaved.pop(key, None)
            newer = self._load(key)
            if usable := self._usable(newer, refused):
                return usable
            token = obtain(None)
            return self._keep(key, token.following(newer or kept))

    def _load(self, key: Key) -> Token | None:
        kept = self._parsed(key, self.store.load(key))
        unsaved = self._unsaved.get(key)
        if unsaved and (kept is None or kept.generation < unsaved.generation):
            return unsaved
        return kept

    def _parsed(self, key: Key, entry: Entry | None) -> Token | None:
        """The token of an entry; what says that it is of another generation is damaged too."""
        if entry is None:
            return None
        token = parse(entry.text)
        if token is None or token.generation != entry.generation:
            log.warning("a stored token is damaged and counts as none")
            self.store.delete(key, entry.generation)
            return None
        return token

    def _keep(self, key: Key, token: Token) -> Token:
        """Save the token unless a newer one was; whatever happens, this process has it."""
        self._unsaved[key] = token
        try:
            while not self._save(key, token):
                continue  # another writer came between: look again whose is newer
            del self._unsaved[key]
        except (OSError, CredentialError) as error:
            log.warning(
                "a renewed token could not be saved (%s): it is kept in memory",
                type(error).__name__,
            )
        return token

    def _save(self, key: Key, token: Token) -> bool:
        entry = self.store.load(key)
        if entry and entry.generation >= token.generation:
            return True
        expected = entry.generation if entry else None
        return self.store.save(key, Entry(token.generation, dump(token)), expected)


async def _land(flight: "Future[Token]") -> Token:
    """Wait for a flight; a cancelled caller leaves it to the others."""
    landing = asyncio.wrap_future(flight)
    landing.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(landing)
