"""Finds the verbs in what a description says of an operation, and what kind of act each names.

An operation says what it does in up to four places: the last word of an RPC-style path
(`apps.uninstall`, `{name}:cancel`, `?Action=DeleteVpc`), its operationId, the first word of
its summary or else of its description, and the last literal segment of its path. Nothing of
a description leaves this module: only words of these tables do.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from .model.api import Operation
from .model.calls import GraphQLCall
from .words import singular, words

Act: TypeAlias = Literal["reads", "writes", "destroys", "undoes", "removes"]
Place: TypeAlias = Literal["rpc", "id", "text", "segment"]

_TABLE: dict[Act, str] = {
    "reads": """
        browse calculate check compare compute count decode describe diff download estimate evaluate
        explain export fetch find get head introspect inspect lint list lookup parse peek poll preview
        query read render resolve retrieve scan search show simulate suggest translate validate
        verify view wait watch whoami
    """,
    "writes": """
        accept access activate add allocate allow append apply approve archive assign associate
        attach authorize ban begin block book capture change charge claim clone close commit complete configure
        confirm connect convert copy create decline deny deploy detach disallow disassociate dismiss dispatch
        edit enable enqueue exchange exec execute expose extend finalize finish follow fork
        forward generate grant hide import ingest initiate insert install invite invoke issue
        join kick launch leave link lock log mark merge migrate modify move mute notify open order patch
        pause pay pin ping place post process promote provision publish push put queue rebuild
        record redeliver refund register reject release rename renew reopen reorder replace
        replay reply report request rerun resend reserve restart restore resume retry return run
        save schedule send set share sign skip snooze star start stop store submit subscribe
        suspend swap sync tag test touch track trigger update upgrade upload upsert vote write
    """,
    "destroys": """
        abandon abort cancel clear deallocate decommission delete deprovision deregister destroy
        disband discard dissolve drop empty erase evict eviction expire expunge factoryreset flush forget invalidate obliterate
        prune purge redact regenerate reimage reinitialize reset revoke rollback rotate shred terminate
        transfer trash truncate uninstall unpublish unregister void wipe
    """,
    "undoes": """
        deactivate disable unarchive unassign unban unblock unbookmark unfavorite unflag unfollow
        unfreeze unhide unlabel unlike unlock unmark unmute unpause unpin unset unsnooze unstar
        unsubscribe unsuspend untag unvote unwatch
    """,
    "removes": "remove",
}
_ACTS: dict[str, Act] = {word: act for act, listed in _TABLE.items() for word in listed.split()}
_NOUN_WORDS = """
access block book change charge claim copy fork import issue link lock log mark order patch
place post process queue record release reply report request reserve return schedule set share
sign star start store tag test touch track transfer trash trigger update upload vote
"""
NOUNS = frozenset(_NOUN_WORDS.split())
"""Words of the table that as often name a thing: `GET /orders`, "Schedule"."""
_LOSSES = frozenset(("deletion", "erasure"))
"""Nouns that a name ends in when it begins what cannot be kept: `ScheduleKeyDeletion`."""
_AND = frozenset(("and", "or", "then"))
"""Between two verbs of one name: `findAndRemove`, `get_or_create`."""
_PARTICLES = frozenset(("in", "out", "off"))
"""After a verb that reads they make it another: `checkIn`, `Check out the cart`."""
_ADVERB_WORDS = "bulk batch mass force hard soft permanently immediately irreversibly"
_ADVERBS = frozenset(_ADVERB_WORDS.split())
_FORMAT_WORDS = "json xml csv yaml yml html htm txt pdf rss atom ics zip gz png svg"
_FORMATS = frozenset(_FORMAT_WORDS.split())
_TAG = re.compile(r"<[^<>]*>")
_ACTION = re.compile(r"[?#&](?:Action|action|method|cmd|X-Amz-Target)=([A-Za-z0-9_.]+)")
_VERSION = re.compile(r"v\d+(?:(?:alpha|beta)\d*)?")


@dataclass(frozen=True, slots=True)
class Verb:
    """A word of the tables above, and where it stood."""

    word: str
    place: Place

    @property
    def act(self) -> Act:
        """What kind of act it names."""
        return _ACTS[self.word]


def verbs(operation: Operation) -> list[Verb]:
    """The verbs of an operation, those that are hardest to mistake first."""
    method, path = _request(operation)
    summary, description = _opening(operation.summary), _opening(operation.description)
    name = _spoken(operation.operation_id or "", method, path)
    repeats = method == "GET" and _is_of_path(operation.operation_id or "", method, path)
    found = (
        _verb("rpc", rpc_words(path)),
        None if repeats else _id_verb(name, method, "id"),
        _verb("text", summary) or _verb("text", description),
        _verb("segment", _segment(path)),
        _id_verb(name, method, "segment") if repeats else None,
        _second("rpc", rpc_words(path)),
        _second("id", name),
        _second("text", summary or description),
        _second("segment", _segment(path)),
    )
    return [verb for verb in found if verb is not None]


def act_of(word: str) -> Act | None:
    """What kind of act a word names; None for one that the tables do not know."""
    return _ACTS.get(word)


def rpc_words(path: str) -> list[str]:
    """The words of the method name that a path ends in; empty for a path of resources."""
    action = _ACTION.search(path)
    if action:
        return words(action[1].rpartition(".")[2])
    last = path.partition("?")[0].rstrip("/").rpartition("/")[2]
    for mark in (":", "."):
        before, found, after = last.rpartition(mark)
        if found and before and not after.startswith("{") and _is_name(after):
            return words(after)
    return []


def _is_name(text: str) -> bool:
    return text.lower() not in _FORMATS and "}" not in text and not text[:1].isdigit()


def _request(operation: Operation) -> tuple[str, str]:
    """The method, and the path with its literal query; both empty for GraphQL."""
    call = operation.call
    if isinstance(call, GraphQLCall):
        return "", ""
    return call.method, f"{call.path}?{call.query}" if call.query else call.path


def _spoken(operation_id: str, method: str, path: str) -> list[str]:
    """The words of an operationId. A method before the words of the path is none of them."""
    said = words(re.split(r"[/.]", operation_id)[-1])
    return said[1:] if _is_of_path(operation_id, method, path) else said  # `PostAppsSecretsDelete`


def _is_of_path(operation_id: str, method: str, path: str) -> bool:
    """Whether an operationId is a method and words of the path: it says no more than they do."""
    said = words(re.split(r"[/.]", operation_id)[-1])
    return said[:1] == [method.lower()] and bool(set(said[1:2]) & set(words(path)))


def _id_verb(said: list[str], method: str, place: Place) -> Verb | None:
    """The verb that an operationId begins with, else the one it ends with."""
    first = _verb(place, said)
    if method == "POST" and said[-1:] and said[-1] in _LOSSES and not _reads(first):
        return Verb("delete", place)
    return first or _verb(place, said[-1:])


def _reads(verb: Verb | None) -> bool:
    return verb is not None and verb.act == "reads"


def _second(place: Place, said: list[str]) -> Verb | None:
    """The verb after an `and` of a name, or of the beginning of a sentence."""
    for before, word in pairwise(said):
        act = act_of(word) if before in _AND else None
        if act not in (None, "undoes") and (place != "text" or word not in NOUNS):
            return Verb(word, place)
    return None


def _opening(text: str) -> list[str]:
    """The first words of a sentence, its verb without the s of the third person.

    `Returns the account` tells of the answer, whatever the call does: that is no verb.
    """
    said = words(re.split(r"[.;:]\s", _TAG.sub(" ", text[:120]))[0])
    return [] if said[:1] == ["returns"] else [singular(word) for word in said[:6]]


def _segment(path: str) -> list[str]:
    """The words of a literal last segment below another: `prune` of `/images/prune`."""
    segments = [part for part in path.partition("?")[0].split("/") if part]
    if len(segments) < 2 or "{" in segments[-1]:
        return []
    return words(segments[-1])


def _verb(place: Place, said: Iterable[str]) -> Verb | None:
    """The first word that is no adverb and no version, when the tables know it."""
    telling = [word for word in said if word not in _ADVERBS and not _VERSION.fullmatch(word)]
    if not telling or telling[0] not in _ACTS:
        return None
    verb = Verb(telling[0], place)
    return None if verb.act == "reads" and telling[1:2] and telling[1] in _PARTICLES else verb
