"""Names of shared schemas, and which of them the operations still reach."""

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...plain import as_object
from ...pointers import join, tokens
from ...reading.foreign import split

PREFIX = "#/$defs/"

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_STRUCTURE = frozenset(
    (
        *("components", "paths", "responses", "content", "schema", "schemas", "properties"),
        *("items", "requestBody", "requestBodies", "parameters", "$defs", "definitions"),
        "headers",
    )
)
"""Words of a pointer that say what kind of thing it passes, not which one."""


class Names:
    """Pointer → definition name: a component's own, or one made of the pointer's last words."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._taken = _component_names(root)
        self._names = {pointer: name for name, pointer in self._taken.items()}

    def name(self, pointer: str) -> str:
        """The name for the schema at a pointer; the same pointer always gets the same one."""
        known = self._names.get(pointer)
        if known is None:
            known = self._new(pointer)
            self._names[pointer] = known
            self._taken[known] = pointer
        return known

    def pointer(self, name: str) -> str:
        """Where the schema of a definition stands; "" for a name that nobody was given."""
        return self._taken.get(name, "")

    def _new(self, pointer: str) -> str:
        home, below = split(pointer)
        words = [
            token for token in tokens(below) if token not in _STRUCTURE and not token.isdecimal()
        ]
        if home and not words:  # a file that is a schema
            words = [posixpath.basename(home).partition(".")[0]]
        name = _UNFIT.sub("_", ".".join(words[-2:])).strip("._") or "schema"
        return name if name not in self._taken else f"{name}_{_hash(pointer)}"


def _component_names(root: Mapping[str, Any]) -> dict[str, str]:
    """Definition name → pointer of each schema under `components`, or `definitions` (2.0).

    A name that fits stays; of those that become the same by cleaning each gets a hash.
    """
    schemas = as_object(as_object(root.get("components")).get("schemas"))
    home = "/components/schemas" if schemas else "/definitions"
    keys = sorted(schemas or as_object(root.get("definitions")))
    cleaned = {key: _UNFIT.sub("_", key) or "schema" for key in keys}
    uses = Counter(cleaned.values())
    names: dict[str, str] = {}
    for key in keys:
        pointer = join(home, key)
        alone = cleaned[key] == key or uses[cleaned[key]] == 1
        names[cleaned[key] if alone else f"{cleaned[key]}_{_hash(pointer)}"] = pointer
    return names


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]
