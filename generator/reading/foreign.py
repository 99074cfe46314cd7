"""Places in other documents: a pointer below one name that no description can have.

`/\\0/common.yaml/components/schemas/Pet` is in `common.yaml`; everything that joins and splits
pointers works on it as on any other.
"""

from ..pointers import Place, join, tokens, written

FOREIGN = "\0"


def foreign(key: str, pointer: str = "") -> str:
    """The pointer, from the description, to a place in another document."""
    return join("", FOREIGN, key) + pointer


def home_of(place: Place) -> str:
    """The key of the document that a place is in; `""` for the description itself."""
    while isinstance(place, tuple):
        place = place[0]
    if not place.startswith(f"/{FOREIGN}/"):
        return ""
    return tokens(place)[1]


def within(place: Place) -> tuple[str, ...]:
    """The keys of a place in its own document."""
    path = tokens(written(place))
    return path[2:] if path[:1] == (FOREIGN,) else path


def split(pointer: str) -> tuple[str, str]:
    """The key of a pointer's document, and the pointer in there."""
    home = home_of(pointer)
    return (home, join("", *tokens(pointer)[2:])) if home else ("", pointer)


def shown(pointer: str) -> str:
    """A pointer as a reference would spell it: `common.yaml#/Pet`, or `#/Pet` at home."""
    home, own = split(pointer)
    return f"{home}#{own}"
