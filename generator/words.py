"""Splits names into words."""

import re
import unicodedata
from functools import lru_cache

# Words that the general rule would tear apart.
_WHOLE = r"OAuth\d*|IPv[46]|[1-5]XX(?![A-Za-z])|[23](?:FA|DS)(?![a-z])"
_WORD = re.compile(
    rf"{_WHOLE}"
    r"|[A-Z]{2,}s(?![a-z])\d*"  # a plural acronym: IPs
    r"|[A-Z]+(?![a-z])(?:\d[a-z0-9]*)?"  # an acronym: HTTP, EC2
    rf"|[A-Z]?[a-z](?:[a-z]|(?!(?<!\d)(?:{_WHOLE}))\d)*"  # digits stay with the word before
    r"|\d[a-z0-9]*",
    re.ASCII,
)
_UNCOUNTED_WORDS = """
access address alias analysis analytics basis bonus bus business campus canvas chassis class
compass corpus diagnosis dns focus gas gps https is kubernetes lens news os progress radius
redis sas series sms species status success this tls virus
"""
_UNCOUNTED = frozenset(_UNCOUNTED_WORDS.split())
_IRREGULAR = {
    "aliases": "alias",
    "analyses": "analysis",
    "bonuses": "bonus",
    "buses": "bus",
    "caches": "cache",
    "campuses": "campus",
    "children": "child",
    "cookies": "cookie",
    "indices": "index",
    "leaves": "leaf",
    "matrices": "matrix",
    "men": "man",
    "movies": "movie",
    "people": "person",
    "quizzes": "quiz",
    "statuses": "status",
    "ties": "tie",
    "vertices": "vertex",
    "viruses": "virus",
    "women": "woman",
}
_SIBILANTS = ("sses", "shes", "ches", "xes")


_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "ł": "l",
        "Ł": "L",
        "ø": "o",
        "Ø": "O",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
    }
)
"""Letters that Unicode does not take apart into an ASCII letter and a mark."""


def words(text: str) -> list[str]:
    """The words of a name, in lower case and ASCII; an accent does not part a word.

    Words end at every character that is no Latin letter or digit, before a capital that
    follows a small letter, and where an acronym ends; digits stay with the word before.
    """
    return list(_words(text))


@lru_cache(maxsize=1 << 14)  # the same names come again and again: `owner`, `repo`
def _words(text: str) -> tuple[str, ...]:
    if not text.isascii():
        text = _without_accents(text)
    return tuple(word.lower() for word in _WORD.findall(text))


def _without_accents(text: str) -> str:
    taken_apart = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(one for one in taken_apart if not unicodedata.combining(one))


def snake(text: str) -> str:
    """A name in snake_case; empty when no letter or digit is left."""
    return "_".join(words(text))


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """One of what an English plural names; a word that is none comes back as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _UNCOUNTED or word.endswith(("ss", "us", "sis")) or len(word) < 3:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_SIBILANTS):
        return word[:-2]
    return word.removesuffix("s")
