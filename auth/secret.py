"""A value that is used but never shown."""

from typing import NoReturn, final

HIDDEN = "***"


@final
class Secret:
    """A string whose repr, str and format are `***`, and which refuses to be pickled.

    Equality takes the same time wherever two secrets of one length differ.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def __str__(self) -> str:
        return HIDDEN

    def __format__(self, format_spec: str) -> str:
        return HIDDEN

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        from hmac import compare_digest

        return compare_digest(_encoded(self._value), _encoded(other._value))

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __copy__(self) -> "Secret":
        return self

    def __deepcopy__(self, memo: object) -> "Secret":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not pickled: hand over where it comes from instead")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
