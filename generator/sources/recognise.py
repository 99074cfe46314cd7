"""Tells GraphQL schemas from other descriptions, by name or by how they open."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..plain import is_object

SDL_SUFFIXES = (".graphql", ".graphqls", ".gql", ".sdl")
_OPENING = re.compile(
    r'(?:\s|,|#[^\n]*(?:\n|$)|"""(?:[^"]|"(?!""))*"""|"[^"\n]*")*'
    r"(?:(?:extend\s+)?(?:type|interface|union|enum|input|scalar)\s+[_A-Za-z]|schema\s*[@{]"
    r"|directive\s*@)"
)


def is_sdl_name(source: str) -> bool:
    """Whether a file is named as SDL is."""
    return source.lower().endswith(SDL_SUFFIXES)


def is_sdl(text: str) -> bool:
    """Whether a text opens like the schema definition language."""
    return _OPENING.match(text) is not None


def are_many(source: str) -> bool:
    """Whether a source names a folder of SDL files, or a pattern of them."""
    return ("*" in source and not Path(source).exists()) or Path(source).is_dir()


def introspected(data: Any) -> Mapping[str, Any] | None:
    """The object of an introspection result that holds `__schema`, whatever it is wrapped in."""
    for inner in (data, data.get("data") if is_object(data) else None):
        if is_object(inner) and is_object(inner.get("__schema")):
            return inner
    return None
