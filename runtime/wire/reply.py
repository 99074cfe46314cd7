"""What comes of sending: a server's answer, or the reason why there is none."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's answer. Header names are lower case, repeated ones joined by `, `."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    url: str = field(repr=False)
    cut: str = ""  # why a stream was not read to its end: "after 15 seconds"

    def hiding(self, hide: Callable[[str], str]) -> "Reply":
        """The same answer with `hide` done to its headers and its body."""
        headers = {name: hide(value) for name, value in self.headers.items()}
        body = hide(self.body.decode("utf-8", "surrogateescape"))
        return replace(self, headers=headers, body=body.encode("utf-8", "surrogateescape"))


@dataclass(frozen=True, slots=True)
class Streamed:
    """A server's answer while its body comes in. Reading may raise `SendFailure`."""

    status: int
    headers: Mapping[str, str]  # lower-case names
    chunks: AsyncIterator[bytes] = field(repr=False)
    aclose: Callable[[], Awaitable[None]] = field(repr=False)


class SendFailure(Exception):
    """No usable answer came. `reached`: the server may have acted on the request.

    `lasting`: the same request would fail so again. `status` is known when only the body is
    missing.
    """

    def __init__(
        self,
        text: str,
        *,
        timeout: bool = False,
        reached: bool,
        status: int | None = None,
        lasting: bool = False,
    ) -> None:
        super().__init__(text)
        self.timeout = timeout
        self.reached = reached
        self.status = status
        self.lasting = lasting
