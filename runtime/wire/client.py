"""What an HTTP client, httpx's or httpx2's, is given and gives back, in our own terms."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from .reply import SendFailure

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    import httpx

    from ...auth.request import Outgoing


class AsyncClient(Protocol):
    """What is used of `httpx.AsyncClient` or `httpx2.AsyncClient`."""

    async def send(
        self, request: Any, *, stream: bool = ..., auth: Any = ..., follow_redirects: Any = ...
    ) -> Any:
        """Send one request."""
        ...


def library_of(client: object) -> ModuleType:
    """The library that a client comes from. Raises TypeError for anything else."""
    for kind in type(client).__mro__:
        name = kind.__module__.partition(".")[0]
        if kind.__name__ == "AsyncClient" and name in ("httpx", "httpx2"):
            return sys.modules[name]
    raise TypeError(
        f"client= takes an httpx.AsyncClient or httpx2.AsyncClient, not {type(client).__name__}"
    )


_IMPERSONAL = frozenset((b"accept", b"accept-encoding", b"connection", b"user-agent"))


def default_headers(client: httpx.AsyncClient, at_home: bool) -> list[tuple[bytes, bytes]]:
    """A client's default headers; at another origin only those that say nothing of anyone."""
    headers = client.headers.raw
    return headers if at_home else [item for item in headers if item[0].lower() in _IMPERSONAL]


def outgoing(
    request: Outgoing, defaults: list[tuple[bytes, bytes]], library: ModuleType
) -> httpx.Request:
    """The client's kind of request: default headers below ours, and our URL untouched."""
    ours = [(name.encode("ascii"), _octets(value)) for name, value in request.headers.items()]
    names = {name.lower() for name, _ in ours}
    headers = [item for item in defaults if item[0].lower() not in names]
    url = library.URL(request.url)
    target = _target(request.url)
    # What goes on the request line, whatever httpx makes of the URL.
    extensions = {} if url.raw_path == target else {"target": target}
    made = library.Request(
        request.method,
        url,
        headers=_framed(headers + ours, url.netloc, request),
        stream=library.ByteStream(request.body or b""),
        extensions=extensions,
    )
    made.read()  # whoever is handed the request may ask for its content
    return cast("httpx.Request", made)


_MAY_HAVE_BODY = frozenset(("PATCH", "POST", "PUT"))


def _framed(
    headers: list[tuple[bytes, bytes]], netloc: bytes, request: Outgoing
) -> list[tuple[bytes, bytes]]:
    """The headers with Host, and the body's length where there is one or might be (RFC 9110 8.6).

    A client would add the same, at the price of reading all headers twice more.
    """
    if not any(name.lower() == b"host" for name, _ in headers):
        headers.insert(0, (b"Host", netloc))
    if request.body or request.method in _MAY_HAVE_BODY:
        headers.append((b"Content-Length", b"%d" % len(request.body or b"")))
    return headers


def require_one_coding(headers: Mapping[str, str], status: int) -> None:
    """Refuse an answer that is packed twice: each packing may hide a thousand times its size, and
    a client unpacks all of them before its caller can count.
    """
    codings = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    if len([name for name in codings if name not in ("", "identity")]) > 1:
        text = f"the answer ({status}) is encoded more than once: not read"
        raise SendFailure(text, reached=True, status=status, lasting=True)


def headers_of(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """An answer's headers: names in lower case, repeated ones joined."""
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), _text(value)
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _text(value: bytes) -> str:
    """A header's value: what is no UTF-8 is Latin-1, as HTTP has it."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _octets(value: str) -> bytes:
    """A header's value as HTTP reads it, Latin-1; only a credential may hold more (RFC 9110 5.5)."""
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return value.encode("utf-8")


def _target(url: str) -> bytes:
    rest = url.partition("://")[2].partition("#")[0]
    start = min((at for at in map(rest.find, "/?") if at >= 0), default=len(rest))
    target = rest[start:]
    return (target if target.startswith("/") else f"/{target}").encode("ascii")


_WAITS = {
    "connect": "no connection",
    "read": "nothing came",
    "write": "nothing more could be sent",
    "pool": "no connection was free",
}


def failure(
    error: Exception,
    library: ModuleType,
    waits: Mapping[str, float | None],
    status: int | None = None,
) -> SendFailure:
    """What a client's exception means; its own text names no header, but may be empty.

    `waits` are the seconds that each phase of a request may take.
    """
    timeout = isinstance(error, library.TimeoutException)
    unsent = (
        library.ConnectError,
        library.ConnectTimeout,
        library.PoolTimeout,
        library.ProxyError,
        library.UnsupportedProtocol,
        library.LocalProtocolError,
    )
    kind = type(error).__name__
    phase = kind.removesuffix("Timeout").lower()
    seconds = waits.get(phase)
    if timeout and seconds is not None:
        bound = "connect_seconds" if phase == "connect" else "read_seconds"
        text = f"{_WAITS[phase]} within {seconds:g} seconds; bounds=Bounds({bound}=…) waits longer"
    else:
        text = f"{kind}: {error}" if str(error) else kind
    return SendFailure(
        text,
        timeout=timeout,
        reached=status is not None or not isinstance(error, unsent),
        status=status,
        lasting=isinstance(error, (library.UnsupportedProtocol, library.LocalProtocolError)),
    )


class BodyReading:
    """While a body comes in: counts it, and says what a client's exception means."""

    __slots__ = ("_library", "_most", "_response", "_size")

    def __init__(self, response: httpx.Response, most: int, library: ModuleType) -> None:
        self._response, self._most, self._library = response, most, library
        self._size = 0

    def add(self, chunk: bytes) -> None:
        """Count a piece. Raises `SendFailure` where the body is larger than it may be."""
        self._size += len(chunk)
        if self._size > self._most:
            status = self._response.status_code
            raise SendFailure(
                f"the answer ({status}) is larger than {self._most} bytes; ask for less, or "
                "raise the cap with bounds=Bounds(response_bytes=…)",
                reached=True,
                status=status,
                lasting=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None:
            return
        status = self._response.status_code
        if isinstance(error, self._library.TransportError):
            waits = self._response.request.extensions.get("timeout", {})
            raise failure(cast("Exception", error), self._library, waits, status) from None
        if isinstance(error, self._library.DecodingError):
            text = f"the answer ({status}) is not encoded as it says"
            raise SendFailure(text, reached=True, status=status) from None
