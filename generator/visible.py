"""JSON in which nothing hides: what is invisible, or turns text around, stands as an escape."""

import json
import re
from typing import Any

_UNUSUAL = re.compile(r"[^ -~\n]")


def visible(text: str) -> str:
    """JSON text with every invisible character in it as an escape; half a pair is one too."""
    return _UNUSUAL.sub(lambda found: _escape(found[0]), text)


def visible_json(value: Any, indent: int | None = None) -> str:
    """A value as such JSON text."""
    return visible(json.dumps(value, indent=indent, ensure_ascii=False))


def _escape(character: str) -> str:
    return character if character.isprintable() else json.dumps(character)[1:-1]
