"""Tokens in the system's keyring (`toolmint[keyring]`)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol, TypeVar, cast

from ..errors import CredentialError
from . import Entry, Key, same_generation
from .file import FileStore

T = TypeVar("T")


class Keyring(Protocol):
    """The part of a keyring backend that is used."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


class KeyringStore:
    """Secrets lie in the keyring; only the locks are files, in a `FileStore`'s folder."""

    SERVICE = "toolmint"

    def __init__(self, backend: Keyring | None = None, locks: FileStore | None = None) -> None:
        self._keyring = backend or _system_keyring()
        self._locks = locks or FileStore()

    def __repr__(self) -> str:
        return "KeyringStore()"

    def lock(self, key: Key) -> AbstractContextManager[None]:
        """See `Store`."""
        return self._locks.lock(key)

    def load(self, key: Key) -> Entry | None:
        """See `Store`."""
        text = _asked(partial(self._keyring.get_password, self.SERVICE, key.digest()))
        return None if text is None else Entry.parse(text)

    def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
        """See `Store`."""
        with self._locks.writing(key):
            if not same_generation(self.load(key), expected):
                return False
            named = (self.SERVICE, key.digest(), entry.dump())
            _asked(partial(self._keyring.set_password, *named))
            return True

    def delete(self, key: Key, generation: int | None = None) -> bool:
        """See `Store`."""
        with self._locks.writing(key):
            kept = self.load(key)
            if kept is None or generation not in (None, kept.generation):
                return False
            _asked(partial(self._keyring.delete_password, self.SERVICE, key.digest()))
            return True


def _asked(ask: Callable[[], T]) -> T:
    """What a keyring answers: each fails in its own way, and may show what it was to keep."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001
        failed = CredentialError(f"the keyring cannot be used ({type(error).__name__})")
    raise failed  # out here, where it takes nothing along of the keyring's error


def _system_keyring() -> Keyring:
    try:
        import keyring
    except ImportError:
        raise CredentialError(
            "KeyringStore needs an extra: pip install 'toolmint[keyring]'"
        ) from None
    return cast(Keyring, keyring.get_keyring())
