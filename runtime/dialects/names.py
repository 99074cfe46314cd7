"""Names that a provider takes: of tools, and of their arguments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from hashlib import sha256
from typing import Any

from ..wire.values import is_object
from .export import Undo

ANTHROPIC_ARGUMENT = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
GEMINI_ARGUMENT = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
LONGEST_ARGUMENT = 64
_REFUSED = re.compile(r"[^a-zA-Z0-9_]+")


def taken(names: Iterable[str], rule: re.Pattern[str], longest: int) -> dict[str, str]:
    """Each name → the name that is sent: itself where `rule` matches it whole.

    Others are cleaned and cut to `longest`; one that is taken, or that was cut, gets a hash
    of the name, so that nothing depends on the order of the names. No two are sent alike.
    """
    every = list(dict.fromkeys(names))
    sent = {name: name for name in every if rule.fullmatch(name)}
    cleaned = {name: _cleaned(name) for name in every if name not in sent}
    for name, clean in sorted(cleaned.items()):
        alone = list(cleaned.values()).count(clean) == 1 and clean not in sent.values()
        fits = alone and rule.fullmatch(clean)
        sent[name] = clean if fits else _hashed(name, clean, longest, sent.values())
    return {name: sent[name] for name in every}


def _hashed(name: str, clean: str, longest: int, others: Collection[str]) -> str:
    """What there is room for beside as much of the name's hash as makes it its own."""
    whole = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    tried = (f"{clean[: longest - digits - 1]}_{whole[:digits]}" for digits in range(6, longest))
    return next(made for made in tried if made not in others)


def _cleaned(name: str) -> str:
    clean = _REFUSED.sub("_", name).strip("_") or "x"
    return f"_{clean}" if clean[0].isdigit() else clean


def renamed(
    schema: Mapping[str, Any], rule: re.Pattern[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """A schema whose own members have names that `rule` takes, and what was renamed."""
    members = schema.get("properties", {})
    sent = taken(members, rule, LONGEST_ARGUMENT)
    moved = {name: other for name, other in sent.items() if name != other}
    if not moved:
        return dict(schema), {}
    changed = {**schema, "properties": {sent[name]: child for name, child in members.items()}}
    if "required" in schema:
        changed["required"] = [sent.get(name, name) for name in schema["required"]]
    return changed, moved


def back(moved: Mapping[str, str]) -> Undo | None:
    """Gives members their own names again."""
    if not moved:
        return None
    own = {sent: name for name, sent in moved.items()}

    def undo(value: Any) -> Any:
        if not is_object(value):
            return value
        return {own.get(name, name): item for name, item in value.items()}

    return undo


def own_names(names: AbstractSet[str], given: dict[str, object]) -> dict[str, object]:
    """Arguments under their own names, where they came under those that a provider was sent."""
    every = sorted(names)
    own: dict[str, str] = {}
    for rule in (ANTHROPIC_ARGUMENT, GEMINI_ARGUMENT):
        own |= {sent: name for name, sent in taken(every, rule, LONGEST_ARGUMENT).items()}
    return {
        name if name in names or own.get(name, name) in given else own.get(name, name): value
        for name, value in given.items()
    }
