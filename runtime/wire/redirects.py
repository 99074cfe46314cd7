"""Where an answer may send a request on to, and what may go along."""

from dataclasses import replace
from urllib.parse import quote, urljoin, urlsplit

from ...auth.request import Outgoing, origin
from .reply import Reply, SendFailure

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_FOLLOWED = frozenset(("GET", "HEAD"))
_ALWAYS_PRIVATE = frozenset(("authorization", "cookie", "proxy-authorization"))
_URL_BYTES = "!#$%&'()*+,/:;=?@[]~"  # what a Location may hold as it is; the rest is encoded


async def redirected(request: Outgoing, reply: Reply, private: frozenset[str]) -> Outgoing | None:
    """The request that an answer asks for instead; None when the answer is the last word.

    Only GET and HEAD are sent on. At another origin the headers named in `private` (lower
    case) and all that carry credentials by their nature are left out. Raises `SendFailure`
    for an address that must not be gone to.
    """
    location = reply.headers.get("location")
    if location is None or reply.status not in _REDIRECTS or request.method not in _FOLLOWED:
        return None
    url = _goal(request.url, quote(location, safe=_URL_BYTES))
    if origin(url) == origin(request.url):
        return replace(request, url=url)
    await _refuse_inward(urlsplit(request.url).hostname or "", urlsplit(url).hostname or "")
    kept = {
        name: value
        for name, value in request.headers.items()
        if name.lower() not in private | _ALWAYS_PRIVATE
    }
    return replace(request, url=url, headers=kept)


def _goal(base: str, location: str) -> str:
    """The address of a Location. Raises `SendFailure` where it is none to go to."""
    scheme = ""
    try:
        url = urljoin(base, location)
        parts = urlsplit(url)
        scheme = f" {parts.scheme}:"
        _ = parts.port  # raises ValueError for what is no port
        if parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc:
            return url
    except ValueError:  # `http://[`: a host that is no address
        pass
    raise SendFailure(
        f"a redirect leads to{scheme} no address to go to", reached=True, lasting=True
    )


async def _refuse_inward(source: str, goal: str) -> None:
    """A public server must not send us on to a private address (loopback, cloud metadata, …)."""
    if await _is_private(goal) and not await _is_private(source):
        raise SendFailure(
            "a redirect leads to a private address: not followed", reached=True, lasting=True
        )


async def _is_private(host: str) -> bool:
    import asyncio
    from ipaddress import ip_address

    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except (OSError, UnicodeError):  # UnicodeError: a label that is empty or too long
        return False  # only a proxy can reach it, and that decides by itself
    addresses = (str(entry[4][0]).partition("%")[0] for entry in found)
    return any(not ip_address(address).is_global for address in addresses)
