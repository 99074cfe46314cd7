"""Texts that match a regular expression, of the parts that descriptions use."""

import importlib
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

codes: Any = importlib.import_module("re._constants")
parser: Any = importlib.import_module("re._parser")

LETTERS = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789"


class Undrawable(Exception):
    """No value was found that fits the schema; it may have none."""


def matching(pattern: str, chance: Random, more: int) -> str:
    """A text with at most so many repetitions beyond the least; assertions are not looked at.

    Raises Undrawable for what Python or this does not know.
    """
    return "".join(_Matching(chance, more).text(pattern))


class _Matching:
    def __init__(self, chance: Random, more: int) -> None:
        self.chance = chance
        self.more = more

    def text(self, pattern: str) -> Iterator[str]:
        try:
            tree = parser.parse(_PROPERTY.sub(_category, pattern))
        except (re.error, OverflowError, RecursionError) as error:
            raise Undrawable(f"{pattern!r}: {error}") from None
        yield from self.of(tree)

    def of(self, tree: Any) -> Iterator[str]:
        for code, value in tree:
            yield from self.one(code, value)

    def one(self, code: Any, value: Any) -> Iterator[str]:
        if code is codes.LITERAL:
            yield chr(value)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, inner = value
            for _ in range(self.chance.randint(least, min(most, least + self.more))):
                yield from self.of(inner)
        elif code is codes.SUBPATTERN:
            yield from self.of(value[3])
        elif code is codes.BRANCH:
            yield from self.of(self.chance.choice(value[1]))
        elif code is codes.IN or code is codes.ANY or code is codes.NOT_LITERAL:
            yield self.character(code, value)
        elif code not in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):  # those are checked later
            raise Undrawable(f"patterns with {code} are not drawn")

    def character(self, code: Any, value: Any) -> str:
        members = [(code, value)] if code is not codes.IN else list(value)
        fitting = [one for one in LETTERS + "-_. :/@+" if _is_in(one, members)]
        if not fitting:
            fitting = [chr(point) for point in range(33, 0x250) if _is_in(chr(point), members)]
        if not fitting:
            raise Undrawable("no character fits")
        return self.chance.choice(fitting)


_PROPERTY = re.compile(r"\\[pP]\{(\w+)(?:=\w+)?\}")


def _category(found: re.Match[str]) -> str:
    """Unicode properties, which Python does not know, as something of that kind."""
    return {"L": "a-zA-Z", "N": "0-9", "Z": " ", "P": "_-"}.get(found[1][:1], "a-z")


_CATEGORIES: dict[Any, str] = {
    codes.CATEGORY_DIGIT: r"[0-9]",
    codes.CATEGORY_NOT_DIGIT: r"[^0-9]",
    codes.CATEGORY_WORD: r"[A-Za-z0-9_]",
    codes.CATEGORY_NOT_WORD: r"[^A-Za-z0-9_]",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
}


def _is_in(character: str, members: Sequence[tuple[Any, Any]]) -> bool:
    negated = bool(members) and members[0][0] is codes.NEGATE
    return negated != any(_fits(character, *member) for member in members)


def _fits(character: str, code: Any, value: Any) -> bool:
    if code is codes.LITERAL:
        return bool(ord(character) == value)
    if code is codes.NOT_LITERAL:
        return bool(ord(character) != value)
    if code is codes.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if code is codes.CATEGORY:
        return re.fullmatch(_CATEGORIES[value], character) is not None
    return code is codes.ANY
