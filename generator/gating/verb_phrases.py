"""Hears what a name, a sentence or a segment of a path says that is done: one verb, or none.

Nothing of a description leaves this module: only words of our own tables do.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from ..words import singular, words
from .openings import ADVERBS
from .verb_objects import meant, meant_of_name, object_of
from .verb_table import ACTED, LOSSES, NOUNS, READINGS, VAGUE, Act, act_of

Place: TypeAlias = Literal["rpc", "id", "text", "more", "segment"]
"""`more` is what a description says beside a summary that has said it all."""

_AND = frozenset(("and", "or", "then"))
"""Between two verbs of one name: `findAndRemove`, `get_or_create`."""
_BETWEEN = ADVERBS | {"also"}
"""After it, and before the verb: `and also delete`."""
_PARTICLES = frozenset(("in", "out", "off"))
"""After a verb that reads they make it another: `checkIn`, `Check out the cart`."""
_LOGS = frozenset(("log", "sign"))
"""Before a particle they are a verb of one word: `logOut`, `Sign in`."""
_ASKS = frozenset(("are", "can", "does", "has", "is"))
"""A name that begins with one is a question: `canMoveSubTask`, `isCloneable`."""
_REPORTED_WORDS = (
    "analytics details history info information progress state statistics stats status"
)
_REPORTED = frozenset(_REPORTED_WORDS.split())
_EDITS = frozenset(("change", "clear", "delete", "edit", "put", "remove", "reset", "set", "update"))
"""Verbs that do something to a state; others only tell which: `importStatus`, `Send Analytics`."""
_IF = frozenset(("if", "that", "whether"))
"""After a verb that may read they make it a question: `Verify whether an address exists`."""
_HANDS = frozenset(("send", "submit", "upload"))
"""What is done with what is read, beside `Analyze a recipe`: `Send it to this endpoint`."""
_MADE = frozenset(("added", "created", "generated", "new", "newly", "saved", "updated"))
"""`Returns the created item` tells of the answer, not of what is done."""
_STATES = frozenset(("read", "view"))
"""At an end they name what a thing becomes: `POST /messages/{id}/read`."""
_ENDS = frozenset(("fetch", "find", "get", "retrieve"))
"""Verbs that read and name no thing, where a name ends in one: `ContactsGet`."""
_PLAIN = frozenset(("create", "delete", "update"))
"""Verbs that are never a thing, so that what a name begins with is: `transferIntentCreate`."""
_NAME, _TITLE = 6, 8  # words of a text that may name its verb, of a text that is a title
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
    word, after = fused[1] if fused else telling[0], telling[1:2]
    if word in _LOGS and after and after[0] in _PARTICLES:
        word += after[0]
    if word in _ASKS and after and place != "text":
        return Verb("check", place)
    act = act_of(word)
    if act is None or (act == "reads" and after and after[0] in _PARTICLES):
        return None
    return None if word == "forget" and "password" in telling[1:3] else Verb(word, place)


def second(place: Place, said: Sequence[str]) -> Verb | None:
    """The verb after an `and` of a name, or of a sentence, that does more than read."""
    for before, word in pairwise(word for word in said if word not in _BETWEEN):
        if before not in _AND:
            continue
        bare = singular(word) if place == "text" else word
        acts = act_of(bare) in ("writes", "destroys", "removes")
        if acts and (place != "text" or bare not in NOUNS):
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
    if begins and not loses and _is_reported(begins, said):
        return None
    word = meant_of_name(begins.word, said[1:], loses=loses) if begins else None
    if word:
        return Verb(word, "id")
    if loses and said[-1:] and said[-1] in LOSSES and not _reads(begins):
        return Verb(LOSSES[said[-1]], "id")
    if begins and len(said) > 2 and begins.word in NOUNS:
        if said[-1] in _PLAIN:
            return Verb(said[-1], "id")
        if begins.word not in ACTED:
            return None if act_of(said[-1]) == "reads" else ends or begins
    return begins or next(_within(groups), None) or ends


def _within(groups: Sequence[Sequence[str]]) -> Iterator[Verb]:
    """The verbs that groups begin with; of single words only the second may be one that reads."""
    for at, group in enumerate(groups):
        verb = first("id", group) if group[0] not in NOUNS else None
        if verb and (not _reads(verb) or at == 1 or any(len(other) > 1 for other in groups)):
            yield verb


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
    if verb and not loses and _is_reported(verb, said):
        return None
    word = meant_of_name(verb.word, said[1:], loses=loses) if verb else None
    if word:
        return Verb(word, "segment")
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
    elif more and more.act == "reads" and not loses:
        yield Verb(more.word, "more")


def _says_more(verb: Verb, told: Verb) -> bool:
    """Whether a word says for certain that something is done, or what was left open."""
    if verb.act in ("reads", "either"):
        return told.act == "either"
    handed = told.act == "reads" and verb.word in _HANDS
    return not handed and verb.word not in VAGUE and verb.word not in NOUNS - ACTED


def _of_text(said: Sequence[str], *, loses: bool) -> Verb | None:
    """The verb of a sentence, or what its object makes of one that says little."""
    verb = first("text", said[:_NAME])
    if verb is None:
        return _of_title(said)
    if verb.word == "returns" and _MADE.intersection(said):
        return None
    if not loses and len(said) <= _NAME and _is_reported(verb, said):
        return None
    if verb.act == "either" and _IF.intersection(said[1:2]):
        return Verb("check", "text")
    word = meant(verb.word, verb.act, list(object_of(said[1:])), loses=loses)
    return Verb(word, "text") if word else verb


def _of_title(said: Sequence[str]) -> Verb | None:
    """The verb or the reading that a title ends with: `Logins List`, `Bad Word Filter`."""
    titled = list(object_of(said))
    if len(titled) < 2 or len(said) > _TITLE or titled[0] in _MADE:
        return None
    last = titled[-1]
    if last in READINGS:
        return Verb(READINGS[last], "text")
    return Verb(last, "text") if act_of(last) and last not in NOUNS else None


def _is_reported(verb: Verb, said: Sequence[str]) -> bool:
    """Whether it is the state of an act that is asked for: `deviceImportStatus`."""
    return len(said) > 1 and said[-1] in _REPORTED and verb.word not in _EDITS and not _reads(verb)


def _reads(verb: Verb | None) -> bool:
    return verb is not None and verb.act == "reads"
