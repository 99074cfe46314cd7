"""Hiding secrets in text that somebody may read."""

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from threading import Lock
from typing import TypeAlias
from urllib.parse import quote, quote_plus

from .secret import HIDDEN, Secret
from .sources import Pair


class Redactor:
    """Knows the secrets of one toolset and puts `***` in their place.

    Each is found as it is, percent-encoded, in Base64, of its own or of more around it, and as
    JSON and Python write a string. Those shorter than `SHORTEST` are left alone: hiding them
    would only blank out ordinary words. May be used from several threads.
    """

    SHORTEST = 4
    REMEMBERED = 1000  # renewed tokens come and go; the newest are the ones that can leak

    RECENT = 32

    def __init__(self) -> None:
        self._forms: dict[str, None] = {}
        self._latest: dict[Secret | Pair, None] = {}  # learned again at every call
        self._finder: _Finder | None = None  # of all forms
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Redactor({len(self._forms)} forms)"

    def learn(self, secret: Secret | Pair) -> None:
        """Hide this secret from now on."""
        if secret not in self._latest:
            with self._lock:
                self._remember(secret)

    def hide(self, text: str) -> str:
        """The text without any known secret."""
        forms, pattern = self._finder or self._found_by()
        for form in forms:  # most texts hold none, and to look for each is the fastest way to know
            if form in text:
                return pattern.sub(HIDDEN, text)
        return text

    def _remember(self, secret: Secret | Pair) -> None:
        if len(self._latest) == self.RECENT:
            self._latest.clear()
        self._latest[secret] = None
        fresh = [form for form in _forms(secret) if form not in self._forms]
        if not fresh:
            return
        self._forms.update(dict.fromkeys(fresh))
        if len(self._forms) > self.REMEMBERED:
            for oldest in list(self._forms)[: -self.REMEMBERED]:
                del self._forms[oldest]
            self._latest = {secret: None}  # what was forgotten is learned anew when it is next used
        self._finder = None

    def _found_by(self) -> "_Finder":
        with self._lock:
            longest_first = tuple(sorted(self._forms, key=len, reverse=True))
            pattern = re.compile("|".join(map(re.escape, longest_first)))
            self._finder = longest_first, pattern
            return self._finder


_Finder: TypeAlias = tuple[tuple[str, ...], re.Pattern[str]]


def _forms(secret: Secret | Pair) -> Iterator[str]:
    if isinstance(secret, Pair):
        yield from _forms(secret.password)
        both = f"{secret.username}:{secret.password.reveal()}"
        yield from _base64(both)
        yield from _amid_others(b64encode(_octets(both)))
        return
    value = secret.reveal()
    if len(value) < Redactor.SHORTEST:
        return
    yield value
    for encoded in (quote(value, safe=""), quote(value), quote_plus(value)):
        yield encoded
        yield _OCTET.sub(lambda octet: octet[0].lower(), encoded)  # as some servers write them
    yield from _base64(value)
    yield from _amid_others(_octets(value))
    yield from _json(value)


_OCTET = re.compile("%[0-9A-F]{2}")


def _octets(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _base64(value: str) -> Iterator[str]:
    data = _octets(value)
    for padded in (b64encode(data).decode("ascii"), urlsafe_b64encode(data).decode("ascii")):
        yield padded
        yield padded.rstrip("=")


_LEAST_AMID = 8  # characters; fewer would be found by chance in a large file


def _amid_others(data: bytes) -> Iterator[str]:
    """What Base64 makes of octets amid others (a file, a data URL), wherever they begin there.

    Only the characters that depend on nothing else: at an end one octet may stay half.
    """
    for before in range(3):
        start, end = -(-8 * before // 6), 8 * (before + len(data)) // 6
        if end - start >= _LEAST_AMID:
            for encode in (b64encode, urlsafe_b64encode):
                yield encode(bytes(before) + data).decode("ascii")[start:end]


def _json(value: str) -> Iterator[str]:
    from json import dumps

    yield dumps(value)[1:-1]
    yield dumps(value, ensure_ascii=False)[1:-1]
    yield repr(value)[1:-1]
