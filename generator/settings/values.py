"""Single values of settings: each is checked and given its type, or refused at its place."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from ..errors import InputError
from ..model.nodes import Location
from ..plain import is_array, is_number
from ..pointers import join
from ..rates import duration
from ..selection import nearest

Read: TypeAlias = Callable[[Any, Location], Any]
"""Checks one value and gives it its type. Raises InputError that names its place."""


def below(location: Location, name: str | int) -> Location:
    """The place of a member."""
    return Location(file=location.file, pointer=join(location.pointer, name))


def read_table(value: Any, location: Location) -> Mapping[str, Any]:
    """A table, whatever its members."""
    if not isinstance(value, Mapping):
        raise InputError.at(location, f"expected a table, not {_shown(value)}.")
    return cast("Mapping[str, Any]", value)


def read_tables(value: Any, location: Location) -> dict[str, Mapping[str, Any]]:
    """A table of tables, whatever their members."""
    tables = read_table(value, location)
    return {name: read_table(one, below(location, name)) for name, one in tables.items()}


def read_text(value: Any, location: Location) -> str:
    """A text that says something."""
    if isinstance(value, str) and value.strip():
        return value
    raise InputError.at(location, f"expected a text, not {_shown(value)}.")


def read_flag(value: Any, location: Location) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise InputError.at(location, f"expected true or false, not {_shown(value)}.")


def read_count(value: Any, location: Location) -> int:
    """A whole number above 0."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise InputError.at(location, f"expected a whole number above 0, not {_shown(value)}.")


def read_number(value: Any, location: Location) -> float:
    """A finite number above 0."""
    if is_number(value) and value > 0:
        return value
    raise InputError.at(location, f"expected a number above 0, not {_shown(value)}.")


def read_texts(value: Any, location: Location) -> tuple[str, ...]:
    """A list of texts."""
    if not is_array(value):
        raise InputError.at(location, f"expected a list of texts, not {_shown(value)}.")
    return tuple(read_text(item, below(location, index)) for index, item in enumerate(value))


def read_duration(value: Any, location: Location) -> float:
    """A duration in seconds: `"30s"`, `"1h"`."""
    seconds = duration(value) if isinstance(value, str) else None
    if seconds is None:
        raise InputError.at(
            location, f'expected a duration such as "30s" or "1h", not {_shown(value)}.'
        )
    return seconds


def choices_of(*options: str) -> Read:
    """Reads a list of some of the options."""
    read = choice_of(*options)

    def read_all(value: Any, location: Location) -> tuple[str, ...]:
        texts = read_texts(value, location)
        return tuple(read(text, below(location, index)) for index, text in enumerate(texts))

    return read_all


def choice_of(*options: str) -> Read:
    """Reads one of the options."""

    def read(value: Any, location: Location) -> str:
        if isinstance(value, str) and value in options:
            return value
        near = nearest(value, options) if isinstance(value, str) else None
        hint = f" Did you mean {near!r}?" if near else ""
        listed = ", ".join(options)
        raise InputError.at(location, f"expected one of {listed}, not {_shown(value)}.{hint}")

    return read


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
