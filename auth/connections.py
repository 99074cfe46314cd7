"""Requests over httpcore, which httpx brings along: each within one time, and to addresses that
were looked at."""

import ssl
from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import httpcore

from .errors import CredentialError
from .hosts import Unreachable, addresses
from .request import Answer, Outgoing

STEP_SECONDS = 10.0
"""How long a server may say nothing."""


def answer(
    request: Outgoing,
    headers: Mapping[str, str],
    *,
    private: bool,
    context: ssl.SSLContext | None,
    most_bytes: int,
    seconds: float,
) -> Answer:
    """What a server answers, redirects included. Raises `Unreachable`, and `PrivateAddress`.

    `seconds` are for all of it, so that no server holds a caller by a byte now and then.
    """
    try:
        with _pool(request.url, _Guarded(private, monotonic() + seconds), context) as pool:
            return _exchange(pool, request, headers, most_bytes)
    except (
        httpcore.NetworkError,
        httpcore.TimeoutException,
        httpcore.ProtocolError,
        httpcore.ProxyError,
        httpcore.UnsupportedProtocol,
    ) as error:
        host = urlsplit(request.url).hostname
        reason = str(error) or type(error).__name__
    raise Unreachable(f"no answer from {host}: {reason}")


def _exchange(
    pool: httpcore.ConnectionPool, request: Outgoing, headers: Mapping[str, str], most_bytes: int
) -> Answer:
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), STEP_SECONDS)
    with pool.stream(
        request.method,
        request.url,
        headers=list(headers.items()),
        content=request.body,
        extensions={"timeout": timeouts},
    ) as response:
        body = b""
        for chunk in response.iter_stream():
            body += chunk
            if len(body) > most_bytes:
                raise CredentialError(f"the server's answer has more than {most_bytes:,} bytes")
        pairs = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers
        ]
        return Answer(response.status, _joined(pairs), body)


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return headers


def _pool(url: str, guarded: "_Guarded", context: ssl.SSLContext | None) -> httpcore.ConnectionPool:
    context = context or httpcore.default_ssl_context()
    proxy = _proxy(url)
    if proxy is None:
        return httpcore.ConnectionPool(ssl_context=context, network_backend=guarded)
    parts = urlsplit(proxy)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CredentialError(
            f"the environment's proxy for {urlsplit(url).scheme} is none of HTTP: "
            "nothing is asked through it"
        )
    user = (unquote_to_bytes(parts.username or ""), unquote_to_bytes(parts.password or ""))
    return httpcore.HTTPProxy(
        proxy,
        proxy_auth=user if any(user) else None,
        ssl_context=context,
        network_backend=guarded.unguarded(),
    )


def _proxy(url: str) -> str | None:
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    if proxy_bypass(parts.hostname or ""):
        return None
    named = getproxies().get(parts.scheme)
    return f"http://{named}" if named and "://" not in named else named


class _Guarded(httpcore.SyncBackend):
    """Connects to an address that was looked at, not to a name that is resolved again.

    `private` None looks at none: what a proxy of the user's is at is the user's to know.
    """

    def __init__(self, private: bool | None, deadline: float) -> None:
        self._private, self._deadline = private, deadline

    def unguarded(self) -> "_Guarded":
        """The same for a proxy, which connects by itself."""
        return _Guarded(None, self._deadline)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        refusal: Exception = httpcore.ConnectError(f"{host} has no address")
        guarded = self._private is not None
        for address in addresses(host, port, bool(self._private)) if guarded else [host]:
            try:
                left = _left(self._deadline, timeout, httpcore.ConnectTimeout)
                stream = super().connect_tcp(address, port, left, local_address, socket_options)
                return _Within(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                refusal = error
        raise refusal


class _Within(httpcore.NetworkStream):
    """A connection whose every step ends by the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left = _left(self._deadline, timeout, httpcore.ReadTimeout)
        return self._stream.read(max_bytes, left)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        left = _left(self._deadline, timeout, httpcore.WriteTimeout)
        self._stream.write(buffer, left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(self._deadline, timeout, httpcore.ConnectTimeout)
        stream = self._stream.start_tls(ssl_context, server_hostname, left)
        return _Within(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float, timeout: float | None, late: type[Exception]) -> float:
    """Seconds until a step must end. Raises `late` where none are left."""
    left = deadline - monotonic()
    if left <= 0:
        raise late("it took too long")
    return left if timeout is None else min(timeout, left)
