"""Web addresses as users and strangers write them: telling what is one, and joining them."""

from urllib.parse import urljoin, urlsplit, urlunsplit

from ..errors import InputError

_SCHEMES = ("http://", "https://")


def is_url(source: str) -> bool:
    """Whether a source is an address rather than a file."""
    return source.lower().startswith(_SCHEMES)


def is_address(text: str) -> bool:
    """Whether a text is a whole http(s) URL that others can be resolved against."""
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises ValueError for what is no port
    except ValueError:
        return False
    return is_url(text) and bool(parts.hostname) and text.isprintable() and " " not in text


def is_reference(text: str) -> bool:
    """Whether a text is an address or can become one: `http://[` cannot."""
    try:
        _ = urlsplit(text).port
    except ValueError:
        return False
    return True


def without_secrets(url: str) -> str:
    """The URL as it may be printed and committed: without user and password.

    Raises InputError for what only looks like one.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise InputError(f"{url.rpartition('@')[2]}: is no web address. Check it.") from None
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def joined(base: str, reference: str) -> str:
    """The address that a reference means at a base (RFC 3986, 5); as it is where it is none."""
    try:
        return urljoin(base, reference)
    except ValueError:  # `http://[`: a host that is no address
        return reference
