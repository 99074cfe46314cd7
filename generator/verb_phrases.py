"""Hears what a name, a sentence or a segment of a path says that is done: one verb, or none.

Nothing of a description leaves this module: only words of our own tables do.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from .openings import ADVERBS
from .verb_table import ACTED, LOSSES, NOUNS, READINGS, VAGUE, Act, act_of, restores
from .words import singular, words

Place: TypeAlias = Literal["rpc", "id", "text", "segment"]

_AND = frozenset(("and", "or", "then"))
"""Between two verbs of one name: `findAndRemove`, `get_or_create`."""
_PARTICLES = frozenset(("in", "out", "off"))
"""After a verb that reads they make it another: `checkIn`, `Check out the cart`."""
_CARRIES = frozenset(("conduct", "do", "execute", "make", "perform", "run"))
"""What they do, their object says: `Run a search`."""
_IF = frozenset(("if", "that", "whether"))
"""After a verb that may read they make it a question: `Verify whether an address exists`."""
_GIVES = frozenset(("fetch", "generate", "get", "obtain", "retrieve", "returns"))
_CREDENTIALS = frozenset(("credential", "otp", "token"))
"""What is made when it is given: `Obtain an access token` by POST, `Generate a token` by GET."""
_MADE = frozenset(("added", "created", "generated", "new", "newly", "saved", "updated"))
"""`Returns the created item` tells of the answer, not of what is done."""
_STATES = frozenset(("read", "view"))
"""At an end they name what a thing becomes: `POST /messages/{id}/read`."""
_ENDS = frozenset(("fetch", "find", "get", "retrieve"))
"""Verbs that read and name no thing, where a name ends in one: `ContactsGet`."""
_PREPOSITION_WORDS = """
across against and as at based before between by during for from in into of on or over that through
to using via when where which who with without
"""
_PREPOSITIONS = frozenset(_PREPOSITION_WORDS.split())
"""Where the object of a verb ends."""
_KINDS = frozenset(("api", "call", "endpoint", "operation", "request", "service"))
_NAME, _PHRASE = 6, 8  # words of a text that may name its verb, that may be its object
_VERSION = re.compile(r"v\d+(?:(?:alpha|beta)\d*)?")
_FUSED = re.compile(r"(cancel|create|delete|remove|revoke|update)(?!d|l|s|ing|rs?$)[a-z]{3,}")
"""Two words that nothing parts, `deleteaccount`; not `updates`, `creators` or `cancellation`."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A word of the tables, and where it stood."""

    word: str
    place: Place

    @property
    def act(self) -> Act:
        """What kind of act it names."""
        act = act_of(self.word)
        assert act is not None
        return act


def first(place: Place, said: Sequence[str]) -> Verb | None:
    """The first word that is no adverb and no version, when the tables know it."""
    telling = [word for word in said if word not in ADVERBS and not _VERSION.fullmatch(word)]
    if not telling:
        return None
    fused = _FUSED.fullmatch(telling[0])
    word = fused[1] if fused else telling[0]
    act = act_of(word)
    if act is None or (act == "reads" and telling[1:2] and telling[1] in _PARTICLES):
        return None
    return Verb(word, place)


def second(place: Place, said: Sequence[str]) -> Verb | None:
    """The verb after an `and` of a name, or of a sentence."""
    for before, word in pairwise(said):
        bare = singular(word) if place == "text" else word
        act = act_of(bare) if before in _AND else None
        if act not in (None, "undoes") and (place != "text" or bare not in NOUNS):
            return Verb(bare, place)
    return None


# ── names and segments ──────────────────────────────────────────────────────────────


def of_name(groups: Sequence[Sequence[str]], *, loses: bool) -> Verb | None:
    """The verb that an operationId begins with, else one of its groups, else the one it ends with.

    `Configurations_ListAll` has two groups. A name of three words that begins with what is
    rather a thing says it at its end or not at all: `orderItemsCancel`, `orderStatusList`.
    """
    said = [word for group in groups for word in group]
    begins, ends = first("id", said), _of_last(said)
    if loses and said[-1:] and said[-1] in LOSSES and not _reads(begins):
        return Verb(LOSSES[said[-1]], "id")
    if begins and len(said) > 2 and begins.word in NOUNS - ACTED:
        return None if act_of(said[-1]) == "reads" else ends or begins
    within = (first("id", group) for group in groups if group[0] not in NOUNS)
    return begins or next((verb for verb in within if verb), None) or ends


