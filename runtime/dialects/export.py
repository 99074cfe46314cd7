"""What a provider is sent of tools, what had to change for it, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, cast

from ..agent.conversation import Arguments
from ..edge.arguments import read_arguments
from ..operation import Effects

Undo: TypeAlias = Callable[[Any], Any]
"""Makes a value as its own schema has it of one that answers the schema sent."""


class Described(Protocol):
    """What is told of a tool, be it an operation's or a helper."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def advertised_schema(self) -> dict[str, Any]: ...
    @property
    def effects(self) -> Effects: ...


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that an export did to a tool; `tool` is empty when it is about all of them.

    `pointers` (RFC 6901, into the advertised schema) are the places, where there are any.
    """

    tool: str
    text: str
    pointers: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = f"{self.tool}: {self.text}" if self.tool else self.text
        if not any(self.pointers):
            return told
        shown = ", ".join(self.pointers[:_SHOWN])
        more = len(self.pointers) - _SHOWN
        return f"{told}: {shown}" + (f" and {more} more" if more > 0 else "")


_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Export:
    """Tools as one provider takes them. `payload` is what goes into a request as `tools`."""

    payload: list[dict[str, Any]]
    changes: tuple[Change, ...] = ()
    _sent: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    _undo: Mapping[str, Undo] = field(default_factory=dict[str, Undo], repr=False)

    def restore(self, name: str, arguments: Arguments) -> tuple[str, Arguments]:
        """The tool's own name, and the arguments as its own schema has them.

        What is no tool of this export, and a text that is no JSON object, stay as they are.
        """
        own = next((own for own, sent in self._sent.items() if sent == name), name)
        undo = self._undo.get(own)
        try:
            given = read_arguments(arguments)
        except ValueError:
            return own, arguments
        return own, given if undo is None else cast("Mapping[str, Any]", undo(given))

    def sent_name(self, name: str) -> str:
        """What the provider knows a tool as."""
        return self._sent.get(name, name)


class Changes:
    """Collects what was done, one entry for each tool and kind of change."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[str]] = {}

    def add(self, tool: str, text: str, pointer: str | None = None) -> None:
        """Note a change, at a place or for the whole tool."""
        places = self._found.setdefault((tool, text), [])
        if pointer is not None and pointer not in places:
            places.append(pointer)

    def extend(self, others: Changes) -> None:
        """Note all of another collection."""
        for (tool, text), places in others._found.items():
            self._found.setdefault((tool, text), []).extend(places)

    def all(self) -> tuple[Change, ...]:
        """In the order of their first mention."""
        return tuple(
            Change(tool, text, tuple(places)) for (tool, text), places in self._found.items()
        )


def then(first: Undo | None, second: Undo | None) -> Undo | None:
    """Both, one after the other; None where there is nothing to undo."""
    if first is None or second is None:
        return first or second
    return lambda value: second(first(value))


def consequential_first(tools: Sequence[Described]) -> list[Described]:
    """The order in which a budget of strict tools is spent: a wrong write costs more."""
    return sorted(tools, key=lambda tool: tool.effects.pure)
