"""Send a finished request and read its answer; only this and `client` know an HTTP client.

httpx makes the connections, or whatever client was passed in (httpx's or httpx2's). The URL
goes out byte for byte as it was built; redirects are followed here, not by the client, so
that no credential crosses to another origin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...auth.errors import CredentialError
from ...auth.logs import Hide, hiding
from ...auth.request import Outgoing, origin
from ..bounds import Bounds
from .client import (
    BodyReading,
    default_headers,
    failure,
    headers_of,
    library_of,
    outgoing,
    require_one_coding,
)
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
    from .client import AsyncClient


class Transport:
    """Sends for one toolset: by clients of its own, or by the one passed in.

    Its own are one a event loop, and one more for each certificate that is shown there.
    """

    def __init__(self, client: AsyncClient | None, bounds: Bounds | None, hide: Hide = str) -> None:
        """`hide` takes credentials out of a text, for what HTTP libraries log meanwhile."""
        self._given, self._hide = client, hide
        self._library = None if client is None else library_of(client)
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
        headers = headers_of(response.headers.raw)
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
        headers = headers_of(response.headers.raw)
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
            sent = outgoing(request, default_headers(client, at_home), library)
            sent.extensions["timeout"] = waits
            return await client.send(sent, stream=True, auth=auth, follow_redirects=False)
        except library.InvalidURL as error:
            raise SendFailure(
                f"the URL cannot be sent: {error}", reached=False, lasting=True
            ) from None
        except library.TransportError as error:
            raise failure(error, library, waits) from None

    async def _chunks(
        self, response: httpx.Response, headers: Mapping[str, str], *, capped: bool = True
    ) -> AsyncIterator[bytes]:
        with self._reading(response, headers) as taken:
            async for chunk in response.aiter_bytes():
                if capped:
                    taken.add(chunk)
                yield chunk

    def _reading(self, response: httpx.Response, headers: Mapping[str, str]) -> BodyReading:
        require_one_coding(headers, response.status_code)
        return BodyReading(response, self._bounds.response_bytes, self._library or _httpx())

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


_NOT_OURS = (
    "a client= of your own makes its connections itself, so that no certificate can be shown: "
    "leave client= out of the toolset for tools under mutual TLS"
)


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
