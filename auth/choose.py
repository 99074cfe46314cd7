"""Which of the alternatives that an operation accepts is used: OpenAPI's OR of ANDs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

Security: TypeAlias = Sequence[Mapping[str, Sequence[str]]]
"""`[{"tenantKey": [], "userToken": []}, {"legacy": []}]`: scheme names with their scopes."""

Alternative: TypeAlias = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Absent:
    """A credential that is not there, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """No alternative is complete: for each in order, the credentials it lacks."""

    alternatives: tuple[tuple[Absent, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The scheme names that are missing, each once."""
        return tuple(dict.fromkeys(absent.name for part in self.alternatives for absent in part))

    @property
    def message(self) -> str:
        """What is missing and the way out, in one line."""
        ways = (
            " and ".join(f"{absent.name} ({absent.reason})" for absent in part)
            for part in self.alternatives
        )
        return f"missing credentials: {', or '.join(ways)}"


Found = TypeVar("Found")


def choose(
    security: Security, look_up: Callable[[str], Found | Absent]
) -> dict[str, tuple[Found, tuple[str, ...]]] | Missing:
    """The first alternative, in document order, whose credentials are all there.

    The result maps scheme names to what was found and the scopes asked for; it is empty when
    nothing is to be sent. `{}` is the last resort; an empty list accepts no credential at all.
    """
    known: dict[str, Found | Absent] = {}
    lacking: list[tuple[Absent, ...]] = []
    for alternative in filter(None, security):
        for name in alternative:
            if name not in known:
                known[name] = look_up(name)
        outcome = _complete(alternative, known)
        if not isinstance(outcome, tuple):
            return outcome
        lacking.append(outcome)
    if not security or any(not alternative for alternative in security):
        return {}
    return Missing(tuple(lacking))


def _complete(
    alternative: Alternative, known: Mapping[str, Found | Absent]
) -> dict[str, tuple[Found, tuple[str, ...]]] | tuple[Absent, ...]:
    found: dict[str, tuple[Found, tuple[str, ...]]] = {}
    absent: list[Absent] = []
    for name, scopes in alternative.items():
        value = known[name]
        if isinstance(value, Absent):
            absent.append(value)
        else:
            found[name] = (value, tuple(scopes))
    return tuple(absent) if absent else found
