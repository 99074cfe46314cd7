"""YAML 1.2 as plain JSON data: the core schema, keys as strings, nothing twice, bounded aliases."""

import re
from typing import Any, cast

import yaml

from ..plain import is_array, is_object

# libyaml's parser where it is there; nothing of PyYAML is used above its events and nodes.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BASE: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_EVENTS: Any = yaml.parse
_NODES: Any = yaml.compose

MAXIMUM_ALIASED = 2_000_000
"""How many values aliases may add: a few lines can stand for billions."""

_TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_SURROGATE = re.compile(
    r"(?<!\\)((?:\\\\)*)\\u(?:([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_HALF = "invalid Unicode character escape code"
_NUMERIC = frozenset("-+.0123456789")


class YamlError(Exception):
    """What is wrong with a YAML text, what to do about it, and the line (from 1)."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


def parse(text: str) -> Any:
    """The one document of a YAML text as JSON data.

    Plain scalars are resolved by the core schema of YAML 1.2.2 (10.3): no dates, no
    sexagesimals, only `true` and `false` are booleans. A mapping's keys are the scalars'
    text. Merge keys (`<<`) are honoured. Raises YamlError.
    """
    try:
        return _parsed(text)
    except YamlError as error:
        if _HALF not in error.text:
            raise
    return _parsed(_without_halves(text))


def _parsed(text: str) -> Any:
    builder = _Builder()
    try:
        for event in _EVENTS(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(part for part in (error.problem, error.context) if part)
        raise YamlError(
            mark.line + 1 if mark else 1, f"is not YAML: {problem}. Correct it there."
        ) from None
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise YamlError(1, f"is not YAML: {reason}. Save it as plain text in UTF-8.") from None
    return builder.root


def line(text: str, path: tuple[str, ...]) -> int | None:
    """The line, from 1, of the key or entry at a path of keys; None when there is none."""
    try:
        node: Any = _NODES(text, Loader=_BASE)
    except yaml.YAMLError as error:
        whole = _without_halves(text) if _HALF in str(error) else text
        return None if whole == text else line(whole, path)
    found = node
    for wanted in path:
        if isinstance(node, yaml.MappingNode):
            pairs = {str(key.value): (key, value) for key, value in node.value}
        elif isinstance(node, yaml.SequenceNode):
            pairs = {str(index): (value, value) for index, value in enumerate(node.value)}
        else:
            return None
        if wanted not in pairs:
            return None
        found, node = pairs[wanted]
    return None if found is None else int(found.start_mark.line) + 1


def _without_halves(text: str) -> str:
    """The text with escaped surrogate pairs as what they mean, and U+FFFD for half a pair.

    JSON escapes so beyond U+FFFF, and so do writers of YAML in Java; libyaml refuses it. A text
    that it takes stays as it is: between single quotes no backslash escapes anything.
    """
    return _SURROGATE.sub(_whole, text)


def _whole(found: re.Match[str]) -> str:
    high, low = found[2], found[3]
    if high is None:
        return f"{found[1]}\\uFFFD"
    point = 0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00
    return f"{found[1]}\\U{point:08X}"


class _Frame:
    """A container that is being read."""

    __slots__ = ("anchor", "key", "merged", "size", "value")

    def __init__(self, value: dict[str, Any] | list[Any], anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.key: str | None = None
        self.merged: list[Any] | None = None  # what stands under `<<`
        self.size = 1  # how many values it holds, aliases followed


class _Builder:
    """Makes data from events, without recursion, so that no depth can break it."""

    def __init__(self) -> None:
        self.root: Any = None
        self._frames: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._aliased = 0
        self._documents = 0

    def take(self, event: Any) -> None:
        kind = cast("type[object]", type(event))
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent:
            self._open({}, event)
        elif kind is yaml.SequenceStartEvent:
            self._open([], event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close(event)
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                raise YamlError(
                    _line(event), "opens a second document. Keep one document in a file."
                )

    def _scalar(self, event: Any) -> None:
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.key is None and type(frame.value) is dict:
            self._name(frame, event.value, event)
            if event.value == "<<" and event.implicit[0]:
                frame.merged = frame.merged or []
            if event.anchor:
                self._anchors[event.anchor] = (event.value, 1)
            return
        value = _resolved(event)
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)
        self._put(value, 1, event)

    def _name(self, frame: _Frame, key: str, event: Any) -> None:
        if key in frame.value:
            raise YamlError(
                _line(event), f"the key {key!r} stands twice in one mapping. Keep one of them."
            )
        frame.key = key

    def _open(self, value: dict[str, Any] | list[Any], event: Any) -> None:
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.key is None and type(frame.value) is dict:
            raise YamlError(_line(event), "a key must be a string. Quote it, or name it anew.")
        self._frames.append(_Frame(value, event.anchor))

    def _close(self, event: Any) -> None:
        frame = self._frames.pop()
        if frame.merged:
            _merge(frame.value, frame.merged)
        if frame.anchor:
            self._anchors[frame.anchor] = (frame.value, frame.size)
        self._put(frame.value, frame.size, event)

    def _alias(self, event: Any) -> None:
        if any(frame.anchor == event.anchor for frame in self._frames):
            raise YamlError(
                _line(event), f"the alias *{event.anchor} stands inside what it names. Remove it."
            )
        if event.anchor not in self._anchors:
            raise YamlError(
                _line(event), f"the alias *{event.anchor} names nothing above it. Define it first."
            )
        value, size = self._anchors[event.anchor]
        self._aliased += size
        if self._aliased > MAXIMUM_ALIASED:
            raise YamlError(
                _line(event),
                f"its aliases stand for more than {MAXIMUM_ALIASED:,} values. Write it without.",
            )
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.key is None and type(frame.value) is dict:
            if not isinstance(value, str):
                raise YamlError(_line(event), "a key must be a string. Write it out.")
            self._name(frame, value, event)
            return
        self._put(value, size, event)

    def _put(self, value: Any, size: int, event: Any) -> None:
        if not self._frames:
            self.root = value
            return
        frame = self._frames[-1]
        frame.size += size
        holder = frame.value
        if type(holder) is list:
            holder.append(value)
            return
        assert frame.key is not None and type(holder) is dict
        if frame.key == "<<" and frame.merged is not None and _mergeable(value):
            frame.merged.append(value)
        else:
            holder[frame.key] = value
        frame.key = None


def _resolved(event: Any) -> Any:
    """The value of a scalar by its tag, or by the core schema when it is plain and untagged."""
    text: str = event.value
    tag = event.tag
    if tag is None:
        if not event.implicit[0]:  # quoted, or a block
            return text
    elif (
        tag == "!"
        or not tag.startswith(_TAG)
        or tag.removeprefix(_TAG) not in ("null", "bool", "int", "float")
    ):
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _INTEGER.match(text):
        return _integer(text, 10, event)
    if _BASED.match(text):
        return _integer(text[2:], 8 if text[1] == "o" else 16, event)
    return float(text) if _FLOAT.match(text) else text


def _integer(text: str, base: int, event: Any) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise YamlError(
            _line(event),
            "holds a number of more than 4,300 digits. Write one that means something.",
        ) from None


def _mergeable(value: Any) -> bool:
    if is_array(value):
        return len(value) > 0 and all(map(is_object, value))
    return is_object(value)


def _merge(value: Any, merged: list[Any]) -> None:
    """Add what `<<` names: a mapping's own keys win, then the earlier of several mappings."""
    for entry in merged:
        for mapping in entry if is_array(entry) else [entry]:
            for key, item in mapping.items():
                value.setdefault(key, item)


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
