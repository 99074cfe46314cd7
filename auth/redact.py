"""Hiding secrets in text that somebody may read."""

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from .secret import HIDDEN, Secret
from .sources import Pair


class Redactor:
    """Knows the secrets of one toolset and puts `***` in their place.

    Each is found as it is, percent-encoded, in Base64, and as JSON and Python write a string.
    Those shorter than `SHORTEST` are left alone: hiding them would only blank out ordinary words.
    """

    SHORTEST = 4
    REMEMBERED = 1000  # renewed tokens come and go; the newest are the ones that can leak

    RECENT = 32

    def __init__(self) -> None:
        self._forms: dict[str, None] = {}
        self._latest: dict[Secret | Pair, None] = {}  # learned again at every call
        self._pattern: re.Pattern[str] | None = None

    def __repr__(self) -> str:
        return f"Redactor({len(self._forms)} forms)"

    def learn(self, secret: Secret | Pair) -> None:
        """Hide this secret from now on."""
        if secret in self._latest:
            return
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
        self._pattern = None

    def hide(self, text: str) -> str:
        """The text without any known secret."""
        if not self._forms:
            return text
        if self._pattern is None:
            longest_first = sorted(self._forms, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        return self._pattern.sub(HIDDEN, text)


def _forms(secret: Secret | Pair) -> Iterator[str]:
    if isinstance(secret, Pair):
        yield from _forms(secret.password)
        yield from _base64(f"{secret.username}:{secret.password.reveal()}")
        return
    value = secret.reveal()
    if len(value) < Redactor.SHORTEST:
        return
    yield value
    for encoded in (quote(value, safe=""), quote(value), quote_plus(value)):
        yield encoded
        yield _OCTET.sub(lambda octet: octet[0].lower(), encoded)  # as some servers write them
    yield from _base64(value)
    yield from _json(value)


_OCTET = re.compile("%[0-9A-F]{2}")


def _base64(value: str) -> Iterator[str]:
    data = value.encode("utf-8", "surrogatepass")
    for padded in (b64encode(data).decode("ascii"), urlsafe_b64encode(data).decode("ascii")):
        yield padded
        yield padded.rstrip("=")


def _json(value: str) -> Iterator[str]:
    from json import dumps

    yield dumps(value)[1:-1]
    yield dumps(value, ensure_ascii=False)[1:-1]
    yield repr(value)[1:-1]
