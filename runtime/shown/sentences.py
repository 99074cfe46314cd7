"""Cuts prose at the end of a sentence."""

import re
from collections.abc import Iterator

_END = re.compile(r"[.!?](?=\s)|[。！？]|\n(?=[ \t]*\n)")  # noqa: RUF001 - they end sentences too
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|[A-Z])\.)$", re.IGNORECASE
)
_FENCE = "```"
BRIEF = 160
"""How many characters a brief description may have."""
_WINDOW = 4 * BRIEF  # whoever indents a lot still has a first sentence in there


def brief(text: str) -> str:
    """The first sentence of a text, on one line, in at most `BRIEF` characters."""
    line = " ".join(_first_sentence(text.strip()[:_WINDOW]).split())
    return line if len(line) <= BRIEF else _at_word(line, BRIEF)


def cut(text: str, characters: int) -> str:
    """The longest run of whole sentences that fits; without one, of whole words and `…`.

    A text that fits is returned as it is. A code fence is never left open.
    """
    if len(text) <= characters:
        return text
    ends = [end for end in _sentence_ends(text[: characters + 1]) if end <= characters]
    kept = text[: ends[-1]] if ends else _at_word(text, characters)
    if kept.count(_FENCE) % 2:
        kept = kept[: kept.rindex(_FENCE)]
    return kept.rstrip()


def _first_sentence(text: str) -> str:
    return text[: next(_sentence_ends(text), len(text))]


def _sentence_ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        end = match.end()
        if not _ABBREVIATION.search(text, max(0, end - 12), end):
            yield end


def _at_word(text: str, characters: int) -> str:
    head = text[: max(characters - 1, 0)]
    space = max(head.rfind(" "), head.rfind("\n"))
    return (head[:space] if space > characters // 2 else head).rstrip() + "…"
