"""Tells what the object of a verb makes of it: `Run a search` reads, `Close an account` loses."""

from collections.abc import Iterator, Sequence

from ..words import singular
from .verb_table import LOSSES, NOUNS, READINGS, Act, act_of, restores

_CARRIES = frozenset(("conduct", "do", "execute", "make", "perform", "run", "submit"))
"""What they do, their object says: `Run a search`."""
_BEGINS = frozenset(("begin", "initiate", "start"))
"""They too, where nothing can begin that lasts: a GET."""
_GIVES = frozenset(("fetch", "generate", "get", "obtain", "retrieve", "returns"))
_CREDENTIALS = frozenset(("credential", "otp", "token"))
"""What is made when it is given: `Obtain an access token` by POST, `Generate a token` by GET."""
_TESTED_WORDS = """
config configuration connection connectivity credential definition expression identifier pattern
permission query template
"""
_TESTED = frozenset(_TESTED_WORDS.split())
"""What a test only looks at; a tested failover fails over."""
_SENT = frozenset(("email", "hook", "notification", "sms", "webhook"))
"""What a test sends."""
_PRODUCES = frozenset(("build", "create", "generate"))
_STOPS = frozenset(("abort", "cancel", "stop"))
"""What they stop is not lost: `Cancel the deletion`."""
_ENDS = frozenset(("close", "end"))
_RECORD_WORDS = "account company contact customer lead organization person profile user version"
_LOST: dict[str, tuple[str, frozenset[str]]] = {
    "close": ("terminate", frozenset(("account", "position"))),
    "merge": ("dissolve", frozenset(_RECORD_WORDS.split())),
    "release": ("deallocate", frozenset(("address", "ip", "number"))),
}
"""Verbs that lose some objects only, and what they then do: of merged records one is left."""
_PREPOSITION_WORDS = """
across against and as at based before between by during for from in into of on or over that through
to using via when where which who with without
"""
_PREPOSITIONS = frozenset(_PREPOSITION_WORDS.split())
"""Where the object of a verb ends."""
_KINDS = frozenset(("api", "call", "endpoint", "operation", "request", "service"))
_AMOUNTS = frozenset(("pair", "set"))
"""Before an `of` they only tell how many: `a set of temporary credentials`."""
_PHRASE = 8  # words of a text that may be the object


def meant(verb: str, act: Act, object_: Sequence[str], *, loses: bool) -> str | None:
    """What a verb's object says is done, where it says more than the verb.

    `loses` is that the method is none that only reads.
    """
    head = singular(object_[-1]) if object_ else ""
    if verb in _PRODUCES and head == "preview":
        return head
    if verb in _GIVES and head in _CREDENTIALS and (loses or verb == "generate"):
        return "create"
    carried = _carried(verb, (head, *object_[:2]), loses=loses)
    if carried or not loses:
        return carried
    if verb in _STOPS and head in LOSSES:
        return "restore"
    if verb in _LOST and head in _LOST[verb][1]:
        return _LOST[verb][0]
    if verb in _ENDS and head == "session":
        return "logout"
    if act in ("writes", "either") and not restores(verb) and _is_loss(head):
        return LOSSES.get(head, head)
    return None


def meant_of_name(verb: str, said: Sequence[str], *, loses: bool) -> str | None:
    """The same of a name, where an object is harder to tell."""
    if verb in _STOPS and loses and said[-1:] and said[-1] in LOSSES:
        return "restore"
    return None if loses and verb != "test" else _carried(verb, said, loses=loses)


def _carried(verb: str, object_: Sequence[str], *, loses: bool) -> str | None:
    """The reading that a verb which says little carries out."""
    tested = {singular(word) for word in object_} if verb == "test" else set[str]()
    if tested & _TESTED and not tested & _SENT:
        return "check"
    if verb in _CARRIES or (verb in _BEGINS and not loses):
        done = next((word for word in object_ if _is_reading(word)), None)
        return READINGS.get(done, done) if done else None
    return None


def object_of(said: Sequence[str]) -> Iterator[str]:
    """The words up to the first preposition, without the kind of call that ends them."""
    before = ""
    for word in said[:_PHRASE]:
        if word in _PREPOSITIONS and not (word == "of" and before in _AMOUNTS):
            return
        if word not in _KINDS:
            yield word
        before = word


def _is_reading(word: str) -> bool:
    """Whether a word reads, as a verb or as the noun of one."""
    return word in READINGS or act_of(word) == "reads"


def _is_loss(head: str) -> bool:
    return head in LOSSES or (act_of(head) == "destroys" and head not in NOUNS and head != "reset")
