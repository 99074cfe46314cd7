"""Regular expressions of ECMA-262's web syntax (annex B) in its unicode syntax.

JSON Schema asks for the unicode syntax, where characters that mean nothing must be
escaped; authors write for engines that take them for themselves.
"""

import re

_QUANTIFIER = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_ESCAPE = re.compile(r"\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)", re.DOTALL)
_CLASS_ESCAPES = frozenset(("\\d", "\\D", "\\w", "\\W", "\\s", "\\S"))


def with_escapes(pattern: str) -> str:
    """The pattern with every bracket and hyphen escaped that can only stand for itself.

    Outside of classes these are braces of no quantifier and a lone `]`; inside, a `[` and a
    hyphen beside a class escape, as in `[\\w-.]`.
    """
    out: list[str] = []
    at, inside = 0, False
    while at < len(pattern):
        escape = _ESCAPE.match(pattern, at)
        if escape is not None:
            piece = escape[0]
        elif inside:
            piece = pattern[at]
        else:
            quantifier = _QUANTIFIER.match(pattern, at)
            piece = quantifier[0] if quantifier is not None else pattern[at]
        following = _ESCAPE.match(pattern, at + len(piece))
        if inside:
            beside = out[-1] in _CLASS_ESCAPES or (
                following is not None and following[0] in _CLASS_ESCAPES
            )
            out.append(f"\\{piece}" if piece == "[" or (piece == "-" and beside) else piece)
            inside = piece != "]"
        else:
            out.append(f"\\{piece}" if piece in ("{", "}", "]") else piece)
            inside = piece == "["
        at += len(piece)
    return "".join(out)
