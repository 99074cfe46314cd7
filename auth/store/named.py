"""Stores by the words that a command line or an environment variable holds."""

from collections.abc import Mapping

from ..errors import CredentialError
from . import Store

VARIABLE = "TOOLMINT_TOKEN_STORE"
"""The environment variable that says where tokens are kept."""

KNOWN = "file, file:FOLDER, keyring, memory, redis://HOST:PORT/0"


def store_named(text: str) -> Store:
    """The store of a name or URL; "" is the user's own `FileStore`.

    Raises `CredentialError`, without the text, which may hold a password.
    """
    kind, _, rest = text.partition(":")
    match kind:
        case "" | "file":
            from .file import FileStore

            return FileStore(rest or None)
        case "keyring" if not rest:
            from .keyring import KeyringStore

            return KeyringStore()
        case "memory" if not rest:
            from .memory import MemoryStore

            return MemoryStore()
        case "redis" | "rediss" | "unix":
            from .redis import RedisStore

            return RedisStore(text)
        case _:
            raise CredentialError(f"there is no such token store. Known: {KNOWN}")


def store_of(environ: Mapping[str, str]) -> Store:
    """The store that the environment names."""
    try:
        return store_named(environ.get(VARIABLE, ""))
    except CredentialError as error:
        raise CredentialError(f"{VARIABLE}: {error}") from None
