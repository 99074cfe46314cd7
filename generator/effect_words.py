"""Judges what a call does by the words that name and describe it; in doubt the graver class.

Destructive is what loses data or access in a way that the same caller cannot undo with one
ordinary call. A method alone cannot tell: RPC-style APIs read by POST and destroy by GET,
and some DELETEs only take back a mark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .model.api import Operation
from .model.calls import HttpCall
from .verb_phrases import Verb
from .verb_table import ACTED, NOUNS, VAGUE
from .verbs import READS, is_rpc, segment_words, verbs
from .words import singular, words

Class: TypeAlias = Literal["pure", "write", "destructive"]

_FINAL = re.compile(
    r"\b(?:cannot|can't|can not|can\u2019t) be (?:undone|reversed|recovered|restored)\b"
    r"|\b(?:not|never) (?:recoverable|reversible|undoable)\b|\bno way to (?:recover|restore|undo)\b"
    r"|\birreversibl[ey]\b|\bpermanently (?:delete|remove|destroy|erase|lose)",
    re.IGNORECASE,
)
_OPENING = 600  # characters of a description in which a warning is about the call itself
_MARK_WORDS = "bookmark favorite favourite follow like pin reaction star upvote vote watch"
_MARKS = frozenset(_MARK_WORDS.split())
"""What the same caller puts back with one call."""
_SWITCHES = frozenset(("ban", "lock", "mute", "suspension"))
"""Marks as well, but only on something else: a lock of its own may hang on a door."""
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
_NOTICES = frozenset(("notification", "watch", "watching"))
_REMOVED = re.compile(r"\bremov(?:e|es|ing) ([^.]{1,80}?)(?:( from\b)|\.|$)", re.IGNORECASE)
_QUESTION = re.compile(r"(?:access|token|rules|subject|policy)_?review\Z|:testiampermission\Z")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A class, and the words that say so, in our own spelling."""

    verdict: Class
    reason: str


def by_wording(operation: Operation) -> Verdict | None:
    """What the words say, None where they say nothing against the method."""
    found = verbs(operation)
    method = operation.call.method if isinstance(operation.call, HttpCall) else "POST"
    if not isinstance(operation.call, HttpCall) and operation.call.kind != "mutation":
        return None
    if method in READS:
        return _of_a_read(operation, found, method)
    if _final(operation):
        return Verdict("destructive", "the description says that it cannot be undone")
    if method == "DELETE":
        return _of_a_delete(operation, found)
    return _of_a_write(operation, found, method)


# ── by method ───────────────────────────────────────────────────────────────────────


def _of_a_read(operation: Operation, found: list[Verb], method: str) -> Verdict | None:
    """A GET acts when its words say so, and none of them reads.

    An RPC-style path that names no read is no read: its GET is a habit of its makers.
    """
    reads = [verb for verb in found if verb.act == "reads" and not _answers(verb)]
    grave = [verb for verb in found if _loses(verb, found, operation)]
    if grave and (not reads or found[0] in grave):
        return Verdict("destructive", f'{method}, but "{grave[0].word}" destroys')
    if reads:
        return None
    acts = [verb for verb in found if verb.act in ("writes", "undoes", "removes")]
    if is_rpc(operation) and (acts or not found):
        word = f'"{acts[0].word}" acts' if acts else "nothing in its name reads"
        return Verdict("write", f"{method}, but {word}")
    acting = next(_acting(acts, operation, told=len(found) > len(acts)), None)
    return Verdict("write", f'{method}, but "{acting.word}" acts') if acting else None


def _acting(acts: list[Verb], operation: Operation, *, told: bool) -> Iterator[Verb]:
    """The verbs that make an act of a GET: said twice, or once and beyond doubt.

    `told` is that something else is said of it: `Returns the URL to start a meeting at`.
    """
    plain = [verb for verb in acts if verb.word not in NOUNS - (frozenset() if told else ACTED)]
    if len({verb.place for verb in plain}) > 1:
        yield plain[0]
    if not told:
        doubtful = NOUNS | VAGUE
        yield from (
            verb
            for verb in plain
            if verb.word not in doubtful
            and (verb.place != "segment" or len(segment_words(operation)) == 1)
        )


