"""Writes what a model reads of a tool: the description's own words, and nothing invented."""

from ..runtime.shown.sentences import cut
from .model.api import Operation
from .model.catalogue import RateLimit

_CHARACTERS = 4  # per token
_DEPRECATED = "[deprecated] "
_SURROGATES = {code: "\ufffd" for code in range(0xD800, 0xE000)}  # JSON can name halves of pairs
_UNITS = {1: "second", 60: "minute", 3600: "hour", 86400: "day"}


def describe(operation: Operation, rate: RateLimit | None, tokens: int) -> str:
    """Summary, description and documented limits, in at most about `tokens` tokens.

    `[deprecated]` comes first, limits are never cut away. Without a word in the
    description, the method and path say what there is to say.
    """
    opening = _DEPRECATED if operation.deprecated else ""
    limits = f"\n\n{_rate(rate)}" if rate else ""
    text = _text(operation) or operation.key
    room = tokens * _CHARACTERS - len(opening) - len(limits)
    return f"{opening}{cut(text, max(room, 0))}{limits}"


def written(text: str, *, deprecated: bool) -> str:
    """A description that the user wrote; it is not cut."""
    return f"{_DEPRECATED}{text}" if deprecated else text


def _text(operation: Operation) -> str:
    """Both texts as the author wrote them, or one where it opens with the other."""
    summary, description = _tidy(operation.summary), _tidy(operation.description)
    if not summary or description.startswith(summary):
        return description
    return f"{summary}\n\n{description}".rstrip("\n")


def _tidy(text: str) -> str:
    """Lines end in `\\n`, nothing stands around the text; inside it is left alone."""
    return text.translate(_SURROGATES).replace("\r\n", "\n").replace("\r", "\n").strip()


def _rate(limit: RateLimit) -> str:
    unit = _UNITS.get(int(limit.seconds)) if float(limit.seconds).is_integer() else None
    period = unit or f"{limit.seconds:g} seconds"
    return f"Rate limit: {limit.requests:g} requests per {period}."
