"""References where the standard has none: people split `paths`, lists and operations into files.

Tools that put such files together follow a `$ref` wherever it stands, so authors rely on it.
"""

from collections.abc import Collection, Mapping
from typing import Any

from ...plain import is_object
from ...pointers import Place
from ...reading.foreign import home_of
from .foreign_parts import rebased
from .methods import METHODS
from .references import BrokenReference, References

_LONGEST_CHAIN = 20
_OF_DOCUMENTS = frozenset(("info", "servers", "tags", "security", "paths"))
_OF_ITEMS = frozenset(("parameters", "servers"))
_OF_OPERATIONS = frozenset(
    ("parameters", "responses", "servers", "tags", "security", "consumes", "produces")
)
_OPERATIONS = frozenset((*METHODS, "query"))


def taken_in(data: Mapping[str, Any], references: References) -> Mapping[str, Any]:
    """The document with what such references name in their place; itself where there are none."""
    document = _with(references, data, _OF_DOCUMENTS, "")
    paths = document.get("paths")
    if not is_object(paths):
        return document
    items = {path: _item(references, paths[path], ("/paths", path)) for path in paths}
    same = all(items[path] is paths[path] for path in paths)
    return document if same else {**document, "paths": items}


def _item(references: References, item: Any, place: Place) -> Any:
    if not is_object(item) or "$ref" in item:
        return item
    taken = _with(references, item, _OF_ITEMS, place)
    operations = {
        key: _operation(references, taken[key], (place, key))
        for key in taken
        if key.lower() in _OPERATIONS
    }
    same = all(operations[key] is taken[key] for key in operations)
    return taken if same else {**taken, **operations}


def _operation(references: References, operation: Any, place: Place) -> Any:
    target = _target(references, operation, place)
    return _with(references, target, _OF_OPERATIONS, place) if is_object(target) else operation


def _with(
    references: References, holder: Mapping[str, Any], keys: Collection[str], place: Place
) -> Mapping[str, Any]:
    taken = {key: _target(references, holder[key], (place, key)) for key in holder if key in keys}
    same = all(taken[key] is holder[key] for key in taken)
    return holder if same else {**holder, **taken}


def _target(references: References, value: Any, place: Place) -> Any:
    """What a bare reference names, in words that hold in the description; anything else itself."""
    target, at = value, place
    for _ in range(_LONGEST_CHAIN):
        reference = target.get("$ref") if is_object(target) and len(target) == 1 else None
        if not isinstance(reference, str):
            break
        try:
            found = references.resolve(reference, at)
        except BrokenReference:  # told where it is read
            return value
        target, at = found.value, found.pointer
    home = home_of(at)
    return rebased(target, home) if home else target
