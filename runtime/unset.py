"""UNSET: the argument that was not given, which is not the same as null."""

from enum import Enum
from typing import Final, Literal


class Unset(Enum):
    """The type of UNSET.

    An enum of one member, because type checkers narrow it by identity (`if tag is UNSET`) and
    because it pickles and copies to itself.
    """

    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"

    __str__ = __repr__


UNSET: Final = Unset.UNSET
