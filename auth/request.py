"""A request as plain data, and the three places in it where a credential may stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import quote, unquote_plus, urlsplit

from .errors import CredentialError


@dataclass(frozen=True, slots=True, repr=False)
class Outgoing:
    """A request that is about to be sent: the finished URL, headers, and body or None."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None

    def __repr__(self) -> str:
        parts = urlsplit(self.url)
        return f"Outgoing({self.method} {parts.scheme}://{parts.hostname or ''}…)"

    def header(self, name: str) -> str | None:
        """The value of a header, whatever the case of its name."""
        return _find(self.headers, name)


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What a server said, as far as authentication needs it; challenges are joined by commas.

    `url` is where it came from, after redirects; "" is where the request went.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    url: str = ""

    def __repr__(self) -> str:
        return f"Answer({self.status})"

    def header(self, name: str) -> str | None:
        """The value of a header, whatever the case of its name."""
        return _find(self.headers, name)


def with_header(request: Outgoing, name: str, value: str) -> Outgoing:
    """The request with this header, in place of any other spelling of it.

    A line break, another control character or anything outside ASCII is refused, and the
    message does not show the value: such a header could smuggle in a second one.
    """
    if not _TOKEN.fullmatch(name):
        raise CredentialError(f"{name!r} cannot be the name of a header")
    if not _FIELD_VALUE.fullmatch(value):
        raise CredentialError(
            f"the credential for the header {name} holds a line break, white space at an end or "
            "a character outside ASCII: check for a stray newline where it comes from"
        )
    headers = {key: old for key, old in request.headers.items() if key.lower() != name.lower()}
    return replace(request, headers={**headers, name: value})


def with_query(request: Outgoing, name: str, value: str, safe: str = "") -> Outgoing:
    """The request with a last query parameter, in place of any of its name that is there.

    Every byte but RFC 3986's unreserved is encoded; those in `safe` stay too.
    """
    url = _without_parameter(request.url, name)
    separator = "" if url.endswith(("?", "&")) else "&" if "?" in url else "?"
    pair = f"{quote(name, safe='')}={quote(value, safe=safe)}"
    return replace(request, url=f"{url}{separator}{pair}")


def with_cookie(request: Outgoing, name: str, value: str) -> Outgoing:
    """The request with a last cookie, in place of any of its name that is there.

    Values go as they are (RFC 6265).
    """
    if not _TOKEN.fullmatch(name):
        raise CredentialError(f"{name!r} cannot be the name of a cookie")
    if ";" in value:
        raise CredentialError(f"the credential for the cookie {name} holds a semicolon")
    there = (request.header("Cookie") or "").split("; ")
    others = [pair for pair in there if pair and pair.partition("=")[0] != name]
    return with_header(request, "Cookie", "; ".join([*others, f"{name}={value}"]))


def require_tls(request: Outgoing, name: str, plain_http: bool) -> None:
    """Refuse to let the credential `name` travel where others can read it. Loopback is exempt."""
    if not plain_http and (exposed := _exposed(request.url)):
        raise CredentialError(
            f"{name} is not sent to {exposed}, where it could be read on the way: use "
            f"https, or say credentials={{{name!r}: allow_http(…)}}"
        )


def safe_address(url: str, what: str) -> str:
    """An address that a server or a description names, if `what` may be sent there.

    That is a web address, over TLS or on loopback. Raises `CredentialError` for others.
    """
    web_address(url, what)
    if exposed := _exposed(url):
        raise CredentialError(
            f"{what} is not sent to {exposed}, where it could be read on the way: use https"
        )
    return url


def web_address(url: str, what: str) -> str:
    """The same, if it is an address at all. Raises `CredentialError`."""
    if not is_web_address(url):
        raise CredentialError(f"{what}: {_USER.sub('//***@', url)[:80]!r} is no web address")
    return url


def is_web_address(url: str) -> bool:
    """Whether it is a whole `http` or `https` URL as it is sent, with a host and no user."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for what is no port
    except ValueError:
        return False
    return bool(_WEB_ADDRESS.fullmatch(url) and parts.hostname and "@" not in parts.netloc)


def _exposed(url: str) -> str:
    """The origin that is reached without TLS; "" for TLS and for loopback."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return "" if parts.scheme == "https" or is_loopback(host) else f"{parts.scheme}://{host}"


def is_loopback(host: str) -> bool:
    """Whether a host name or address never leaves this machine (RFC 6761, RFC 1122)."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of a URL, the default port made explicit."""
    match = _AUTHORITY.match(url)
    return _origin(match[0] if match else url)


@lru_cache(maxsize=1024)
def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or _DEFAULT_PORTS.get(parts.scheme)


_AUTHORITY = re.compile(r"[^/?#]*//[^/?#]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_WEB_ADDRESS = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_USER = re.compile(r"//[^/?#]*@")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_FIELD_VALUE = re.compile(r"[!-~](?:[\t -~]*[!-~])?")


def _without_parameter(url: str, name: str) -> str:
    """The URL as it is, but for parameters of this name: an address that a server repeats from
    an earlier request holds what stood for its credential.
    """
    start, mark, query = url.partition("?")
    if not query:
        return url
    others = [pair for pair in query.split("&") if unquote_plus(pair.partition("=")[0]) != name]
    return f"{start}{mark}{'&'.join(others)}"


def _find(headers: Mapping[str, str], name: str) -> str | None:
    wanted = name.lower()
    return next((value for key, value in headers.items() if key.lower() == wanted), None)
