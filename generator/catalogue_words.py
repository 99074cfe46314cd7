"""The words of a catalogue: what a call does, and what must happen before it.

A package's README and `toolmint tools` say the same.
"""

from collections.abc import Callable

from ..runtime.operation import Effects, Gate


def effect(effects: Effects) -> str:
    """What a call does, in one word."""
    if effects.destructive:
        return "destroys"
    return "reads" if effects.read_only else "writes"


def effect_and_readings(effects: Effects, gate: Gate) -> str:
    """What a call does, and what it brings in: others' text (untrusted), sensitive data."""
    return effect(effects) + (f" ({', '.join(gate.reads)})" if gate.reads else "")


def conditions(effects: Effects, gate: Gate, spelled: Callable[[str], str] = str) -> str:
    """Before a call: a person is asked, other tools have run, or had better; "" for nothing."""
    said = ["asks"] if gate.asks(effects) else []
    said += [f"after {spelled(name)}" for name in gate.requires]
    said += [f"best after {spelled(name)}" for name in gate.suggested]
    return ", ".join(said)
