"""Judges what a call does by the words that name and describe it; in doubt the graver class.

Destructive is what loses data or access in a way that the same caller cannot undo with one
ordinary call. A method alone cannot tell: RPC-style APIs read by POST and destroy by GET,
and some DELETEs only take back a mark.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .model.api import Operation
from .model.calls import HttpCall
from .verbs import NOUNS, Verb, rpc_words, verbs
from .words import singular, words

Class: TypeAlias = Literal["pure", "write", "destructive"]

_FINAL = re.compile(
    r"\b(?:cannot|can't|can not|can\u2019t) be (?:undone|reversed|recovered|restored)\b"
    r"|\birreversibl[ey]\b|\bpermanently (?:delete|remove|destroy|erase|lose)",
    re.IGNORECASE,
)
_OPENING = 600  # characters of a description in which a warning is about the call itself
_MARK_WORDS = "bookmark favorite favourite follow like pin reaction star upvote vote watch"
_MARKS = frozenset(_MARK_WORDS.split())
_PEOPLE_WORDS = """
account admin administrator collaborator guest maintainer member owner people person user
"""
_PEOPLE = frozenset(_PEOPLE_WORDS.split())
_NOTICES = frozenset(("notification", "watch", "watching"))
_BEGINS = frozenset(("watch",))  # a POST that watches makes something that goes on
_QUESTION = re.compile(r"(?:access|token|rules|subject|policy)_?review\Z")


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
    if method in ("GET", "HEAD", "OPTIONS", "TRACE", "QUERY"):
        return _of_a_read(operation, found, method)
    if _final(operation):
        return Verdict("destructive", "the description says that it cannot be undone")
    if method == "DELETE":
        return _of_a_delete(operation, found)
    return _of_a_write(operation, found, method)


# ── by method ───────────────────────────────────────────────────────────────────────


def _of_a_read(operation: Operation, found: list[Verb], method: str) -> Verdict | None:
    """A GET acts when its name says so: alone in an RPC-style path, else said twice.

    An RPC-style path that names no read is no read: its GET is a habit of its makers.
    """
    grave = [verb for verb in found if verb.act == "destroys" and not _is_thing(verb, found)]
    reads = [verb for verb in found if verb.act == "reads"]
    if grave and (not reads or found[0].act == "destroys"):
        return Verdict("destructive", f'{method}, but "{grave[0].word}" destroys')
    if reads:
        return None
    acts = [verb for verb in found if verb.act != "destroys"]
    if _is_rpc(operation):
        word = f'"{acts[0].word}" acts' if acts else "nothing in its name reads"
        return Verdict("write", f"{method}, but {word}")
    if len({verb.place for verb in acts if verb.word not in NOUNS}) > 1:
        return Verdict("write", f'{method}, but "{acts[0].word}" acts')
    return None


def _of_a_delete(operation: Operation, found: list[Verb]) -> Verdict | None:
    """A DELETE that takes back a mark, a switch or a membership loses nothing."""
    undone = [verb for verb in found if verb.act == "undoes"]
    if undone:
        return Verdict("write", f'DELETE, but "{undone[0].word}" can be undone')
    mark = _mark(operation)
    if mark:
        return Verdict("write", f"DELETE, but it takes back a {mark}")
    acts = {verb.act for verb in found}
    if "removes" in acts and "destroys" not in acts and _taken_from(operation):
        return Verdict("write", "DELETE, but it only removes something from a list")
    return None


def _of_a_write(operation: Operation, found: list[Verb], method: str) -> Verdict | None:
    grave = [verb for verb in found if verb.act == "destroys"]
    if grave:
        return Verdict("destructive", f'"{grave[0].word}" destroys')
    acts = [verb.act for verb in found if verb.act != "reads"]
    if acts[:1] == ["removes"] and not (_mark(operation) or _taken_from(operation)):
        return Verdict("destructive", '"remove" loses something')
    if method != "POST":
        return None
    if _asks(operation):
        return Verdict("pure", "POST, but a review of access only answers")
    if found and all(verb.act == "reads" and verb.word not in _BEGINS for verb in found):
        return Verdict("pure", f'POST, but "{found[0].word}" reads')
    return None


def _is_thing(verb: Verb, found: list[Verb]) -> bool:
    """Whether a word that may be a noun stands in one place only: `GET /transfers`."""
    places = {other.place for other in found if other.word == verb.word}
    return verb.word in NOUNS and places in ({"text"}, {"segment"})


# ── what words tell ─────────────────────────────────────────────────────────────────


def _is_rpc(operation: Operation) -> bool:
    return isinstance(operation.call, HttpCall) and bool(rpc_words(operation.call.path))


def _final(operation: Operation) -> bool:
    return bool(_FINAL.search(f"{operation.summary}. {operation.description[:_OPENING]}"))


def _mark(operation: Operation) -> str | None:
    """The mark that is taken back, as the summary or the path calls it."""
    path = operation.call.path if isinstance(operation.call, HttpCall) else ""
    literal = [part for part in path.split("/") if part and "{" not in part]
    said = {singular(word) for word in words(operation.summary)}
    said |= {singular(word) for word in words(literal[-1] if literal else "")}
    if "subscription" in said and _NOTICES & _text_words(operation):
        return "subscription"
    return next(iter(sorted(_MARKS & said)), None)


def _taken_from(operation: Operation) -> bool:
    """`Remove a label from an issue`: both stay; a person who is taken out loses access."""
    for text in (operation.summary, operation.description[:_OPENING]):
        taken = re.search(r"\bremov(?:e|es|ing) ([^.]{1,80}?) from\b", text, re.IGNORECASE)
        if taken:
            return not _PEOPLE & {singular(word) for word in words(taken[1])}
    return False


def _asks(operation: Operation) -> bool:
    """Kubernetes and its kin ask by creating a review that is never stored."""
    path = operation.call.path if isinstance(operation.call, HttpCall) else ""
    return bool(_QUESTION.search(singular(path.rpartition("/")[2].lower())))


def _text_words(operation: Operation) -> set[str]:
    return {
        singular(word) for word in words(f"{operation.summary} {operation.description[:_OPENING]}")
    }
