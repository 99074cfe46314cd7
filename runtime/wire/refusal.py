"""Why a request is not made: the two errors of the wire codec."""

from typing import Literal


class Unwritable(ValueError):
    """A value that its place, style or media type has no text for. Says nothing of its owner."""


class RequestProblem(Exception):
    """A request that cannot be made, before anything was sent.

    `argument` is the key in the input schema, `pointer` (RFC 6901) leads into the arguments.
    Without an argument the fault is in the settings or the description, not in the call.
    """

    def __init__(self, argument: str | None, reason: str, pointer: str | None = None) -> None:
        super().__init__(f"{argument}: {reason}" if argument else reason)
        self.argument = argument
        self.reason = reason
        self.pointer = pointer_to(argument) if pointer is None and argument else pointer or ""

    @property
    def outcome(self) -> Literal["invalid_arguments", "error"]:
        """How a call that met this ends."""
        return "invalid_arguments" if self.argument else "error"

    def __reduce__(self) -> tuple[object, ...]:
        return RequestProblem, (self.argument, self.reason, self.pointer)


def pointer_to(*names: str) -> str:
    """The RFC 6901 pointer along `names`."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


class blaming:
    """Turn what cannot be written inside into a problem of that argument."""

    __slots__ = ("_argument", "_pointer")

    def __init__(self, argument: str, pointer: str | None = None) -> None:
        self._argument = argument
        self._pointer = pointer

    def __enter__(self) -> None:
        """Nothing is there to blame yet."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, Unwritable):
            raise RequestProblem(self._argument, str(error), self._pointer) from error
        if isinstance(error, RecursionError):
            raise RequestProblem(self._argument, "is nested too deep", self._pointer) from None
