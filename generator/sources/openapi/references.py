"""Following `$ref`: the one place that decides what a reference may reach."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urljoin

from ...load import Document
from ...plain import is_array, is_object
from ...pointers import MISSING, Place, fragment_tokens, join, step, tokens, written

_LONGEST_CHAIN = 50


class BrokenReference(Exception):
    """A reference that leads nowhere, or where it may not; the text says which."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference names, and the pointer of that (the same however it was spelled)."""

    value: Any
    pointer: str


class References:
    """References of one document. Nothing is requested and no file is read."""

    def __init__(self, document: Document) -> None:
        self._root = document.data
        self._own_names = _own_names(document)
        self._known: dict[str, Target] = {}
        self._followed: set[str] = set()  # references that are being resolved
        self._identified: dict[str, str] | None = None

    def resolve(self, reference: str, place: Place) -> Target:
        """The target of a reference that stands at `place`. Raises BrokenReference."""
        target = self._known.get(reference)
        if target is None:
            target, everywhere = self._resolve(reference, place)
            if everywhere:
                self._known[reference] = target
        return target

    def is_settled(self, reference: str) -> bool:
        """Whether a resolved reference means the same wherever it stands."""
        return reference in self._known

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
                return ({**node, **beside} if beside else node), place
            for key in ("summary", "description"):
                if isinstance(node.get(key), str):
                    beside.setdefault(key, node[key])
            target = self.resolve(reference, place)
            node, place = target.value, target.pointer
        raise BrokenReference(f"it refers to itself through {reference!r}")

    def _resolve(self, reference: str, place: Place) -> tuple[Target, bool]:
        """The target, and whether the reference means the same everywhere in the document."""
        document, _, fragment = reference.partition("#")
        if document and document not in self._own_names:
            identified = self._by_identity(reference)
            if identified is None:
                raise BrokenReference(
                    f"{reference!r} is in another document, which is not read; bundle the "
                    "description into one file"
                )
            return identified, True
        if fragment and not fragment.startswith("/"):
            identified = self._by_identity(f"#{fragment}")
            if identified is None:
                raise BrokenReference(f"nothing in the document is called {reference!r}")
            return identified, True
        target = self._at(fragment_tokens(fragment)) or self._at(tokens(fragment))
        if target is not None:
            return target, True
        for base in _enclosing_schemas(place):
            target = self._at((*base, *fragment_tokens(fragment)))
            if target is not None:
                return target, False
        raise BrokenReference(f"{reference!r} names nothing in the document")

    def _at(self, path: tuple[str, ...]) -> Target | None:
        """The node at a path; references on the way are followed."""
        node: Any = self._root
        pointer = ""
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

    def _safely(self, reference: str, place: Place) -> Target | None:
        if reference in self._followed:
            return None
        self._followed.add(reference)
        try:
            return self.resolve(reference, place)
        except BrokenReference:
            return None
        finally:
            self._followed.discard(reference)

    def _by_identity(self, reference: str) -> Target | None:
        """The schema whose `$id`, `$anchor` or `$dynamicAnchor` is the reference."""
        if self._identified is None:
            self._identified = dict(_identities(self._root))
        base, _, fragment = reference.partition("#")
        pointer = self._identified.get(reference)
        if pointer is None and base in self._identified and fragment.startswith("/"):
            pointer = self._identified[base] + unquote(fragment)
        return None if pointer is None else self._at(tokens(pointer))


def _own_names(document: Document) -> frozenset[str]:
    """How the document may call itself: its address, its file's name, `$self` (3.2)."""
    own = document.data.get("$self")
    names = [document.file.replace("\\", "/").rpartition("/")[2], document.address, own]
    if isinstance(own, str) and document.address:
        names.append(urljoin(document.address, own))
    named = [name for name in names if isinstance(name, str) and name]
    return frozenset([*named, *(f"./{name}" for name in named)])


def _enclosing_schemas(place: Place) -> Iterator[tuple[str, ...]]:
    """The schemas a place lies in, nearest first: a `$defs` of theirs may be meant."""
    path = tokens(written(place))
    for length in range(len(path), 0, -1):
        yield path[:length]


def _identities(root: Any) -> Iterator[tuple[str, str]]:
    """Every name that a schema gives itself, with its pointer; the first one keeps a name."""
    found: dict[str, str] = {}
    stack: list[tuple[Any, str, str]] = [(root, "", "")]
    while stack:
        node, pointer, base = stack.pop()
        if is_object(node):
            identity = node.get("$id")
            if isinstance(identity, str):
                base = urljoin(base, identity).removesuffix("#")
                found.setdefault(base, pointer)
                found.setdefault(identity, pointer)
            for keyword in ("$anchor", "$dynamicAnchor"):
                anchor = node.get(keyword)
                if isinstance(anchor, str):
                    found.setdefault(f"#{anchor}", pointer)
                    found.setdefault(f"{base}#{anchor}", pointer)
            stack.extend(
                (node[key], join(pointer, key), base) for key in sorted(node, reverse=True)
            )
        elif is_array(node):
            stack.extend((item, join(pointer, index), base) for index, item in enumerate(node))
    yield from found.items()
