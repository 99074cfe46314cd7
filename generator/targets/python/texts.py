"""Descriptions cut to a line or two, for places beside the full text in the schemas."""

import re

DESCRIPTION = 600
"""The most characters of a group's or a package's description that its docstring holds."""

_SENTENCE = re.compile(r"[.!?](?=\s)")


def brief(text: str, limit: int) -> str:
    """The first paragraph in one line, cut at a sentence or a word within `limit` characters."""
    paragraph = text.strip().partition("\n\n")[0]
    line = " ".join(paragraph.split())
    if len(line) <= limit:
        return line
    ends = [match.end() for match in _SENTENCE.finditer(line, 0, limit)]
    if ends:
        return line[: ends[-1]]
    head, _, _ = line[:limit].rpartition(" ")
    return f"{head or line[:limit]}…"
