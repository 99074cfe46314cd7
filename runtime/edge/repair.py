"""Mend the JSON text that models write, and only where it has one meaning.

Nothing is invented: text that ends too early stays broken.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..wire.json_reader import read_json

LONGEST_TEXT = 1_000_000
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Repaired:
    """A mended value and what was changed, one sentence each; no change, no sentence."""

    value: Any
    changes: tuple[str, ...]


def repair_json(text: str) -> Repaired:
    """The value a JSON text means, with the faults mended that can be meant in one way only.

    Those are: a code fence around it, trailing commas, comments, unquoted names, single
    quotes (where no apostrophe makes them doubtful), `True`, `False`, `None`, line breaks
    inside strings. Raises ValueError for anything else, duplicate names and NaN included.
    """
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"longer than {LONGEST_TEXT} characters")
    fence = _FENCE.fullmatch(text)
    reader = _Reader(fence[1] if fence else text)
    value = reader.whole()
    changes = ["removed a code fence"] * bool(fence) + reader.changes
    return Repaired(value, tuple(dict.fromkeys(changes)))


_FENCE = re.compile(r"\s*```[a-zA-Z0-9_-]*[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?(?![\w.+-])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SINGLE = re.compile(r"'((?:[^'\\]|\\.)*)'(?=[ \t\r\n]*(?:[,:\]}]|$))", re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None}
_PYTHON_WORDS = {"True": True, "False": False, "None": None}


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    changes: list[str] = field(default_factory=list[str])

    def whole(self) -> Any:
        value = self.value(0)
        self.space()
        if self.at < len(self.text):
            raise self.wrong("more text follows")
        return value

    def wrong(self, why: str) -> ValueError:
        return ValueError(f"not JSON: {why} at character {self.at}")

    def space(self) -> str:
        """Skip spaces and comments; the next character, "" at the end."""
        while True:
            self.at = _match(_SPACE, self.text, self.at).end()
            comment = _COMMENT.match(self.text, self.at)
            if comment is None:
                return self.text[self.at : self.at + 1]
            self.changes.append("removed a comment")
            self.at = comment.end()

    def value(self, depth: int) -> Any:
        character = self.space()
        if depth > DEEPEST:
            raise self.wrong("nested too deep")
        if character == "{":
            return self.object(depth)
        if character == "[":
            return list(self.items("]", depth))
        if character in ('"', "'"):
            return self.string()
        number = _NUMBER.match(self.text, self.at)
        return self.word() if number is None else self.number(number[0])

    def number(self, text: str) -> Any:
        try:
            value = read_json(text)
        except ValueError as error:
            raise self.wrong(str(error)) from None
        self.at += len(text)
        return value

    def object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in self.items("}", depth):
            if name in found:
                raise self.wrong(f"the name {name[:80]!r} stands twice")
            found[name] = value
        return found

    def items(self, end: str, depth: int) -> Iterator[Any]:
        """The items of an array, or the members of an object as pairs."""
        self.at += 1
        if self.space() == end:
            self.at += 1
            return
        while True:
            yield self.member(depth) if end == "}" else self.value(depth + 1)
            character = self.space()
            self.at += 1
            if character == "," and self.space() == end:
                self.changes.append("removed a trailing comma")
                character = end
                self.at += 1
            if character == end:
                return
            if character != ",":
                self.at -= 1
                raise self.wrong(f"a comma or {end} is missing")

    def member(self, depth: int) -> tuple[str, Any]:
        if self.space() in ('"', "'"):
            name = self.string()
        else:
            word = _WORD.match(self.text, self.at)
            if word is None:
                raise self.wrong("a name is missing")
            name, self.at = word[0], word.end()
            self.changes.append("quoted a name")
        if self.space() != ":":
            raise self.wrong("a colon is missing")
        self.at += 1
        return name, self.value(depth + 1)

    def string(self) -> str:
        single = self.text[self.at] == "'"
        match = (_SINGLE if single else _DOUBLE).match(self.text, self.at)
        if match is None:
            raise self.wrong("a text does not end, or ends in a doubtful place")
        body = match[1]
        if single:
            self.changes.append("turned single quotes into double quotes")
            body = re.sub(r'\\(.)|(")', _requoted, body, flags=re.DOTALL)
        try:
            value = json.loads(f'"{body}"')
        except ValueError:
            value = json.loads(f'"{body}"', strict=False)
            self.changes.append("escaped a line break in a text")
        self.at = match.end()
        return str(value)

    def word(self) -> Any:
        word = _WORD.match(self.text, self.at)
        text = word[0] if word else ""
        if text not in _WORDS and text not in _PYTHON_WORDS:
            raise self.wrong(f"{text[:40]!r} is no value" if text else "a value is missing")
        self.at += len(text)
        if text in _WORDS:
            return _WORDS[text]
        self.changes.append("turned a Python word into a JSON one")
        return _PYTHON_WORDS[text]


def _requoted(match: re.Match[str]) -> str:
    """`\\'` is an apostrophe, a bare `"` needs a backslash, other escapes are JSON's own."""
    if match[2]:
        return '\\"'
    return "'" if match[1] == "'" else match[0]


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    match = pattern.match(text, at)
    assert match is not None
    return match
