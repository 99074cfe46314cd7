"""Error answers as one readable line: RFC 9457 problems, and the shapes other services use."""

import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from .response import ResponseProblem, decode
from .values import is_array, is_object

MESSAGE = 600
"""Characters of an error's message."""

_SPEAKING = (
    "title",
    "message",
    "msg",
    "detail",
    "error",
    "error_description",
    "description",
    "reason",
    "errors",
    "details",
    "invalid-params",
    "invalid_params",
    "violations",
)
_PLACES = ("name", "field", "pointer", "loc", "param", "path", "parameter")
_ITEMS = 5  # of a list of errors
_DEPTH = 4
_READ = 8000  # characters of a page
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_HIDDEN = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def explain(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """`404 Not Found: no such pet`, at most MESSAGE characters on one line.

    What follows the colon is the server's text: as untrusted as any other result, and not yet
    redacted.
    """
    phrase = _phrase(status)
    head = f"{status} {phrase}".strip()
    said = [text for text in _unique(_said(headers, body)) if text.lower() != phrase.lower()]
    text = f"{head}: {'; '.join(said)}" if said else head
    return text if len(text) <= MESSAGE else text[: MESSAGE - 1] + "…"


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _said(headers: Mapping[str, str], body: bytes) -> Iterator[str]:
    try:
        data = decode(headers, body, accept=("application/json",))
    except ResponseProblem as problem:
        data = str(problem)
    if isinstance(data, str):
        yield _readable(data)
    elif is_object(data) and "data_base64" in data:
        yield f"{len(body)} bytes of {data.get('content_type', 'unknown type')}"
    elif data is not None:
        sentences = list(_sentences(data, 0))
        yield from sentences or [json.dumps(data, ensure_ascii=False)[:MESSAGE]]


def _sentences(value: Any, depth: int) -> Iterator[str]:
    """What a JSON error says in words, outermost first, with the place each part is about."""
    if isinstance(value, str):
        yield value
    elif depth == _DEPTH:
        return
    elif is_array(value):
        for item in value[:_ITEMS]:
            yield from _sentences(item, depth + 1)
    elif is_object(value):
        place = next((_place(value[name]) for name in _PLACES if value.get(name)), "")
        spoken = [
            text
            for name in _SPEAKING
            if name in value
            for text in _sentences(value[name], depth + 1)
        ]
        if not spoken and depth and isinstance(value.get("code"), str):
            spoken = [value["code"]]
        yield from (f"{place}: {text}" if place and depth else text for text in spoken)


def _place(value: Any) -> str:
    if is_array(value):
        return ".".join(str(part) for part in value if isinstance(part, str | int))
    return value if isinstance(value, str) else ""


def _readable(text: str) -> str:
    """Plain text as it is; of an HTML page its title, else its words. Only its beginning is read."""
    text = text[:_READ]
    if "<" not in text[:200]:
        return text
    from html import unescape

    title = _TITLE.search(text)
    words = title[1] if title and title[1].strip() else _TAG.sub(" ", _HIDDEN.sub(" ", text))
    return unescape(words)


def _unique(texts: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        printable = "".join(c if c.isprintable() else " " for c in text[:_READ])
        line = " ".join(printable.split())
        if line and line not in seen:
            seen.add(line)
            yield line
