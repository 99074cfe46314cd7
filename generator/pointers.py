"""JSON pointers (RFC 6901): writing them, reading them, and following them in plain data."""

from typing import Any, TypeAlias
from urllib.parse import unquote

from .plain import is_array, is_object

Place: TypeAlias = "str | tuple[Place, str | int]"
"""A pointer, or a parent place and a key: joined only when somebody asks for the text."""

MISSING = object()
"""What `step` gives where there is nothing: `null` is something."""


def escape(token: str | int) -> str:
    """A key or an index as one token of a pointer."""
    text = str(token)
    if "~" in text or "/" in text:
        return text.replace("~", "~0").replace("/", "~1")
    return text


def join(pointer: str, *tokens: str | int) -> str:
    """The pointer that goes on from `pointer` by these keys and indexes."""
    return pointer + "".join(f"/{escape(token)}" for token in tokens)


def written(place: Place) -> str:
    """A place as the text of a pointer."""
    tokens: list[str] = []
    while isinstance(place, tuple):
        place, token = place
        tokens.append(escape(token))
    return "/".join((place, *reversed(tokens)))


def tokens(pointer: str) -> tuple[str, ...]:
    """The keys of a pointer, unescaped; a leading text before the first `/` is no token."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def fragment_tokens(fragment: str) -> tuple[str, ...]:
    """The keys of a pointer that stands percent-encoded in a URI fragment (RFC 6901, 6)."""
    return tuple(
        unquote(token).replace("~1", "/").replace("~0", "~") for token in fragment.split("/")[1:]
    )


def step(node: object, token: str) -> Any:
    """The child of a node by one key, or MISSING."""
    if is_object(node):
        return node.get(token, MISSING)
    if is_array(node) and token.isascii() and token.isdecimal():
        index = int(token)
        return node[index] if index < len(node) else MISSING
    return MISSING
