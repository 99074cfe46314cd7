"""Send a finished request and read its answer: the only module that knows an HTTP client.

httpx makes the connections, or whatever client was passed in (httpx's or httpx2's). The URL
goes out byte for byte as it was built; redirects are followed here, not by the client, so
that no credential crosses to another origin.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from ...auth.errors import CredentialError
from ...auth.logs import Hide, hiding
from ...auth.request import Outgoing, origin
from ..bounds import Bounds
from .redirects import redirected
from .reply import Reply, SendFailure, Streamed
from .streams import Piece, bounded, record_end

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncIterator, Mapping
    from ssl import SSLContext
    from types import ModuleType

    import httpx

    from ...auth.mtls import Certificate


class AsyncClient(Protocol):
    """What is used of `httpx.AsyncClient` or `httpx2.AsyncClient`."""

    async def send(
        self, request: Any, *, stream: bool = ..., auth: Any = ..., follow_redirects: Any = ...
    ) -> Any:
        """Send one request."""
        ...


class Transport:
    """Sends for one toolset: by clients of its own, or by the one passed in.

    Its own are one a event loop, and one more for each certificate that is shown there.
    """

    def __init__(self, client: AsyncClient | None, bounds: Bounds | None, hide: Hide = str) -> None:
        """`hide` takes credentials out of a text, for what HTTP libraries log meanwhile."""
        self._given, self._hide = client, hide
        self._library = None if client is None else _library_of(client)
        self._own_timeouts = client is None or bounds is not None
        self._bounds = bounds or Bounds()
        self._clients: dict[AbstractEventLoop, dict[Certificate | None, httpx.AsyncClient]] = {}

    async def send(
        self,
        request: Outgoing,
        private: frozenset[str] = frozenset(),
        *,
        within: float | None = None,
        certificate: Certificate | None = None,
    ) -> Reply:
        """The answer to a request, after redirects. Raises `SendFailure`.

        `private` are the lower-case names of headers that hold credentials: they stay behind
        when a redirect leads to another origin, and so does `certificate`, which the connection
        shows. `within` are the seconds it may take, the bounds' total without it.
        """
        import asyncio

        seconds = self._bounds.total_seconds if within is None else within
        try:
            with hiding(self._hide):
                async with asyncio.timeout(seconds):
                    return await self._follow(request, private, certificate)
        except TimeoutError:
            total = self._bounds.total_seconds  # of which `within` is what was left
            raise SendFailure(
                f"no answer within {total:g} seconds", timeout=True, reached=True
            ) from None

    @property
    def bounds(self) -> Bounds:
        """How long a call may take and how much may come back."""
        return self._bounds

    def showing(self, certificate: Certificate | None) -> Certificate | None:
        """The same certificate, once there is a client in this event loop that shows it.

        Raises `CredentialError` for one whose files cannot be used, and where a client was
        passed in: it makes its connections itself.
        """
        if certificate is not None:
            self._client(certificate)
        return certificate

    async def stream(self, request: Outgoing, private: frozenset[str]) -> Streamed:
        """The answer with its body still to come; no redirect is followed. Raises `SendFailure`.

        Whoever takes it closes it. `private` as for `send`; the bounds hold but `total_seconds`.
        """
        client = self._client(None)
        auth = self._auth(client, "authorization" not in private)
        with hiding(self._hide):
            response = await self._opened(request, client, auth, at_home=True)
        headers = _headers(response.headers.raw)
        chunks = self._chunks(response, headers)
        return Streamed(response.status_code, headers, chunks, response.aclose)

    async def aclose(self) -> None:
        """Close the clients of this event loop, and forget those whose loop is gone."""
        import asyncio

        self._forget_closed_loops()
        for client in self._clients.pop(asyncio.get_running_loop(), {}).values():
            await client.aclose()

    def open_on(self, other: AbstractEventLoop | None) -> bool:
        """Whether a client of this transport lives on that loop."""
        return other in self._clients

    async def _follow(
        self, request: Outgoing, private: frozenset[str], certificate: Certificate | None
    ) -> Reply:
        home, at_home = request.url, True
        for _ in range(self._bounds.redirects + 1):
            client = self._client(certificate if at_home else None)
            auth = self._auth(client, at_home and "authorization" not in private)
            reply = await self._once(request, client, auth, at_home)
            following = await redirected(request, reply, private)
            if following is None:
                return reply
            request = following
            at_home = at_home and origin(request.url) == origin(home)  # who left stays away
        raise SendFailure(
            f"more than {self._bounds.redirects} redirects", reached=True, lasting=True
        )

    def _auth(self, client: httpx.AsyncClient, allowed: bool) -> httpx.Auth:
        """A given client's own authentication, where no credential of ours is in its place."""
        own = client.auth if allowed and self._given is not None else None
        return own or cast("httpx.Auth", (self._library or _httpx()).Auth())

    async def _once(
        self, request: Outgoing, client: httpx.AsyncClient, auth: httpx.Auth, at_home: bool
    ) -> Reply:
        response = await self._opened(request, client, auth, at_home)
        headers = _headers(response.headers.raw)
        try:
            piece = await self._read(response, headers)
        finally:
            await response.aclose()
        return Reply(response.status_code, headers, piece.body, request.url, piece.cut)

    async def _read(self, response: httpx.Response, headers: Mapping[str, str]) -> Piece:
        end = record_end(headers)
        if end is not None:
            return await bounded(self._chunks(response, headers, capped=False), end, self._bounds)
        chunks: list[bytes] = []
        with self._reading(response, headers) as taken:
            async for chunk in response.aiter_bytes():
                taken.add(chunk)
                chunks.append(chunk)
        return Piece(b"".join(chunks))

    async def _opened(
        self, request: Outgoing, client: httpx.AsyncClient, auth: httpx.Auth, at_home: bool
    ) -> httpx.Response:
        """The answer, its body still to be read."""
        library = self._library or _httpx()
        waits = self._timeout(client)
        try:
            outgoing = _outgoing(request, _defaults(client, at_home), library)
            outgoing.extensions["timeout"] = waits
            return await client.send(outgoing, stream=True, auth=auth, follow_redirects=False)
        except library.InvalidURL as error:
            raise SendFailure(
                f"the URL cannot be sent: {error}", reached=False, lasting=True
            ) from None
        except library.TransportError as error:
            raise _failure(error, library, waits) from None

    async def _chunks(
        self, response: httpx.Response, headers: Mapping[str, str], *, capped: bool = True
    ) -> AsyncIterator[bytes]:
        with self._reading(response, headers) as taken:
            async for chunk in response.aiter_bytes():
                if capped:
                    taken.add(chunk)
                yield chunk

    def _reading(self, response: httpx.Response, headers: Mapping[str, str]) -> _Reading:
        _require_one_coding(headers, response.status_code)
        return _Reading(response, self._bounds.response_bytes, self._library or _httpx())

    def _timeout(self, client: httpx.AsyncClient) -> dict[str, float | None]:
        """A client's own timeouts hold, unless bounds were given."""
        if not self._own_timeouts:
            return client.timeout.as_dict()
        read = self._bounds.read_seconds
        return {
            "connect": self._bounds.connect_seconds,
            "read": read,
            "write": read,
            "pool": read,
        }

    def _client(self, certificate: Certificate | None) -> httpx.AsyncClient:
        """The client whose connections show this certificate."""
        if self._given is not None:
            if certificate is not None:
                raise CredentialError(_NOT_OURS)
            return cast("httpx.AsyncClient", self._given)
        import asyncio

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._forget_closed_loops()
        clients = self._clients.setdefault(loop, {})
        if certificate not in clients:
            context = _shared_context() if certificate is None else certificate.context()
            # The environment's proxies count; httpx reads no netrc unless told to.
            clients[certificate] = cast("httpx.AsyncClient", _httpx().AsyncClient(verify=context))
        return clients[certificate]

    def _forget_closed_loops(self) -> None:
        for loop in [loop for loop in list(self._clients) if loop.is_closed()]:
            self._clients.pop(loop, None)


