"""Requests to an authorization server: no redirects, no private addresses, bounded."""

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from .errors import CredentialError
from .request import Answer, Outgoing, safe_address, web_address

if TYPE_CHECKING:
    import ssl

Fetch: TypeAlias = Callable[[Outgoing], Answer]
"""Sends one request and returns the answer; raises `Unreachable`."""

A_REQUEST = "an OAuth 2 request"
"""What a request to an authorization server is called in a message."""

SECONDS = 30.0
"""How long a request to an authorization server may take, from the first step to the last."""

DOWNLOAD_SECONDS = 120.0
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
    """A `Fetch` of its own connection each.

    `private` allows addresses that are not on the public internet: right when the package's
    own server has one, or when the user wrote the address. Link-local ones, where clouds keep
    their metadata, are never spoken to. The address is checked where the connection is made,
    so a name that changes its mind is caught; a proxy of the environment makes its own.
    """

    def fetch(request: Outgoing) -> Answer:
        from .connections import answer

        safe_address(request.url, A_REQUEST)
        headers = {"Accept": "application/json", **request.headers, "User-Agent": "toolmint"}
        return answer(
            request,
            headers,
            private=private,
            context=context,
            most_bytes=MOST_BYTES,
            seconds=SECONDS,
        )

    return fetch


def get(url: str, headers: Mapping[str, str], *, most_bytes: int) -> Answer:
    """The answer to a GET that no redirect is followed for and no credential goes with.

    Raises `PrivateAddress` when the host is not on the public internet.
    """
    from .connections import answer

    return answer(
        Outgoing("GET", web_address(url, "a reference")),
        {**headers, "User-Agent": "toolmint"},
        private=False,
        context=None,
        most_bytes=most_bytes,
        seconds=DOWNLOAD_SECONDS,
    )


def addresses(host: str, port: int, private: bool) -> list[str]:
    """What a host's name stands for. Raises `PrivateAddress` when one of them is not allowed."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # UnicodeError: a label that is empty or too long
        raise Unreachable(f"no answer from {host}: it cannot be resolved") from None
    numbers = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for number in numbers:
        if not allowed(number, private):
            raise PrivateAddress(host, number)
    return numbers


def is_private(host: str) -> bool:
    """Whether a host stands for an address that is not on the public internet."""
    with suppress(OSError, UnicodeError):
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