def _of_last(said: Sequence[str]) -> Verb | None:
    """The verb that a longer name ends with, or what a noun there says: `KeywordExtraction`.

    `DecreaseReplicaCount` counts nothing: its verb may be one that no table has.
    """
    if len(said) < 2 or said[-1] in NOUNS:
        return None
    verb = first("id", [READINGS.get(said[-1], said[-1])])
    sure = said[-1] in READINGS or said[-1] in _ENDS
    return None if _reads(verb) and not sure else verb


def of_segment(literal: str, values: int, *, loses: bool) -> Verb | None:
    """The verb of the last literal segment, where it cannot well be a thing.

    `values` tells how many parameters follow it.
    """
    said = words(literal)
    if not said or (said[0] in NOUNS and (values or len(said) > 1) and said[0] not in ACTED):
        return None
    if loses and len(said) == 1 and singular(said[0]) in LOSSES and not values:
        return Verb(LOSSES[singular(said[0])], "segment")
    verb = first("segment", said)
    return None if _reads(verb) and (values or said[-1] in _STATES) else verb


# ── sentences ───────────────────────────────────────────────────────────────────────


def of_texts(
    summary: Sequence[str], description: Sequence[str], *, loses: bool
) -> Iterator[Verb | None]:
    """The verb of the summary, and beside it that of a description that does more than it."""
    told, more = _of_text(summary, loses=loses), _of_text(description, loses=loses)
    yield told
    if told is None or (more and (more.word == "returns" or _says_more(more, told))):
        yield more


def _says_more(verb: Verb, told: Verb) -> bool:
    """Whether a word says for certain that something is done, or what was left open."""
    if verb.act in ("reads", "either"):
        return told.act == "either"
    return verb.word not in VAGUE and verb.word not in NOUNS - ACTED


def _of_text(said: Sequence[str], *, loses: bool) -> Verb | None:
    """The verb of a sentence, or what its object makes of one that says little."""
    verb = first("text", said[:_NAME])
    if verb is None:
        return _of_title(said)
    if verb.word == "returns" and _MADE.intersection(said):
        return None
    if verb.act == "either" and _IF.intersection(said[1:2]):
        return Verb("check", "text")
    meant = _of_object(verb.word, verb.act, list(_object(said[1:])), loses=loses)
    return Verb(meant, "text") if meant else verb


def _of_object(word: str, act: Act, things: Sequence[str], *, loses: bool) -> str | None:
    """What a verb's object says is done, where it says more than the verb."""
    head = singular(things[-1]) if things else ""
    if word in _GIVES and head in _CREDENTIALS and (loses or word == "generate"):
        return "create"
    if word in _CARRIES:
        done = next((thing for thing in (head, *things[:2]) if _is_reading(thing)), None)
        return READINGS.get(done, done) if done else None
    if loses and act in ("writes", "either") and not restores(word) and _is_loss(head):
        return LOSSES.get(head, head)
    return None


def _of_title(said: Sequence[str]) -> Verb | None:
    """The verb or the reading that a title ends with: `Logins List`, `Bad Word Filter`."""
    titled = list(_object(said))
    if len(titled) < 2 or len(said) > _PHRASE or titled[0] in _MADE:
        return None
    last = titled[-1]
    if last in READINGS:
        return Verb(READINGS[last], "text")
    return Verb(last, "text") if act_of(last) and last not in NOUNS else None


def _object(said: Sequence[str]) -> Iterator[str]:
    """The words up to the first preposition, without the kind of call that ends them."""
    for word in said[:_PHRASE]:
        if word in _PREPOSITIONS:
            return
        if word not in _KINDS:
            yield word


def _is_reading(word: str) -> bool:
    return word in READINGS or act_of(word) == "reads"


def _is_loss(head: str) -> bool:
    return head in LOSSES or (act_of(head) == "destroys" and head not in NOUNS and head != "reset")


def _reads(verb: Verb | None) -> bool:
    return verb is not None and verb.act == "reads"
