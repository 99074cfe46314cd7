"""Reading `WWW-Authenticate` (RFC 9110 section 11): what a server asks for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .request import Answer


@dataclass(frozen=True, slots=True)
class Challenge:
    """One challenge: the scheme in lower case and its parameters, names in lower case."""

    scheme: str
    parameters: Mapping[str, str]


def challenges(answer: Answer, scheme: str) -> list[Challenge]:
    """The challenges of one scheme, in the order they stand."""
    text = answer.header("WWW-Authenticate") or ""
    return [challenge for challenge in _parse(text) if challenge.scheme == scheme]


def _parse(text: str) -> Iterator[Challenge]:
    """Challenges and their parameters are both separated by commas: a name that is not
    followed by `=` starts the next challenge. What cannot be read is passed over."""
    scheme: str | None = None
    parameters: dict[str, str] = {}
    for match in _PIECE.finditer(text):
        if match["name"]:
            parameters.setdefault(match["name"].lower(), _value(match["value"]))
            continue
        if scheme:
            yield Challenge(scheme, parameters)
        scheme, parameters = match["scheme"].lower(), {}
    if scheme:
        yield Challenge(scheme, parameters)


def _value(written: str) -> str:
    if written.startswith('"'):
        return re.sub(r"\\(.)", r"\1", written[1:-1])
    return written


_LETTER = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]"
_WORD = rf"(?<!{_LETTER}){_LETTER}++"  # whole, so that a header is gone through once
_PIECE = re.compile(
    rf"""(?P<name>{_WORD})[ \t]*=[ \t]*(?P<value>"(?:[^"\\]|\\.)*"|{_WORD})(?=[ \t]*(?:,|$))"""
    rf"|(?P<scheme>{_WORD})(?![ \t]*=)(?=[ \t]|,|$)"
)
