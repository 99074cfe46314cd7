"""Tells a call that only shapes what it is given, or shows what there is as a file."""

import re
from collections.abc import Sequence

from ..model.api import Operation
from ..model.calls import HttpCall
from ..words import singular, words
from .openings import opening
from .verb_phrases import Verb

_FILE = re.compile(r"application/(?:pdf|zip)\b|(?:audio|font|image|video)/", re.IGNORECASE)
_STREAM = re.compile(r"text/event-stream\b", re.IGNORECASE)
_MAKES = frozenset(("build", "capture", "combine", "export", "generate", "make", "merge", "save"))
"""What makes a file, also of something that is kept."""
_SHAPING_WORDS = "add clean clear convert remove resize reverse rotate transform update write"
_SHAPES = frozenset(_SHAPING_WORDS.split()) | _MAKES
"""What is done to a file that is given; to something that is kept it would do more."""
_TRANSFORMING_WORDS = """
clean combine compress concatenate convert crop format merge minify optimize resize reverse rotate
split transform watermark
"""
_TRANSFORMS = frozenset(_TRANSFORMING_WORDS.split())
_CONTENT_WORDS = """
audio csv html image json markdown pdf photo png pptx speech sql string svg text unit video xml yaml
"""
_CONTENT = frozenset(_CONTENT_WORDS.split())
_SEEN = 10  # words of a text in which its content is named


def shapes(operation: Operation, found: Sequence[Verb]) -> bool:
    """Whether a POST answers with a file that it makes, or with the text that it was given.

    A path with a parameter names something that is kept.
    """
    given = isinstance(operation.call, HttpCall) and "{" not in operation.call.path
    acts = {verb.word for verb in found if verb.act not in ("reads", "either")}
    if _answers(operation, _FILE):
        return acts <= (_SHAPES if given else _MAKES)
    return given and acts <= _SHAPES and _is_of_content(operation)


def shows(operation: Operation) -> bool:
    """Whether a GET answers with a file or goes on telling: `Create ZIP archive`, `Subscribe`."""
    return _answers(operation, _FILE) or _answers(operation, _STREAM)


def _answers(operation: Operation, media_type: re.Pattern[str]) -> bool:
    """Whether an answer is of a kind, and no news of something made (201) or begun (202)."""
    return any(
        result.status in ("200", "2XX") and media_type.match(result.media_type or "")
        for result in operation.results
    )


def _is_of_content(operation: Operation) -> bool:
    """Whether a text or the name begins with what is done to content: `Convert HTML to text`."""
    if any(result.status in ("201", "202") for result in operation.results):
        return False
    texts = (operation.summary, operation.description)
    said = (*(opening(text) for text in texts), words(operation.operation_id or ""))
    return any(
        spoken[:1]
        and spoken[0] in _TRANSFORMS
        and _CONTENT.intersection(singular(word) for word in spoken[1:_SEEN])
        for spoken in said
    )
