"""The one printer of literals and the one printer of docstrings, as `ruff format` would print them.

Whatever text comes from a description reaches generated code through here: it stays
data, and everything invisible in it is written as an escape.
"""

import math
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

WIDTH = 88  # ruff's default line length

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPACES = re.compile(r"[\t\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_QUOTES = re.compile(r'"+')
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PROSE = re.compile(r" {0,3}(?!\[[^\]]*\]:)[^\s|#>~<=+:-]")
_BULLET = re.compile(r" *(?:[-*+]|\d{1,3}[.)])\s+")


def string(text: str) -> str:
    """A string literal that reads back as `text`; double quotes unless single ones escape less."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = "".join(map(_escape, text))
    return f"{quote}{body.replace(quote, chr(92) + quote)}{quote}"


def scalar(value: object) -> str:
    """A literal of None, a boolean, a number or a string; of other values a TypeError."""
    match value:
        case str():
            return string(value)
        case None | bool() | int():
            return repr(value)
        case float() if math.isfinite(value):
            return repr(value)
        case float():
            return f'float("{value}")'
        case _:
            raise TypeError(f"no literal is printed for {type(value).__name__}")


def width(text: str) -> int:
    """The columns a line takes, as ruff counts them: wide characters are two, marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def docstring(text: str, indent: int) -> str:
    """A docstring literal whose first line stands at `indent` columns; "" for blank text.

    It reads back as `text` except for white space: every kind of space becomes a plain
    one and every line end `\\n`, lines lose trailing space and a common indentation, and
    long lines of prose are wrapped. A raw literal is used where it spares backslashes.
    """
    lines = tidy_lines(text)
    if not lines:
        return ""
    return quoted_lines(_dedented(list(_prose_wrapped(lines, WIDTH - indent))), indent)


def _prose_wrapped(lines: list[str], columns: int) -> Iterator[str]:
    """The lines, those between code fences as they are."""
    fenced = False
    for line in lines:
        is_fence = _FENCE.match(line) is not None
        fenced ^= is_fence
        yield from [line] if fenced or is_fence else wrap(line, columns)


def quoted_lines(lines: list[str], indent: int) -> str:
    """Finished lines between triple quotes, the closing ones on their own line if there are many."""
    body = "\n".join(lines)
    raw = "\\" in body and _fits_raw(body)
    if not raw:
        body = _escape_body(body)
    margin = " " * indent
    printed = "\n".join(
        margin + line if line and number else line for number, line in enumerate(body.split("\n"))
    )
    end = f"\n{margin}" if len(lines) > 1 else ""
    return f'{"r" if raw else ""}"""{printed}{end}"""'


def tidy_lines(text: str) -> list[str]:
    """The lines of a text with white space made plain, as `docstring` promises it."""
    if "\n" not in text and "\r" not in text and "\t" not in text:
        line = _SPACES.sub(" ", text).strip()
        return [line] if line else []
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    lines = [_SPACES.sub(" ", line).rstrip() for line in text.strip().split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return _dedented(lines)


def _dedented(lines: list[str]) -> list[str]:
    """Lines without the indentation that all but the first share, as PEP 257 reads them."""
    if len(lines) == 1:
        return [lines[0].lstrip()]
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line]
    margin = min(margins, default=0)
    return [line[margin:] if number else line.lstrip() for number, line in enumerate(lines)]


def wrap(line: str, columns: int, hanging: str | None = None) -> list[str]:
    """A line of prose cut at spaces; code, tables and headings stay as they are.

    Lines after the first are indented by `hanging`, by default as a list item asks.
    """
    if len(line) <= columns or (hanging is None and not _wraps(line)):
        return [line]
    return list(_wrapped(line, columns, hanging))


@lru_cache(maxsize=4096)  # an API explains its common parameters once an operation
def _wrapped(line: str, columns: int, hanging: str | None) -> tuple[str, ...]:
    bullet = _BULLET.match(line)
    body = line.lstrip()
    inner = bullet.end() if bullet else len(line) - len(body)
    margin = " " * inner if hanging is None else hanging
    lines: list[str] = []
    current = line[: len(line) - len(body)]
    for word in body.split(" "):
        if len(current) + len(word) > columns and current.strip():
            lines.append(current.rstrip())
            current = margin
        current += f"{word} "
    lines.append(current.rstrip())
    return tuple(lines)


def _wraps(line: str) -> bool:
    return bool(_PROSE.match(line) or _BULLET.match(line))


def _fits_raw(body: str) -> bool:
    visible = body.replace("\n", "").isprintable()
    return visible and '"""' not in body and body[0] != '"' and body[-1] not in '"\\'


def _escape_body(body: str) -> str:
    if not body.replace("\n", "").isprintable() or "\\" in body:
        body = "".join(character if character == "\n" else _escape(character) for character in body)
    return _QUOTES.sub(lambda run: _escape_quotes(run, len(body)), body)


def _escape_quotes(run: re.Match[str], length: int) -> str:
    """Quotes that could end the literal: three or more, and those at either end."""
    quotes = run.group()
    if len(quotes) > 2 or run.start() == 0 or run.end() == length:
        return quotes.replace('"', '\\"')
    return quotes


def _escape(character: str) -> str:
    if character.isprintable() and character != "\\":
        return character
    code = ord(character)
    if escape := _ESCAPES.get(character):
        return escape
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _columns(character: str) -> int:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 0 if unicodedata.category(character) in ("Mn", "Me", "Cf") else 1
