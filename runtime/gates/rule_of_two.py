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

_ADDS: dict[Power, str] = {
    "untrusted": "would read text written by others",
    "sensitive": "would read data of people, money or secrets",
    "changes": "would change something or send it out",
}
_HAS: dict[Power, str] = {
    "untrusted": "read text written by others",
    "sensitive": "read data of people, money or secrets",
    "changes": "changed something or sent it out",
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
    before = frozenset(held)
    new = " and ".join(_ADDS[power] for power in sorted(added - before))
    return f"it {new}, in a run that has {' and '.join(_HAS[power] for power in sorted(before))}"
