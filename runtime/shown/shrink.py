"""Big JSON made to fit: whole items first, then fewer of them, then shorter texts, still JSON.

Only as much of the data is looked at as can be shown, however large it is.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

from ..wire.values import is_array, is_object

Clean: TypeAlias = Callable[[str, str], str]
"""A text as it may be shown, given the name of the member it stands under."""

DEEPEST = 60
MORE = "…"
MOST_CUTS = 5
_NOTE = 40  # bytes kept free for a mark of what was left out
_MOST_BITS = 14_000  # of a whole number; Python writes no more than 4300 digits
_LEAST = 24  # bytes below which a part is not worth showing

_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Cut:
    """A part that was shortened: `shown` of `total` items, members or characters at `path`."""

    path: str
    kind: str  # "items", "members", "characters"
    shown: int
    total: int

    def __str__(self) -> str:
        return f"{self.shown} of {self.total} {self.kind} of {self.path or 'the result'}"


def shrink(data: Any, room: int, clean: Clean) -> tuple[Any, list[Cut]]:
    """`data` in at most about `room` bytes of compact JSON, and what was cut, outermost first.

    Arrays end with a text that says how many items are missing, objects with a member `…`,
    texts with `…`. Every text and member name shown went through `clean`.
    """
    shrinker = _Shrinker(clean)
    return shrinker.fit(data, room, "", ""), sorted(shrinker.cuts, key=_depth)


def json_size(text: str) -> int:
    """Bytes of a JSON text in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def _depth(cut: Cut) -> int:
    return cut.path.count(".")


class _Shrinker:
    def __init__(self, clean: Clean) -> None:
        self._clean = clean
        self.cuts: list[Cut] = []

    def fit(self, value: Any, room: int, path: str, name: str, depth: int = 0) -> Any:
        if isinstance(value, str):
            return self._text(value, room, path, name)
        if is_object(value) or is_array(value):
            if depth == DEEPEST:
                return MORE
            if _size(value, room, depth) <= room:
                return self._whole(value, name)
        if is_object(value):
            return self._object(value, room, path, depth)
        if is_array(value):
            return self._array(value, room, path, name, depth)
        spelled = _spelled(value)
        return self._text(spelled, room, path, name) if isinstance(spelled, str) else spelled

    def _whole(self, value: Any, name: str) -> Any:
        """A part that fits as it is: nothing is left out, every text is cleaned."""
        if isinstance(value, str):
            return self._clean(value, name)
        if is_array(value):
            return [self._whole(item, name) for item in value]
        if is_object(value):
            members = _members(value)
            return {self._clean(key, ""): self._whole(members[key], key) for key in members}
        return _spelled(value)

    def _text(self, text: str, room: int, path: str, name: str) -> str:
        shown = self._clean(text[: room + 4096], name)  # enough to know a secret by
        if len(text) <= room + 4096 and json_size(_text(shown)) <= room:
            return shown
        kept = _cut_text(shown, room)
        self.cuts.append(Cut(path, "characters", len(kept), len(text)))
        return kept + MORE

    def _array(self, items: Sequence[Any], room: int, path: str, name: str, depth: int) -> Any:
        left = room - 2
        shown: list[Any] = []
        for index, item in enumerate(items):
            last = index == len(items) - 1
            allowed = left - (0 if last else _NOTE)
            size = _size(item, allowed)
            if size > allowed:
                if shown or allowed < _LEAST:
                    break
                shown.append(self.fit(item, allowed, path, name, depth + 1))  # one, if cut
                break
            shown.append(self.fit(item, size, path, name, depth + 1))
            left -= size + 1
        missing = len(items) - len(shown)
        if missing:
            self.cuts.append(Cut(path, "items", len(shown), len(items)))
            shown.append(f"{MORE} {missing} more items")
        return shown

    def _object(self, members: Mapping[str, Any], room: int, path: str, depth: int) -> Any:
        members = _members(members)
        sizes = self._sizes(members, room - 2)
        share = _fair_share(list(sizes.values()), room - 2 - self._names(sizes))
        shown: dict[str, Any] = {}
        for name, size in sizes.items():
            inner = f"{path}.{name}" if path else name
            shown[self._clean(name, "")] = self.fit(
                members[name], min(size, share), inner, name, depth + 1
            )
        missing = len(members) - len(shown)
        if missing > 0:
            self.cuts.append(Cut(path, "members", len(shown), len(members)))
            shown[MORE] = f"{missing} more members"
        return shown

    def _sizes(self, members: Mapping[str, Any], room: int) -> dict[str, int]:
        """The members that can be shown at all, with their sizes as far as they matter."""
        sizes: dict[str, int] = {}
        left = room
        for name, value in members.items():
            size = _size(value, room)
            left -= json_size(_text(name)) + 2 + min(size, _LEAST)
            if left < (_NOTE if len(sizes) < len(members) - 1 else 0):
                break
            sizes[name] = size
        return sizes

    def _names(self, sizes: Mapping[str, int]) -> int:
        return sum(json_size(_text(name)) + 2 for name in sizes)


def _fair_share(sizes: list[int], room: int) -> int:
    """The most that each may have so that all fit: small ones whole, large ones alike."""
    for position, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - position)
        if size > share:
            return max(share, _LEAST)
        room -= size
    return max(sizes, default=0)


def _size(value: Any, limit: int, depth: int = 0) -> int:
    """Bytes as compact JSON; anything above `limit` once that is passed."""
    if isinstance(value, str):
        return len(value) if len(value) > limit else json_size(_text(value))
    if depth > DEEPEST:
        return limit + 1
    total = 2
    if is_object(value):
        for name, item in value.items():
            total += len(str(name)) + 4 + _size(item, limit - total, depth + 1)
            if total > limit:
                break
        return total
    if is_array(value):
        for item in value:
            total += 1 + _size(item, limit - total, depth + 1)
            if total > limit:
                break
        return total
    return 5 if value is None or isinstance(value, bool) else len(str(_spelled(value)))


def _cut_text(text: str, room: int) -> str:
    """As much of a text as fits, ended at a word where one ends near."""
    kept = text[: max(1, room - 5)]
    while len(kept) > 1 and json_size(_text(kept)) > room - 3:
        kept = kept[: len(kept) * 9 // 10]
    space = kept.rfind(" ")
    return kept[:space] if space > len(kept) * 3 // 4 else kept


def _spelled(value: Any) -> Any:
    """What stands alone, as JSON has it; a text for what JSON, or its readers, cannot hold."""
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, int):
        return value if value.bit_length() <= _MOST_BITS else hex(value)
    return None if value is None else str(value)


def _members(given: Mapping[Any, Any]) -> Mapping[str, Any]:
    """The members of an object by name, which a function of Python's may have given others.

    They are without the bytes of a file, of which a model can read nothing.
    """
    members = given
    if not all(isinstance(name, str) for name in given):
        members = {str(name): item for name, item in given.items()}
    data = members.get("data_base64")
    if not isinstance(data, str):
        return members
    return {**members, "data_base64": f"{MORE} {len(data) * 3 // 4} bytes"}
