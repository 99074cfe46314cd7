"""Keys of the Paths Object: the template that is sent, a literal query."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_plus

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_FORM = re.compile(r"\{[?&]([^{}]*)\}")  # RFC 6570, 3.2.8 and 3.2.9: `{?a,b}`


@dataclass(frozen=True, slots=True)
class PathKey:
    """A path key taken apart; `variables` are the names in the path's braces, in order."""

    path: str
    query: str
    variables: tuple[str, ...]
    in_query: tuple[tuple[str, str], ...]  # a variable of a `?query` and the key it is the value of
    torn: tuple[str, ...]  # pairs of the `?query` in which a variable is a part of something


def read_path(key: str) -> PathKey:
    """Take a path key apart. A fragment is never sent; a `?query` goes before the parameters."""
    rest = key.partition("#")[0]
    asked = [(name, name) for names in _FORM.findall(rest) for name in _names(names)]
    path, _, query = _FORM.sub("", rest).partition("?")
    literal: list[str] = []
    torn: list[str] = []
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        whole = _VARIABLE.fullmatch(value) or (_VARIABLE.fullmatch(name) if not value else None)
        if whole and not _VARIABLE.search(name if value else ""):
            asked.append((whole[1], unquote_plus(name) if value else whole[1]))
        else:
            (torn if _VARIABLE.search(pair) else literal).append(pair)
    return PathKey(
        path=path if path.startswith("/") else f"/{path}",
        query="&".join(literal),
        variables=tuple(dict.fromkeys(_VARIABLE.findall(path))),
        in_query=tuple(dict.fromkeys(asked)),
        torn=tuple(torn),
    )


def _names(listed: str) -> list[str]:
    return [name for part in listed.split(",") if (name := part.strip().rstrip("*"))]


def renamed(path: str, names: Mapping[str, str]) -> str:
    """The path with variables under other names."""
    return _VARIABLE.sub(lambda match: f"{{{names.get(match[1], match[1])}}}", path)


def plain_variable(variable: str) -> tuple[str, bool]:
    """The name in RFC 6570's `{+name}` or `{name*}`, and whether slashes stay as they are."""
    return variable.strip().lstrip("+").rstrip("*").strip(), variable.strip().startswith("+")
