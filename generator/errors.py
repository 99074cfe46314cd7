"""The failure that a person can mend: unreadable input or a wrong setting, told in one line."""

from .model.nodes import Location


class InputError(Exception):
    """One line: `file:line #/pointer: what is wrong. What to do.`; the command exits with 2."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))

    @classmethod
    def at(cls, location: Location, text: str, *, line: int | None = None) -> "InputError":
        """An error that opens with the place it is about."""
        return cls(f"{describe(location, line=line)}: {text}")


def describe(location: Location, *, line: int | None = None) -> str:
    """The place as a person finds it: `petstore.yaml:41 #/paths/~1pets/get`."""
    file = location.file if line is None else f"{location.file}:{line}"
    pointer = f" #{location.pointer}" if location.pointer else ""
    return one_line(file + pointer)


def one_line(text: str) -> str:
    """The text with every unprintable character escaped, so that a stranger's text stays a line."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text
    )
