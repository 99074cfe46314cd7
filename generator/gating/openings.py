"""Finds the words in which a text begins to tell what an operation does."""

import re

from ..words import singular, words
from .verb_table import act_of

_SEEN = 240  # characters of a text that are looked at
_TAG = re.compile(r"<[^<>]*>")
_END = re.compile(r"[.;!]\s|(?P<label>:\s|\s[-\u2013\u2014]\s)|\n")
_LABEL = 3  # words before a colon or a dash that may only say what follows: `Text - Split it`
_KIND = r"(?:api|call|command|endpoint|function|method|mutation|operation|request|route|service)s?"
_PURPOSE = (
    r"(?:(?:is |can be |may be |should be |must be )?(?:used|useful|meant|intended)?"
    r"(?: to| for| in order to)|(?:allow|let|enable|permit|help)s?(?: \w+){0,4}? to|lets? \w+"
    r"|will|can|(?:attempt|trie|trys?)s? to)"
)
_ADVERB_WORDS = """
asynchronously automatically batch bulk completely directly explicitly force fully hard immediately
irreversibly manually mass multi partially permanently quickly simply soft synchronously temporarily
"""
ADVERBS = frozenset(_ADVERB_WORDS.split())
"""Words before a verb that leave it what it is."""
_ADVERBS = "|".join(sorted(ADVERBS))
_BEFORE = re.compile(
    r"(?:"
    r"[(\[][^()\[\]]{1,60}[)\]]"
    r"|\W+"
    r"|given [^,.]{1,80},"
    r"|(?:async|asynchronous|beta|deprecated|experimental|internal|note|preview|warning)\b"
    rf"|(?:please|{_ADVERBS})\b(?=\W)"
    r"|(?:you (?:can|may) )?use (?:this|the|these)(?: \w+){0,4}? (?:to|for)\b"
    rf"|this(?: [\w/]+){{0,3}}? {_KIND}(?: {_PURPOSE})?\b"
    rf"|(?:the|an?)(?: [\w/]+){{0,3}}? {_KIND} {_PURPOSE}\b"
    rf"|the {_KIND}\b"
    r"|(?:the )?purpose of [\w ]{1,40} is to\b"
    r"|invoke (?:action|function)\b"
    rf"|(?:http |rest )?{_KIND}(?: call)? (?:to|for|that)\b"
    rf"|handles? (?:the |an? )?(?:\w+ )?requests? (?:to|for)\b"
    r"|sends? (?:an? )?(?:\w+ )?requests?(?: to| with)\b"
    r"|(?:provides?|gives?) (?:\w+ )?(?:ability|means|option|possibility|way) to\b"
    r"|(?:allow|let|enable|permit)s?(?: \w+){0,4}? to\b"
    r"|(?:ability|attempts?|tries|used|request|you (?:can|may)|with this \w+ you can|it) to\b"
    r"|(?:to|it|it will|you can|you may|used for)\b(?= )"
    r")\s*",
    re.IGNORECASE,
)
_ANSWERING = {"return": "returns", "returns": "returns", "paginated": "list"}
"""Beginnings that tell of the answer: `Paginated listing of users`."""
_DETERMINERS = "a all an any each every existing its multiple new one several some the this your"
_DETERMINED = frozenset(_DETERMINERS.split())


def opening(text: str) -> list[str]:
    """The words of the first sentence behind what only introduces it, its verb first.

    The verb has no s of the third person and no ing: `This method deletes a photo` and
    `Used for deleting a photo` begin with `delete`. Other words are as they stand.
    """
    said: list[str] = []
    rest = _TAG.sub(" ", text[:_SEEN]).strip()
    while rest:
        end = _END.search(rest)
        said = _spoken(rest[: end.start()] if end else rest)
        if end is None or not _is_label(said, end):
            break
        rest = rest[end.end() :]
    return said


def _is_label(said: list[str], end: re.Match[str]) -> bool:
    """Whether words only stand before what is told: `Description:`, `Deprecated.`, `Text -`."""
    if said[:1] and act_of(said[0]):
        return False
    return len(said) <= _LABEL if end["label"] else said in ([], ["deprecated"])


def _spoken(sentence: str) -> list[str]:
    said = words(_unintroduced(sentence))
    if said[:1] and said[0] in ("un", "re", "de") and len(said) > 1:
        said = [said[0] + said[1], *said[2:]]
    return [_base(said[0], said[1:2]), *said[1:]] if said else []


def _unintroduced(sentence: str) -> str:
    rest = sentence
    while (found := _BEFORE.match(rest)) and found[0] and found.end() < len(rest):
        rest = rest[found.end() :]
    return rest


def _base(word: str, after: list[str]) -> str:
    """A verb in the form that the table has; a word that is none comes back singular."""
    if word in _ANSWERING:
        return _ANSWERING[word]
    bare = singular(word)
    for form in (word, bare, word.removesuffix("es")):
        if act_of(form):
            return form
    if word.endswith("ing") and _DETERMINED.intersection(after):
        stem = word[:-3]
        forms = (stem, f"{stem}e", stem[:-1])
        return next((form for form in forms if act_of(form)), word)
    return bare
