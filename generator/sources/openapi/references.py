"""Following `$ref`: the one place that decides what a reference may reach."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...load import Document
from ...plain import is_object, kind
from ...pointers import MISSING, Place, fragment_tokens, join, step, tokens
from ...reading.addresses import joined
from ...reading.foreign import foreign, home_of, shown, within
from ...reading.library import Library, OutOfReach
from .identities import Identities

_LONGEST_CHAIN = 50


class BrokenReference(Exception):
    """A reference that leads nowhere, or where it may not; the text says which."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference names, and the pointer of that (the same however it was spelled)."""

    value: Any
    pointer: str


class References:
    """References of a description. Other documents are opened by its library only."""

    def __init__(self, document: Document, library: Library | None = None) -> None:
        self._library = library
        self._documents: dict[str, Any] = {"": document.data}
        self._own_names = _own_names(document)
        self._known: dict[str, Target] = {}
        self._followed: set[str] = set()  # references that are being resolved
        self._identities: dict[str, Identities] = {}
        self._base = document.address or document.file

    def resolve(self, reference: str, place: Place) -> Target:
        """The target of a reference that stands at `place`. Raises BrokenReference."""
        key = self.key(reference, place)
        target = self._known.get(key)
        if target is None:
            target, everywhere = self._resolve(reference, place)
            if everywhere:
                self._known[key] = target
        return target

    def key(self, reference: str, place: Place) -> str:
        """What a reference is known by: its text, and the document that it stands in."""
        if len(self._documents) == 1:
            return reference
        home = home_of(place)
        return f"{home}\0{reference}" if home else reference

    def is_settled(self, key: str) -> bool:
        """Whether a resolved reference means the same wherever in its document it stands."""
        return key in self._known

    def at(self, pointer: str) -> Target:
        """What a target's pointer names."""
        path = tokens(pointer)
        home = home_of(pointer)
        target = self._at(home, path[2:] if home else path)
        if target is None:
            raise BrokenReference(f"nothing is at {shown(pointer)!r}")
        return target

    def follow(self, node: Any, place: Place) -> tuple[Mapping[str, Any], Place]:
        """The OpenAPI object a node is or refers to, and where that stands.

        `summary` and `description` beside a `$ref` win over the target's (OpenAPI 3.1,
        Reference Object). Raises BrokenReference.
        """
        beside: dict[str, Any] = {}
        reference: Any = None
        for _ in range(_LONGEST_CHAIN):
            if not is_object(node):
                raise BrokenReference("it is no object")
            reference = node.get("$ref")
            if not isinstance(reference, str):
                if len(node) == 1 and "$ref" in node:  # `$ref: #/…`, a comment for YAML
                    raise BrokenReference(f"`$ref` is {kind(reference)}")
                return ({**node, **beside} if beside else node), place
            for key in ("summary", "description"):
                if isinstance(node.get(key), str):
                    beside.setdefault(key, node[key])
            target = self.resolve(reference, place)
            node, place = target.value, target.pointer
        raise BrokenReference(f"it refers to itself through {reference!r}")

    def _resolve(self, reference: str, place: Place) -> tuple[Target, bool]:
        """The target, and whether the reference means the same everywhere in its document."""
        document, _, fragment = reference.partition("#")
        home = home_of(place)
        if document and not (home == "" and document in self._own_names):
            identities = self._identities_of(home)
            identified = self._at_pointer(home, identities.find(reference, place))
            if identified is not None:
                return identified, not identities.nested
            home, place = self._open(document, home), ""
        if fragment and not fragment.startswith("/"):
            identities = self._identities_of(home)
            identified = self._at_pointer(home, identities.find(f"#{fragment}", place))
            if identified is None:
                raise BrokenReference(f"nothing in the document is called {reference!r}")
            return identified, True
        target = self._at(home, fragment_tokens(fragment)) or self._at(home, tokens(fragment))
        if target is not None:
            return target, True
        for base in _enclosing_schemas(place):
            target = self._at(home, (*base, *fragment_tokens(fragment)))
            if target is not None:
                return target, False
        raise BrokenReference(f"{reference!r} names nothing in the document")

    def _open(self, document: str, home: str) -> str:
        if self._library is None:
            raise BrokenReference(f"{document!r} is in another document, which is not read")
        try:
            key = self._library.open(document, home)
        except OutOfReach as refusal:
            raise BrokenReference(str(refusal)) from None
        if key not in self._documents:
            self._documents[key] = self._library.parts[key].data
        return key

    def _at(self, home: str, path: tuple[str, ...]) -> Target | None:
        """The node at a path of a document; references on the way are followed."""
        node: Any = self._documents[home]
        pointer = foreign(home) if home else ""
        for number, token in enumerate(path):
            child = step(node, token)
            if child is MISSING:
                reference = step(node, "$ref")
                if not isinstance(reference, str) or number > _LONGEST_CHAIN:
                    return None
                through = self._safely(reference, pointer)
                child = MISSING if through is None else step(through.value, token)
                if through is None or child is MISSING:
                    return None
                pointer = through.pointer
            node, pointer = child, join(pointer, token)
        return Target(node, pointer)

    def _at_pointer(self, home: str, pointer: str | None) -> Target | None:
        return None if pointer is None else self._at(home, tokens(pointer))

    def _safely(self, reference: str, place: Place) -> Target | None:
        key = self.key(reference, place)
        if key in self._followed:
            return None
        self._followed.add(key)
        try:
            return self.resolve(reference, place)
        except BrokenReference:
            return None
        finally:
            self._followed.discard(key)

    def _identities_of(self, home: str) -> Identities:
        known = self._identities.get(home)
        if known is None:
            base = home or self._base
            known = self._identities[home] = Identities(self._documents[home], base)
        return known


def _own_names(document: Document) -> frozenset[str]:
    """How the document may call itself: its address, its file's name, `$self` (3.2)."""
    own = document.data.get("$self")
    names = [document.file.replace("\\", "/").rpartition("/")[2], document.address, own]
    if isinstance(own, str) and document.address:
        names.append(joined(document.address, own))
    named = [name for name in names if isinstance(name, str) and name]
    return frozenset([*named, *(f"./{name}" for name in named)])


def _enclosing_schemas(place: Place) -> Iterator[tuple[str, ...]]:
    """The schemas a place lies in, nearest first: a `$defs` of theirs may be meant."""
    path = within(place)
    for length in range(len(path), 0, -1):
        yield path[:length]
