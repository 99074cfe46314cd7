"""Class names of models: stable under reordering, unique, and clear of what models.py imports."""

import keyword
from collections import Counter
from collections.abc import Mapping
from functools import cache
from hashlib import sha256

from ...mentions import mentioned
from ...model.api import Definitions
from ...words import words

RESERVED = frozenset({"Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict", "Union"})
_LONGEST = 60


@cache
def camel(text: str) -> str:
    """The words of a text as one CamelCase name; "" when it has none."""
    return "".join(word[0].upper() + word[1:] for word in words(text))


def definition_names(definitions: Definitions) -> dict[str, str]:
    """Class names of all definitions, by key: `NAME`, and `NAME input` where the sides differ."""
    proposed: dict[str, str] = {}
    for name in sorted(definitions.input.keys() | definitions.output.keys()):
        proposed[name] = class_stem(name)
    for name in differing(definitions):
        proposed[f"{name} input"] = f"{class_stem(name)}Input"
    return unique(proposed, frozenset())


def class_stem(name: str) -> str:
    """A definition's name as a class name."""
    stem = camel(name) or "Model"
    stem = stem if stem.isidentifier() else f"Model{stem}"
    return f"{stem}Model" if stem in RESERVED or keyword.iskeyword(stem) else stem


def unique(proposed: Mapping[str, str], taken: frozenset[str]) -> dict[str, str]:
    """Key → name: every member of a colliding group, and every long name, gets a hash of its key."""
    counts = Counter(proposed.values())
    return {
        key: name
        if counts[name] == 1 and len(name) <= _LONGEST and name not in taken
        else f"{name[: _LONGEST - 7]}_{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
        for key, name in proposed.items()
    }


def differing(definitions: Definitions) -> set[str]:
    """Definitions that mean one thing in a request and another in a result, also by what they hold."""
    both = definitions.input.keys() & definitions.output.keys()
    found = {name for name in both if definitions.input[name] != definitions.output[name]}
    if not found:
        return found
    holders: dict[str, set[str]] = {}
    for name in both:
        for reference in mentioned(definitions.input[name]):
            holders.setdefault(reference, set()).add(name)
    waiting = list(found)
    while waiting:
        for holder in holders.get(waiting.pop(), set()) - found:
            found.add(holder)
            waiting.append(holder)
    return found
