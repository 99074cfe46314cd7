"""The one place that knows httpx: credentials as its authentication flows."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from .flow import await_, run
from .logs import Hide, hiding
from .request import Answer, Outgoing

if TYPE_CHECKING:
    import httpx

    from .exchange import Exchange

    Auth: TypeAlias = httpx.Auth


Auth_co = TypeVar("Auth_co", covariant=True)


class HttpxLike(Protocol[Auth_co]):
    """A module with httpx's interface, such as httpx2."""

    @property
    def Auth(self) -> type[Auth_co]:
        """The base class of its authentication flows."""
        ...


def httpx_auth(
    begin: Callable[[], Exchange], hide: Hide, library: HttpxLike[object] | None
) -> object:
    """An `Auth` of the library (httpx when none is given) that runs one exchange a request."""
    base = (library or import_module("httpx")).Auth
    return type("ExchangeAuth", (_Flows, base), {})(begin, hide)


class _Flows:
    """Signs each request, and repeats it once when a challenge or a refusal can be met."""

    def __init__(self, begin: Callable[[], Exchange], hide: Hide) -> None:
        self._begin, self._hide = begin, hide

    def sync_auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """For a blocking client."""
        request.read()
        exchange = self._begin()
        signed = run(exchange.sign(_plain(request)))
        with hiding(self._hide):
            response = yield _put(request, signed)
        if again := run(exchange.retry(signed, _answer(response))):
            response.read()
            with hiding(self._hide):
                yield _put(request, again)

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """For an asynchronous client."""
        await request.aread()
        exchange = self._begin()
        signed = await await_(exchange.sign(_plain(request)))
        with hiding(self._hide):
            response = yield _put(request, signed)
        if again := await await_(exchange.retry(signed, _answer(response))):
            await response.aread()
            with hiding(self._hide):
                yield _put(request, again)


def _plain(request: httpx.Request) -> Outgoing:
    return Outgoing(request.method, str(request.url), dict(request.headers), request.content)


def _answer(response: httpx.Response) -> Answer:
    return Answer(response.status_code, dict(response.headers), url=str(response.url))


def _put(request: httpx.Request, signed: Outgoing) -> httpx.Request:
    """The same request object with the signed URL and headers."""
    request.url = type(request.url)(signed.url)
    for name, value in signed.headers.items():
        if request.headers.get(name) != value:
            request.headers[name] = value
    return request
