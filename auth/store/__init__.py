"""Where tokens are kept between calls, processes and machines."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, TypeGuard, cast


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

    def dump(self) -> str:
        """The entry as one text, for stores that keep texts."""
        return json.dumps({"generation": self.generation, "text": self.text})

    @classmethod
    def parse(cls, text: str) -> "Entry | None":
        """The entry behind a text that `dump` made; None when it is damaged."""
        data = read_members(text)
        generation, kept = data.get("generation"), data.get("text")
        return (
            cls(generation, kept) if is_whole_number(generation) and isinstance(kept, str) else None
        )


def read_members(text: str) -> Mapping[str, object]:
    """The members of a JSON object; none where it is something else, however deep."""
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], data) if isinstance(data, dict) else {}


def is_whole_number(value: object) -> TypeGuard[int]:
    """Whether it can number a generation."""
    return isinstance(value, int) and not isinstance(value, bool)


class Store(Protocol):
    """Keeps one entry a key; every method may block.

    Each raises `CredentialError` where the place cannot be used; what is kept and damaged counts
    as nothing kept.
    """

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
