"""Fetching a description over http: the generator's only use of the network."""

from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from .errors import InputError

if TYPE_CHECKING:
    import httpx

_SCHEMES = ("http://", "https://")
_ACCEPT = "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.8"
_SECONDS = 30.0
_REDIRECTS = 5


def is_url(source: str) -> bool:
    """Whether a source is an address rather than a file."""
    return source.lower().startswith(_SCHEMES)


def without_secrets(url: str) -> str:
    """The URL as it may be printed and committed: without user and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def fetch(url: str, *, maximum_bytes: int) -> tuple[bytes, str]:
    """The bytes at a URL and the address they came from after redirects, without secrets.

    Raises InputError when the server cannot be reached, refuses, or sends too much.
    """
    import httpx

    shown = without_secrets(url)
    try:
        with (
            httpx.Client(
                follow_redirects=True, max_redirects=_REDIRECTS, timeout=_SECONDS
            ) as client,
            client.stream("GET", shown, headers={"Accept": _ACCEPT}, auth=_auth(url)) as response,
        ):
            if not response.is_success:
                raise InputError(
                    f"{shown}: the server answered {response.status_code} "
                    f"{response.reason_phrase}. Check the address, or save the description to a file."
                )
            return _capped(response, shown, maximum_bytes), without_secrets(str(response.url))
    except httpx.TooManyRedirects:
        raise InputError(f"{shown}: redirects more than {_REDIRECTS} times.") from None
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        reason = str(error) or type(error).__name__
        raise InputError(f"{shown}: cannot be fetched: {reason}. Check the address.") from None


def _auth(url: str) -> "httpx.BasicAuth | None":
    import httpx

    parts = urlsplit(url)
    if parts.username is None:
        return None
    return httpx.BasicAuth(unquote(parts.username), unquote(parts.password or ""))


def _capped(response: "httpx.Response", shown: str, maximum_bytes: int) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > maximum_bytes:
            raise InputError(
                f"{shown}: sends more than {maximum_bytes:,} bytes. Save what you use to a file."
            )
    return bytes(content)
