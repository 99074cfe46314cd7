"""The Rule of Two: a run may have two of three powers by itself, never all three unasked.

Untrusted: it has read text that others wrote. Sensitive: it has read data of people, money or
secrets. Changes: it has changed state or sent something out. Whoever has all three can be
talked into sending secrets away. (Meta, "Agents Rule of Two", 2025.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from ..operation import Effects, Gate

Power: TypeAlias = Literal["untrusted", "sensitive", "changes"]
ALL: frozenset[Power] = frozenset(("untrusted", "sensitive", "changes"))

_WORDS: dict[Power, str] = {
    "untrusted": "reads text written by others",
    "sensitive": "reads data of people, money or secrets",
    "changes": "changes something or sends it out",
}


def powers(effects: Effects, gate: Gate) -> frozenset[Power]:
    """What a call of a tool would add to a run."""
    found: set[Power] = set(gate.reads)
    if effects.consequential:
        found.add("changes")
    return frozenset(found)


def completes(held: Iterable[Power], added: frozenset[Power]) -> bool:
    """Whether a call would be the one that brings all three together."""
    before = frozenset(held)
    return before != ALL and before | added == ALL


def reason(held: Iterable[Power], added: frozenset[Power]) -> str:
    """Why such a call is asked about."""
    new = [_WORDS[power] for power in sorted(added - frozenset(held))]
    old = [_WORDS[power].replace("reads", "has read", 1) for power in sorted(frozenset(held))]
    old = [
        text.replace("changes something or sends", "has changed something or sent", 1)
        for text in old
    ]
    return f"it {' and '.join(new)}, and this run already {' and '.join(old)}"
