"""Requests to an authorization server: no redirects, no private addresses, bounded."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

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
