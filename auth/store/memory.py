"""Tokens of one process, gone when it ends."""

from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from os import getpid
from threading import Lock

from . import Entry, Key, same_generation


class MemoryStore:
    """Shared by whoever is given the same object."""

    def __init__(self) -> None:
        self._entries: dict[Key, Entry] = {}
        self._renewing: defaultdict[tuple[int, Key], Lock] = defaultdict(Lock)
        self._guard = Lock()

    def __repr__(self) -> str:
        return f"MemoryStore({len(self._entries)} tokens)"

    @contextmanager
    def lock(self, key: Key) -> Generator[None]:
        """See `Store`."""
        with self._guard:
            renewing = self._renewing[getpid(), key]  # a fork would keep one that is held for ever
        with renewing:
            yield

    def load(self, key: Key) -> Entry | None:
        """See `Store`."""
        return self._entries.get(key)

    def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
        """See `Store`."""
        with self._guard:
            if not same_generation(self._entries.get(key), expected):
                return False
            self._entries[key] = entry
            return True

    def delete(self, key: Key, generation: int | None = None) -> bool:
        """See `Store`."""
        with self._guard:
            kept = self._entries.get(key)
            if kept is None or generation not in (None, kept.generation):
                return False
            del self._entries[key]
            return True
