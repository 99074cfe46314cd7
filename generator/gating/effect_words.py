"""Judges what a call does by the words that name and describe it; in doubt the graver class.

Destructive is what loses data or access in a way that the same caller cannot undo with one
ordinary call. A method alone cannot tell: RPC-style APIs read by POST and destroy by GET,
and some DELETEs only take back a mark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..model.api import Operation
from ..model.calls import HttpCall
from ..words import singular
from .reversals import is_nested, mark, taken_from
from .shaping import shapes, shows
from .verb_phrases import Place, Verb
from .verb_table import ACTED, NOUNS, VAGUE
from .verbs import READS, is_rpc, segment_words, verbs

Class: TypeAlias = Literal["pure", "write", "destructive"]

_FINAL = re.compile(
    r"\b(?:cannot|can't|can not|can\u2019t) be (?:undone|reversed|recovered|restored)\b"
    r"|\b(?:not|never) (?:recoverable|reversible|undoable)\b|\bno way to (?:recover|restore|undo)\b"
    r"|\birreversibl[ey]\b|\bpermanently (?:delete|remove|destroy|end|erase|lose|stop)"
    r"|\b(?:clos|delet|end|freez|remov|stop)(?:e|es|s|ing)? (?:\w+ ){0,3}permanently\b"
    r"|\bdestructive (?:action|call|operation)\b"
    r"|\b(?:cause|allow|lead to|result in)s? (?:\w+ )?data loss\b",
    re.IGNORECASE,
)
_OPENING = 600  # characters of a description in which a warning is about the call itself
_LOGOUTS = frozenset(("logoff", "logout", "signoff", "signout"))
_HALTS = _LOGOUTS | {"pause", "stop"}
"""What a DELETE that says nothing else ends, and the same caller begins again."""
_REQUESTS = frozenset(("request", "resend", "send"))
"""What is only asked for has not happened: `Request a password reset`."""
_QUESTION_WORDS = """
calculate check compare compute estimate evaluate find preview query search validate
"""
_QUESTIONS = frozenset(_QUESTION_WORDS.split())
"""What may be asked by PUT or PATCH as well."""
_WORK_WORDS = "analyse analyze download extract recognise recognize render synthesize translate"
_WORKS = frozenset(_WORK_WORDS.split())
"""What takes its time, and makes something where the answer is that it was made or begun."""
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
    if grave and (not reads or found[0] in grave or len({verb.place for verb in grave}) > 1):
        return Verdict("destructive", f'{method}, but "{grave[0].word}" destroys')
    if shows(operation) or any(verb.place != "more" for verb in reads):
        return None
    acts = [verb for verb in found if verb.act in ("writes", "undoes", "removes")]
    if is_rpc(operation) and (acts or not found):
        word = f'"{acts[0].word}" acts' if acts else "nothing in its name reads"
        return Verdict("write", f"{method}, but {word}")
    told = any(verb.act in ("reads", "either") for verb in found)
    acting = next(_acting(acts, operation, told=told), None)
    return Verdict("write", f'{method}, but "{acting.word}" acts') if acting else None


def _acting(acts: list[Verb], operation: Operation, *, told: bool) -> Iterator[Verb]:
    """The verbs that make an act of a GET: said twice, or once and beyond doubt.

    `told` is that something else is said of it: `Returns the URL to start a meeting at`.
    """
    plain = [verb for verb in acts if verb.word not in NOUNS - (frozenset() if told else ACTED)]
    sure = [verb for verb in plain if not (told and verb.word in VAGUE)]
    if len({verb.place for verb in sure}) > 1:
        yield sure[0]
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
        return not (mark(operation) or taken_from(operation))
    return verb.act == "destroys" and not _is_thing(verb, found)


def _of_a_delete(operation: Operation, found: list[Verb]) -> Verdict | None:
    """A DELETE that takes back a mark, a switch or a membership loses nothing."""
    acts = {verb.act for verb in found}
    undone = [verb for verb in found if verb.act == "undoes"]
    if not acts & {"destroys", "removes"}:
        undone += [verb for verb in found if verb.word in _HALTS]
    if undone and ("destroys" not in acts or undone[0] == found[0]):
        return Verdict("write", f'DELETE, but "{undone[0].word}" can be undone')
    taken = mark(operation)
    if taken:
        return Verdict("write", f"DELETE, but it takes back a {taken}")
    if "destroys" not in acts and is_nested(operation) and taken_from(operation):
        return Verdict("write", "DELETE, but it only removes something from a list")
    return None


def _of_a_write(operation: Operation, found: list[Verb], method: str) -> Verdict | None:
    if method == "POST" and _asks(operation):
        return Verdict("pure", "POST, but a review of access only answers")
    if method == "POST" and shapes(operation, found):
        return Verdict("pure", "POST, but it only shapes what it is given")
    done = [verb for verb in found if not _is_mentioned(verb, found)]
    grave = [verb for verb in done if verb.act == "destroys"]
    if grave:
        return Verdict("destructive", f'"{grave[0].word}" destroys')
    acts = [verb.act for verb in done if verb.act not in ("reads", "either")]
    if acts[:1] == ["removes"] and not (mark(operation) or taken_from(operation)):
        return Verdict("destructive", '"remove" loses something')
    reads = _reading(operation, found, method)
    if reads and not acts:
        return Verdict("pure", f'{method}, but "{reads[0].word}" reads')
    return None


def _reading(operation: Operation, found: list[Verb], method: str) -> list[Verb]:
    """The verbs that read beyond doubt: by PUT or PATCH those that ask, said twice."""
    opens = any(verb.act == "either" for verb in found)  # `Generate a key`: "Returns the key"
    reads = [verb for verb in found if verb.act == "reads" and not (opens and _answers(verb))]
    if method == "POST":
        return [verb for verb in reads if verb.word not in _WORKS or not _begins(operation)]
    asks = [verb for verb in reads if verb.word in _QUESTIONS]
    return asks if len({verb.place for verb in asks}) > 1 else []


def _begins(operation: Operation) -> bool:
    """Whether every good answer says that something was made (201) or begun (202)."""
    good = {result.status for result in operation.results if result.status.startswith("2")}
    return bool(good) and good <= {"201", "202"}


def _is_mentioned(verb: Verb, found: list[Verb]) -> bool:
    """Whether a word names a thing, is only asked for, or ends no more than a session."""
    said = {other.word for other in found}
    if verb.word == "reset":
        return bool(said & _REQUESTS)
    if said & _LOGOUTS:
        return verb.word in ("expire", "invalidate", "revoke")
    places = _places(verb, found)
    elsewhere = {
        other.place
        for other in found
        if other.act == "reads" and other.place not in places and not _answers(other)
    }
    alone = len(places) == 1 if verb.act == "destroys" else places == {"segment"}
    return verb.word in NOUNS and alone and bool(elsewhere & {"rpc", "id", "text"})


def _answers(verb: Verb) -> bool:
    """Whether a word tells of the answer only, and so of what is done when nothing else does."""
    return verb.word == "returns"


def _is_thing(verb: Verb, found: list[Verb]) -> bool:
    """Whether a word that may be a noun stands in one place only: `GET /transfers`."""
    return verb.word in NOUNS and _places(verb, found) in ({"text"}, {"segment"})


def _places(verb: Verb, found: list[Verb]) -> set[Place]:
    return {other.place for other in found if other.word == verb.word}


def _final(operation: Operation) -> bool:
    return bool(_FINAL.search(f"{operation.summary}. {operation.description[:_OPENING]}"))


def _asks(operation: Operation) -> bool:
    """Kubernetes and its kin ask by creating a review that is never stored, Google by a test."""
    path = operation.call.path if isinstance(operation.call, HttpCall) else ""
    return bool(_QUESTION.search(singular(path.rpartition("/")[2].lower())))
