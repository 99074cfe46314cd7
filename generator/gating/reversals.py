"""Tells a removal that the same caller reverses with one call: of a mark, or out of a list."""

import re

from ..model.api import Operation
from ..model.calls import HttpCall
from ..words import singular, words
from .openings import opening
from .verbs import segment_words

_MARK_WORDS = """
bookmark favorite favourite follow like pin rating reaction repost retweet star upvote vote watch
"""
_MARKS = frozenset(_MARK_WORDS.split())
"""What the same caller puts back with one call."""
_MARKED = 4  # words of a description that take back no more than a mark: `Unlikes a track`
_SWITCHES = frozenset(("ban", "lock", "mute", "suspension"))
"""Marks as well, but only on something else: a lock of its own may hang on a door."""
_NOTICES = frozenset(("notification", "watch", "watching"))
_PEOPLE_WORDS = """
account admin administrator attendee collaborator guest maintainer member owner participant people
person user
"""
_OWNED_WORDS = """
alias attachment certificate comment content credential data file identity image key logo message
metadata note photo picture preset property rule secret thumbnail token value version
"""
_KEPT = frozenset(f"{_PEOPLE_WORDS} {_OWNED_WORDS}".split())
"""What is not put back when it was taken out: people lose access, parts exist only there."""
_OPENING = 600  # characters of a description that are about the call itself
_REMOVED = re.compile(r"\bremov(?:e|es|ing) ([^.]{1,80}?)(?:( from\b)|\.|$)", re.IGNORECASE)


def mark(operation: Operation) -> str | None:
    """The mark that is taken back, as the summary, the description or the path calls it."""
    last = [singular(word) for word in segment_words(operation)]
    told = words(operation.summary) or opening(operation.description)[1:_MARKED]
    said = {*last, *(singular(word) for word in told)}
    if "subscription" in said and _NOTICES & _text_words(operation):
        return "subscription"
    switches = _SWITCHES.intersection(last) if is_nested(operation) or len(last) > 1 else ()
    return next(iter(sorted({*switches, *_MARKS & said})), None)


def is_nested(operation: Operation) -> bool:
    """Whether the path names a thing within another: `/issues/{id}/labels/{name}`."""
    path = operation.call.path if isinstance(operation.call, HttpCall) else ""
    return "}" in path.rstrip("/").removesuffix("}")


def taken_from(operation: Operation) -> bool:
    """Whether both stay, as in `Remove a label from an issue`."""
    found = [
        match
        for text in (operation.summary, operation.description[:_OPENING])
        if (match := _REMOVED.search(text))
    ]
    kept = {singular(word) for match in found for word in words(match[1])} & _KEPT
    return any(match[2] for match in found) and not kept


def _text_words(operation: Operation) -> set[str]:
    return {
        singular(word) for word in words(f"{operation.summary} {operation.description[:_OPENING]}")
    }
