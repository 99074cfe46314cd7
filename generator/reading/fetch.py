"""Fetching a description over http: the generator's only use of the network."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from ..errors import InputError
from .addresses import is_address, joined, without_secrets

if TYPE_CHECKING:
    import httpx

_ACCEPT = "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.8"
_SECONDS = 30.0
_REDIRECTS = 5
_MOVED = (301, 302, 303, 307, 308)


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


def ask(url: str, question: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
    """The JSON that a server answers to JSON which is posted to it, and its status.

    Raises InputError when the server cannot be reached or answers no JSON.
    """
    import httpx

    shown = without_secrets(url)
    sent = {"Accept": "application/json", **headers}
    try:
        with httpx.Client(timeout=_SECONDS) as client:
            response = client.post(
                shown, json=question, headers=sent, auth=_auth(url) or httpx.USE_CLIENT_DEFAULT
            )
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        reason = str(error) or type(error).__name__
        raise InputError(f"{shown}: cannot be asked: {reason}. Check the address.") from None
    try:
        return response.json()
    except ValueError:
        raise InputError(
            f"{shown}: the server answered {response.status_code} without JSON. Check the "
            "address, and give credentials with --header 'Authorization: Bearer …'."
        ) from None


def fetch_public(url: str, *, maximum_bytes: int) -> bytes:
    """The bytes at an address that a description names, after redirects.

    Every address on the way must be on the public internet: what a stranger wrote must not
    reach what only this machine can. Raises InputError otherwise, or when there are none.
    """
    from ...auth.errors import CredentialError
    from ...auth.hosts import PrivateAddress
    from ...auth.network import get

    target, left = url, _REDIRECTS
    while True:
        try:
            answer = get(target, {"Accept": _ACCEPT}, most_bytes=maximum_bytes)
        except PrivateAddress as refusal:
            raise InputError(
                f"{url}: is not read: {refusal.host} is at the private address {refusal.number}."
            ) from None
        except CredentialError as failure:
            raise InputError(f"{url}: cannot be fetched: {failure}.") from None
        location = answer.headers.get("location")
        if answer.status not in _MOVED or location is None or not left:
            break
        left -= 1
        target = joined(target, location)
        if not is_address(target):
            raise InputError(f"{url}: redirects to {target!r}, which is no web address.")
    if not 200 <= answer.status < 300:
        raise InputError(f"{url}: the server answered {answer.status}.")
    return answer.body


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
