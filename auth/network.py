"""Requests to an authorization server: no redirects, no private addresses, bounded."""

import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from .errors import CredentialError
from .request import Answer, Outgoing, require_tls

if TYPE_CHECKING:
    import ssl

    import httpcore

Fetch: TypeAlias = Callable[[Outgoing], Answer]
"""Sends one request and returns the answer; raises `Unreachable`."""

SECONDS = 10.0
MOST_BYTES = 1_000_000


class PrivateAddress(CredentialError):
    """A host that a description names is not on the public internet."""

    def __init__(self, host: str, number: str) -> None:
        super().__init__(
            f"{host} is at the private address {number}: a description cannot send "
            "credentials there. Give the address in code (token_url=…) if it is right"
        )
        self.host = host
        self.number = number


class Unreachable(CredentialError):
    """The authorization server gave no answer. Nothing is lost; the call can be made again."""

    retryable = True


def fetcher(*, private: bool = False, context: "ssl.SSLContext | None" = None) -> Fetch:
    """A `Fetch` over httpcore, which httpx brings along.

    `private` allows addresses that are not on the public internet: right when the package's
    own server has one, or when the user wrote the address. Link-local ones, where clouds keep
    their metadata, are never spoken to. The address is checked where the connection is made,
    so a name that changes its mind is caught; a proxy of the environment makes its own.
    """

    def fetch(request: Outgoing) -> Answer:
        require_tls(request, "an OAuth 2 request", plain_http=False)
        headers = {"Accept": "application/json", **request.headers, "User-Agent": "toolmint"}
        with _pool(request.url, private, context) as pool:
            return _answered(pool, request, headers, MOST_BYTES)

    return fetch


def get(url: str, headers: Mapping[str, str], *, most_bytes: int) -> Answer:
    """The answer to a GET that no redirect is followed for and no credential goes with.

    Raises `PrivateAddress` when the host is not on the public internet.
    """
    with _pool(url, False, None) as pool:
        request = Outgoing("GET", url)
        return _answered(pool, request, {**headers, "User-Agent": "toolmint"}, most_bytes)


def _answered(
    pool: "httpcore.ConnectionPool", request: Outgoing, headers: Mapping[str, str], most_bytes: int
) -> Answer:
    import httpcore

    try:
        return _exchange(pool, request, headers, most_bytes)
    except (
        httpcore.NetworkError,
        httpcore.TimeoutException,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
    ) as error:
        host = urlsplit(request.url).hostname
        raise Unreachable(f"no answer from {host}: {_reason(error)}") from None


def _exchange(
    pool: "httpcore.ConnectionPool", request: Outgoing, headers: Mapping[str, str], most_bytes: int
) -> Answer:
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS)
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


def _pool(
    url: str, private: bool, context: "ssl.SSLContext | None"
) -> "httpcore.ConnectionPool | httpcore.HTTPProxy":
    import httpcore

    context = context or httpcore.default_ssl_context()
    if proxy := _proxy(url):
        return httpcore.HTTPProxy(proxy, ssl_context=context)
    return httpcore.ConnectionPool(ssl_context=context, network_backend=_guarded(private))


def _proxy(url: str) -> str | None:
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    if proxy_bypass(parts.hostname or ""):
        return None
    return getproxies().get(parts.scheme)


def _guarded(private: bool) -> "httpcore.NetworkBackend":
    import httpcore

    class Guarded(httpcore.SyncBackend):
        """Connects to an address that was looked at, not to a name that is resolved again."""

        def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Any = None,
        ) -> httpcore.NetworkStream:
            refusal: Exception = httpcore.ConnectError(f"{host} has no address")
            for address in addresses(host, port, private):
                try:
                    return super().connect_tcp(
                        address, port, timeout, local_address, socket_options
                    )
                except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                    refusal = error
            raise refusal

    return Guarded()


def addresses(host: str, port: int, private: bool) -> list[str]:
    """What a host's name stands for. Raises `CredentialError` when one of them is not allowed."""
    import httpcore

    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise httpcore.ConnectError(f"{host} cannot be resolved") from None
    numbers = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for number in numbers:
        if not allowed(number, private):
            raise PrivateAddress(host, number)
    return numbers


def is_private(host: str) -> bool:
    """Whether a host stands for an address that is not on the public internet."""
    with suppress(OSError):
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return not all(allowed(str(entry[4][0]), private=False) for entry in found)
    return False


def allowed(number: str, private: bool) -> bool:
    """Whether an IP address may be spoken to."""
    from ipaddress import IPv6Address, ip_address

    address = ip_address(number.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        return False
    return address.is_global or private


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
