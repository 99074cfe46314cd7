"""Names that schemas give themselves: `$id`, `$anchor` and `$dynamicAnchor`."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ...plain import is_array, is_object
from ...pointers import Place, join
from ...reading.addresses import joined
from ...reading.foreign import within


class Identities:
    """The names in one document, with their pointers; the first schema keeps a name."""

    def __init__(self, root: Any, base: str) -> None:
        """`base`: the address of the document, against which a relative `$id` resolves."""
        own = root.get("$self") if is_object(root) else None
        self._base = joined(base, own) if isinstance(own, str) else base
        self._root = root
        self._pointers = dict(_names(root, self._base))

    @property
    def nested(self) -> bool:
        """Whether some schema has a base of its own, so that a place decides what is meant."""
        return bool(self._pointers)

    def find(self, reference: str, place: Place) -> str | None:
        """The pointer of what a reference at a place names, or None when nothing is so called."""
        if not self._pointers:
            return None
        document, _, fragment = reference.partition("#")
        base = joined(self._base_at(place), document)
        if fragment and not fragment.startswith("/"):
            named = self._pointers.get(f"{base}#{fragment}")
            return self._pointers.get(f"#{fragment}") if named is None and not document else named
        pointer = self._pointers.get(base, self._pointers.get(document))
        return None if pointer is None else pointer + unquote(fragment)

    def _base_at(self, place: Place) -> str:
        """The base address that holds at a place: `$id` after `$id` on the way to it."""
        base, node = self._base, self._root
        for token in within(place):
            if is_object(node):
                node = node.get(token)
            elif is_array(node) and token.isdecimal() and int(token) < len(node):
                node = node[int(token)]
            else:
                break
            identity = node.get("$id") if is_object(node) else None
            if isinstance(identity, str):
                base = joined(base, identity)
        return base.removesuffix("#")


def _names(root: Any, base: str) -> Iterator[tuple[str, str]]:
    """Every name with its pointer, absolute and as it is written."""
    found: dict[str, str] = {}
    stack: list[tuple[Any, str, str]] = [(root, "", base)]
    while stack:
        node, pointer, base = stack.pop()
        if is_object(node):
            identity = node.get("$id")
            if isinstance(identity, str):
                base = joined(base, identity).removesuffix("#")
                found.setdefault(base, pointer)
                found.setdefault(identity, pointer)
            for keyword in ("$anchor", "$dynamicAnchor"):
                anchor = node.get(keyword)
                if isinstance(anchor, str):
                    found.setdefault(f"{base}#{anchor}", pointer)
                    found.setdefault(f"#{anchor}", pointer)
            stack.extend(
                (node[key], join(pointer, key), base) for key in sorted(node, reverse=True)
            )
        elif is_array(node):
            stack.extend((item, join(pointer, index), base) for index, item in enumerate(node))
    yield from found.items()