class _Reading:
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
            raise _failure(cast("Exception", error), self._library, waits, status) from None
        if isinstance(error, self._library.DecodingError):
            text = f"the answer ({status}) is not encoded as it says"
            raise SendFailure(text, reached=True, status=status) from None


_NOT_OURS = (
    "a client= of your own makes its connections itself, so that no certificate can be shown: "
    "leave client= out of the toolset for tools under mutual TLS"
)
_WAITS = {
    "connect": "no connection",
    "read": "nothing came",
    "write": "nothing more could be sent",
    "pool": "no connection was free",
}
_IMPERSONAL = frozenset((b"accept", b"accept-encoding", b"connection", b"user-agent"))


def _httpx() -> ModuleType:
    import httpx

    return httpx


_context: SSLContext | None = None


def _shared_context() -> SSLContext:
    """One set of trusted roots for all clients: loading them takes longer than a call."""
    global _context
    if _context is None:
        _context = cast("SSLContext", _httpx().create_ssl_context())
    return _context


def _library_of(client: object) -> ModuleType:
    """The library that a client comes from. Raises TypeError for anything else."""
    for kind in type(client).__mro__:
        name = kind.__module__.partition(".")[0]
        if kind.__name__ == "AsyncClient" and name in ("httpx", "httpx2"):
            return sys.modules[name]
    raise TypeError(
        f"client= takes an httpx.AsyncClient or httpx2.AsyncClient, not {type(client).__name__}"
    )


def _defaults(client: httpx.AsyncClient, at_home: bool) -> list[tuple[bytes, bytes]]:
    """A client's default headers; at another origin only those that say nothing of anyone."""
    headers = client.headers.raw
    return headers if at_home else [item for item in headers if item[0].lower() in _IMPERSONAL]


def _outgoing(
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


def _require_one_coding(headers: Mapping[str, str], status: int) -> None:
    """Refuse an answer that is packed twice: each packing may hide a thousand times its size, and
    a client unpacks all of them before its caller can count.
    """
    codings = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    if len([name for name in codings if name not in ("", "identity")]) > 1:
        text = f"the answer ({status}) is encoded more than once: not read"
        raise SendFailure(text, reached=True, status=status, lasting=True)


def _headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
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


def _failure(
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
