"""Overlay 1.0 and 1.1: a user's own changes to a description, applied before it is read.

Each action selects nodes by JSONPath (RFC 9535) and merges a value into them, copies another
node into them, or removes them. The description on disk stays as it is.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from ..load import Document, Part, parsed, read
from ..plain import is_array, is_object
from ..pointers import join, tokens
from .addresses import is_url
from .foreign import foreign

_VERSION = re.compile(r"1\.[01](?:\.\d+)?")
_OVERLAY = frozenset(("overlay", "info", "extends", "actions"))
_ACTION = frozenset(("target", "description", "update", "remove", "copy"))

Steps: TypeAlias = tuple[str | int, ...]
"""The keys and indexes on the way to a node."""


@dataclass(slots=True)
class _Tree:
    """A copy of the description that may change, and where each part of it was written."""

    data: Any
    homes: dict[int, str] = field(default_factory=dict[int, str])  # id of a container → pointer
    members: dict[tuple[int, str], str] = field(default_factory=dict[tuple[int, str], str])
    # ^ id of an object and a key of it that an overlay set → pointer
    gone: list[Any] = field(default_factory=list[Any])  # kept, so that no id is used again

    def copied(self, value: Any, pointer: str) -> Any:
        """A copy of a value that stands at a pointer."""
        if is_object(value):
            copy: Any = {key: self.copied(one, join(pointer, key)) for key, one in value.items()}
        elif is_array(value):
            copy = [self.copied(one, join(pointer, index)) for index, one in enumerate(value)]
        else:
            return value
        self.homes[id(copy)] = pointer
        return copy

    def origin(self, pointer: str) -> str:
        """Where what stands at a pointer of the changed description was written."""
        node, found = self.data, ""
        for token in tokens(pointer):
            found = self.homes.get(id(node), found)
            found = self.members.get((id(node), token)) or join(found, token)
            if is_object(node):
                node = node.get(token)
            else:
                node = node[int(token)] if is_array(node) and token.isdecimal() else None
        return self.homes.get(id(node), found)


def overlaid(document: Document, files: Sequence[str], keep: Callable[[Part], str]) -> Document:
    """The description as the overlays change it, in their order.

    `keep` is given each overlay and gives the key that it is known by. Raises InputError that
    names the place in the overlay, for one that cannot be read or applied.
    """
    tree = _Tree(None)
    tree.data = tree.copied(document.data, "")
    for file in files:
        written = parsed(read(file, offline=True))
        overlay = _Overlay(written, keep(written))
        overlay.check(document)
        for number, action in enumerate(overlay.actions()):
            _apply(overlay, tree, action, join("/actions", number))
        if not is_object(tree.data):
            raise written.error("/actions", "nothing is left of the description.")
    return replace(document, data=tree.data, origin=tree.origin)


@dataclass(frozen=True, slots=True)
class _Overlay:
    """An overlay and the key that its places are known by."""

    part: Part
    key: str

    def check(self, document: Document) -> None:
        """Refuse what is no overlay, or one that was made for another file."""
        said = self.part.data
        if not is_object(said) or "overlay" not in said:
            raise self.part.error("", "is no overlay: it has no `overlay: 1.1.0`.")
        if not _VERSION.fullmatch(str(said["overlay"])):
            raise self.part.error(
                "/overlay", f"overlays of version {said['overlay']!r} are not known; use 1.1.0."
            )
        _refuse_unknown(self.part, said, _OVERLAY, "")
        extends = said.get("extends")
        if isinstance(extends, str) and self._names_another(extends, document):
            raise self.part.error(
                "/extends", f"it changes {extends!r}, not {document.file}. Drop one of the two."
            )

    def _names_another(self, extends: str, document: Document) -> bool:
        """Whether `extends` names a file that is there and is another one.

        An address is no proof: the source may be a copy of what is published there.
        """
        if is_url(extends) or is_url(document.file):
            return False
        named = Path(self.part.file).parent / extends
        return named.exists() and not named.samefile(document.file)

    def actions(self) -> Iterator[Mapping[str, Any]]:
        """The actions, each an object with nothing unknown in it."""
        actions = self.part.data.get("actions")
        if not is_array(actions) or not actions:
            raise self.part.error("/actions", "an overlay needs a list of `actions`.")
        for number, action in enumerate(actions):
            place = join("/actions", number)
            if not is_object(action) or not isinstance(action.get("target"), str):
                raise self.part.error(place, "an action is an object with a `target`.")
            _refuse_unknown(self.part, action, _ACTION, place)
            yield action


def _refuse_unknown(part: Part, held: Mapping[str, Any], known: frozenset[str], place: str) -> None:
    for key in held:
        if key not in known and not key.startswith("x-"):
            raise part.error(join(place, key), f"unknown key {key!r}; there are {_listed(known)}.")


def _listed(known: frozenset[str]) -> str:
    return ", ".join(sorted(known))


# ── applying ────────────────────────────────────────────────────────────────────────


def _apply(overlay: _Overlay, tree: _Tree, action: Mapping[str, Any], place: str) -> None:
    part = overlay.part
    selected = _select(part, action["target"], tree.data, join(place, "target"))
    if action.get("remove") is True:
        for steps in sorted(selected, key=_later_first, reverse=True):
            _remove(part, tree, steps, place)
        return
    for steps in selected:
        if "update" in action:
            pointer = foreign(overlay.key, join(place, "update"))
            _update(part, tree, steps, action["update"], pointer, join(place, "update"))
        elif "copy" in action:
            sources = _select(part, action["copy"], tree.data, join(place, "copy"))
            if len(sources) != 1:
                raise part.error(join(place, "copy"), f"it selects {len(sources)} nodes, not one.")
            pointer = foreign(overlay.key, join(place, "copy"))
            value = _at(tree.data, sources[0])
            _update(part, tree, steps, value, pointer, join(place, "copy"))
        else:
            raise part.error(place, "an action needs `update`, `copy` or `remove: true`.")


def _select(part: Part, query: Any, data: Any, place: str) -> list[Steps]:
    """The nodes that a JSONPath selects, each once."""
    import jsonpath_rfc9535 as jsonpath

    if not isinstance(query, str):
        raise part.error(place, "a JSONPath is a text.")
    try:
        found = jsonpath.find(query, data)
    except jsonpath.JSONPathError as error:
        reason = str(error.args[0])  # its text goes on with a picture of the place
        raise part.error(place, f"{query!r} is no JSONPath (RFC 9535): {reason}.") from None
    return list(dict.fromkeys(tuple(node.location) for node in found))


def _later_first(steps: Steps) -> tuple[tuple[int, int, str], ...]:
    """Sorts so that removing one node moves no other that is still to go."""
    return tuple((1, step, "") if isinstance(step, int) else (0, 0, step) for step in steps)


def _at(data: Any, steps: Steps) -> Any:
    for step in steps:
        data = data[step]
    return data


def _remove(part: Part, tree: _Tree, steps: Steps, place: str) -> None:
    if not steps:
        raise part.error(place, "the whole description cannot be removed.")
    holder = _at(tree.data, steps[:-1])
    tree.gone.append(holder[steps[-1]])
    del holder[steps[-1]]


def _update(part: Part, tree: _Tree, steps: Steps, value: Any, pointer: str, place: str) -> None:
    node = _at(tree.data, steps)
    if is_object(node):
        if not is_object(value):
            raise part.error(place, "the target is an object, so the value must be one.")
        _merge(tree, node, value, pointer)
    elif is_array(node):
        _append(tree, node, value, pointer)
    else:
        _set(tree, _at(tree.data, steps[:-1]), steps[-1], value, pointer)


def _merge(tree: _Tree, node: Any, value: Mapping[str, Any], pointer: str) -> None:
    """Objects merge, arrays are joined, anything else is replaced."""
    for key, one in value.items():
        old, below = node.get(key), join(pointer, key)
        if is_object(old) and is_object(one):
            _merge(tree, old, one, below)
        elif is_array(old) and is_array(one):
            _append(tree, old, one, below)
        else:
            _set(tree, node, key, one, below)


def _append(tree: _Tree, node: Any, value: Any, pointer: str) -> None:
    """One entry, or all of a list."""
    copy = tree.copied(value, pointer)
    node.extend(copy if is_array(copy) else [copy])


def _set(tree: _Tree, node: Any, key: str | int, value: Any, pointer: str) -> None:
    if isinstance(key, int) or key in node:
        tree.gone.append(node[key])
    node[key] = tree.copied(value, pointer)
    tree.members[id(node), str(key)] = pointer
