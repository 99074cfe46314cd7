"""Where tokens are kept between calls, processes and machines."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Key:
    """Whose token: no two authorizations share one."""

    issuer: str
    client: str
    scopes: tuple[str, ...] = ()
    principal: str = ""
    resource: str = ""

    def digest(self) -> str:
        """A name for it that is safe in a file, a keyring and Redis."""
        from hashlib import sha256

        parts = (self.issuer, self.client, " ".join(self.scopes), self.principal, self.resource)
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept under a key: a text full of secrets, and the generation it is of."""

    generation: int
    text: str

    def __repr__(self) -> str:
        return f"Entry(generation {self.generation})"


class Store(Protocol):
    """Keeps one entry a key; every method may block."""

    def lock(self, key: Key) -> AbstractContextManager[None]:
        """Hold the right to renew this key's token, against everyone who shares the store."""
        ...

    def load(self, key: Key) -> Entry | None:
        """What is kept now."""
        ...

    def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
        """Keep the entry if what is kept is of generation `expected` (None: nothing is kept).

        False, with nothing changed, when it is not.
        """
        ...

    def delete(self, key: Key, generation: int | None = None) -> bool:
        """Forget what is kept, if it is of this generation; None: of any."""
        ...


def same_generation(kept: Entry | None, expected: int | None) -> bool:
    """Whether what is kept is what the writer last saw."""
    return (kept.generation if kept else None) == expected
