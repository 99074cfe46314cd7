"""The lines of values in a JSON or YAML text, found by reading it again."""

import json
import re
from collections.abc import Iterator

from ..pointers import tokens
from . import yaml12

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def line(text: str, pointer: str) -> int | None:
    """The line, from 1, of the key or array entry that a pointer names; None when it has none."""
    path = tokens(pointer)
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        try:
            return _json_line(text, path)
        except ValueError:  # YAML's flow style opens like JSON
            pass
    return yaml12.line(text, path)


def line_of_duplicate(text: str, key: str) -> int:
    """The line where `key` stands for the second time in one object of a JSON text."""
    seen: list[set[str] | None] = []
    after_colon = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            seen.append(set() if token == "{" else None)
        elif token in "}]":
            seen.pop()
        elif token.startswith('"') and seen and not after_colon:
            keys, name = seen[-1], json.loads(token, strict=False)
            if keys is not None and name == key and name in keys:
                return _line_at(text, match.start())
            if keys is not None:
                keys.add(name)
        after_colon = token == ":"
    return 1


def line_of_word(text: str, word: str) -> int:
    """The line where a bare word of a JSON text stands first, outside of strings."""
    for match in _TOKEN.finditer(text):
        if match[0] == word:
            return _line_at(text, match.start())
    return 1


def _json_line(text: str, path: tuple[str, ...]) -> int | None:
    opening = _TOKEN.search(text)
    if opening is None:
        return None
    found = (opening.start(), opening.start())
    for wanted in path:
        children = _children(text, found[1])
        child = next((places for key, *places in children if key == wanted), None)
        if child is None:
            return None
        found = (child[0], child[1])
    return _line_at(text, found[0])


def _children(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Key, offset of the key and offset of the value of each child of the container at `at`."""
    named = text[at] == "{"
    if not named and text[at] != "[":
        return
    depth, index, key, key_at = 0, 0, None, at
    for match in _TOKEN.finditer(text, at):
        token = match[0]
        if token in "}]":
            depth -= 1
            if depth == 0:
                return
        elif depth == 1 and token == ",":
            key = None
        elif depth == 1 and token != ":":
            if named and key is None:
                key, key_at = str(json.loads(token, strict=False)), match.start()
            else:
                yield key or str(index), key_at if named else match.start(), match.start()
                index += 1
        if token in "{[":
            depth += 1


def _line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