def _loses(verb: Verb, found: list[Verb], operation: Operation) -> bool:
    """Whether a GET loses something, when its words are to be believed."""
    if verb.act == "removes":
        return not (_mark(operation) or _taken_from(operation))
    return verb.act == "destroys" and not _is_thing(verb, found)


def _of_a_delete(operation: Operation, found: list[Verb]) -> Verdict | None:
    """A DELETE that takes back a mark, a switch or a membership loses nothing."""
    acts = {verb.act for verb in found}
    undone = [verb for verb in found if verb.act == "undoes"]
    if undone and ("destroys" not in acts or undone[0] == found[0]):
        return Verdict("write", f'DELETE, but "{undone[0].word}" can be undone')
    mark = _mark(operation)
    if mark:
        return Verdict("write", f"DELETE, but it takes back a {mark}")
    if "destroys" not in acts and _is_nested(operation) and _taken_from(operation):
        return Verdict("write", "DELETE, but it only removes something from a list")
    return None


def _of_a_write(operation: Operation, found: list[Verb], method: str) -> Verdict | None:
    grave = [verb for verb in found if verb.act == "destroys"]
    if grave:
        return Verdict("destructive", f'"{grave[0].word}" destroys')
    acts = [verb.act for verb in found if verb.act not in ("reads", "either")]
    if acts[:1] == ["removes"] and not (_mark(operation) or _taken_from(operation)):
        return Verdict("destructive", '"remove" loses something')
    if method != "POST":
        return None
    if _asks(operation):
        return Verdict("pure", "POST, but a review of access only answers")
    opens = any(verb.act == "either" for verb in found)  # `Generate a key`: "Returns the key"
    reads = [verb for verb in found if verb.act == "reads" and not (opens and _answers(verb))]
    if reads and not acts:
        return Verdict("pure", f'POST, but "{reads[0].word}" reads')
    return None


def _answers(verb: Verb) -> bool:
    """Whether a word tells of the answer only, and so of what is done when nothing else does."""
    return verb.word == "returns"


def _is_thing(verb: Verb, found: list[Verb]) -> bool:
    """Whether a word that may be a noun stands in one place only: `GET /transfers`."""
    places = {other.place for other in found if other.word == verb.word}
    return verb.word in NOUNS and places in ({"text"}, {"segment"})


# ── what words tell ─────────────────────────────────────────────────────────────────


def _final(operation: Operation) -> bool:
    return bool(_FINAL.search(f"{operation.summary}. {operation.description[:_OPENING]}"))


def _mark(operation: Operation) -> str | None:
    """The mark that is taken back, as the summary or the path calls it."""
    last = [singular(word) for word in segment_words(operation)]
    said = {*last, *(singular(word) for word in words(operation.summary))}
    if "subscription" in said and _NOTICES & _text_words(operation):
        return "subscription"
    switches = _SWITCHES.intersection(last) if _is_nested(operation) or len(last) > 1 else ()
    return next(iter(sorted({*switches, *_MARKS & said})), None)


def _is_nested(operation: Operation) -> bool:
    """Whether the path names a thing within another: `/issues/{id}/labels/{name}`."""
    path = operation.call.path if isinstance(operation.call, HttpCall) else ""
    return "}" in path.rstrip("/").removesuffix("}")


def _taken_from(operation: Operation) -> bool:
    """`Remove a label from an issue`: both stay."""
    found = [
        match
        for text in (operation.summary, operation.description[:_OPENING])
        if (match := _REMOVED.search(text))
    ]
    kept = {singular(word) for match in found for word in words(match[1])} & _KEPT
    return any(match[2] for match in found) and not kept


def _asks(operation: Operation) -> bool:
    """Kubernetes and its kin ask by creating a review that is never stored, Google by a test."""
    path = operation.call.path if isinstance(operation.call, HttpCall) else ""
    return bool(_QUESTION.search(singular(path.rpartition("/")[2].lower())))


def _text_words(operation: Operation) -> set[str]:
    return {
        singular(word) for word in words(f"{operation.summary} {operation.description[:_OPENING]}")
    }
