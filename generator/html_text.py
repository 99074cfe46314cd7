"""Descriptions that their author wrote in HTML, as the text that they show.

Tags cost a model tokens and a reader patience. Only what HTML has is taken for a tag, and what
needs an end only where it has one: `Bearer <token>` stays, as does all between backticks.
"""

import html
import re
from collections.abc import Callable

_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL)
_PRE = re.compile(
    r"<pre\b[^<>]*>(?:\s*<code\b[^<>]*>)?((?:(?!<pre)[^`])*?)(?:</code>\s*)?</pre>", re.IGNORECASE
)
_EMPTY = re.compile(r"<code>\s*</code>", re.IGNORECASE)
_CODE_OF_LINK = re.compile(r"<code>\s*(<a\s[^<>]*>)([^<>]*)</a>\s*</code>", re.IGNORECASE)
_LINK = re.compile(
    r"""<a\s(?:[^<>]*?\s)?href\s*=\s*["'](https?://[^"'<>\s()]+)["'][^<>]*>"""
    r"""((?:[^<>\[\]]|</?code>)*)</a\s*>""",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:(?<![ \t])([ \t]+))?<(/?)([A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?/?>([ \t]*+)(?!tags?\b)"
)
_ENTITY = re.compile(r"&(?:#\w+|\w+);")
_ITEM = "\0"  # where an item of a list begins, until the blanks around it are gone

_ALONE = frozenset(("br", "dd", "dt", "hr", "li", "p", "td", "th", "tr"))
"""Tags that HTML lets stand without the tag that ends them."""

_BLOCKS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        (
            *("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote", "section"),
            *("table", "tbody", "thead", "ul", "ol", "dl", "body", "html", "center", "details"),
            *("summary", "note", "important", "para", "fullname"),  # the last four are AWS's
        ),
        ("\n\n", "\n\n"),
    ),
    **dict.fromkeys(("br", "dt", "dd", "tr"), ("\n", "")),
    "li": (_ITEM, "\n"),
}
_INLINE: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("code", "tt", "kbd", "samp"), ("`", "`")),
    **dict.fromkeys(("td", "th", "img"), (" ", " ")),
    **dict.fromkeys(
        (
            *("a", "b", "strong", "i", "em", "u", "s", "del", "span", "font", "small", "big"),
            *("sub", "sup", "replaceable"),
        ),
        ("", ""),
    ),
}
"""Tag → what its opening and its end become; a block takes the blanks around it along."""


def shown(text: str) -> str:
    """The text without its HTML; as it is where it has none."""
    if "<" not in text:
        return text
    tags = _tags(text)
    pieces = _CODE.split(_PRE.sub(_fenced, text))
    pieces[::2] = [_without(tags, _COMMENT.sub("", piece)) for piece in pieces[::2]]
    plain = "".join(pieces)
    return re.sub(r"\n{3,}", "\n\n", plain).strip() if tags else plain


def _fenced(match: re.Match[str]) -> str:
    return f"\n\n```\n{_ENTITY.sub(_character, match[1]).strip()}\n```\n\n"


def _tags(text: str) -> frozenset[str]:
    """The names that stand for tags of HTML in the text, not for placeholders like them."""
    begins, ends = set[str](), set[str]()
    for match in _TAG.finditer(text):
        (ends if match[2] else begins).add(match[3].lower())
    known = _BLOCKS.keys() | _INLINE.keys()
    found = frozenset((begins & ends & known) | (_ALONE & (begins | ends)))
    return found | {"img"} if found else found


def _without(tags: frozenset[str], text: str) -> str:
    if not tags:
        return text
    text = _CODE_OF_LINK.sub(r"\1<code>\2</code></a>", _EMPTY.sub("", text))
    plain = _TAG.sub(_writer(tags), _LINK.sub(r"[\2](\1)", text))
    before, *items = plain.split(_ITEM)
    listed = [item.strip() for item in items[:-1]] + [item.lstrip() for item in items[-1:]]
    plain = "\n- ".join([before.rstrip() if items else before, *listed])
    return _ENTITY.sub(_character, plain)


def _writer(tags: frozenset[str]) -> Callable[[re.Match[str]], str]:
    def written(match: re.Match[str]) -> str:
        before, ends, name, after = match[1] or "", bool(match[2]), match[3].lower(), match[4]
        if name not in tags:
            return match[0]
        if name in _BLOCKS:
            return _BLOCKS[name][ends]
        return before + _INLINE[name][ends] + after

    return written


def _character(entity: re.Match[str]) -> str:
    """The character that an entity stands for, where it is one that can be seen."""
    character = html.unescape(entity[0]).replace("\xa0", " ")
    return character if character.isprintable() else entity[0]
