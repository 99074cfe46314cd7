"""An access token with what is needed to judge and renew it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeGuard, cast

from ..errors import CredentialError
from ..secret import Secret
from ..sources import is_whole
from ..store import is_whole_number, read_members

LEEWAY = 30.0
"""Seconds by which a token is taken to expire early: for the way there, and for clocks that
differ. A short-lived token gets a quarter of its life instead."""

CENTURY = 100 * 365.25 * 24 * 3600.0
YEAR_10000 = 253_402_300_800.0

_OTHERS = frozenset(("dpop", "mac", "n_a", "pop"))  # the registered ones (RFC 6749 section 11.1)


@dataclass(frozen=True, slots=True)
class Token:
    """One generation of an authorization; `expires_at` is in seconds since the epoch."""

    access: Secret
    scopes: frozenset[str]
    issued_at: float
    expires_at: float | None = None
    refresh: Secret | None = None
    generation: int = 0

    def is_fresh(self, now: float) -> bool:
        """Whether it can be sent; without a stated life it can until the API refuses it."""
        if self.expires_at is None:
            return True
        return now < self.expires_at - min(LEEWAY, (self.expires_at - self.issued_at) / 4)

    def following(self, older: "Token | None") -> "Token":
        """This token as the next generation: an omitted refresh token stays the old one."""
        if older is None:
            return replace(self, generation=1)
        return replace(self, refresh=self.refresh or older.refresh, generation=older.generation + 1)


def read_token(answer: Mapping[str, Any], asked: frozenset[str], now: float) -> Token:
    """The token in a token endpoint's answer (RFC 6749 section 5.1).

    `now` is the time before the request was sent; an omitted scope is what was asked for.
    """
    access, kind = answer.get("access_token"), answer.get("token_type", "Bearer")
    if not isinstance(access, str) or not access:
        raise CredentialError("the token endpoint's answer holds no access_token")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        named = kind if isinstance(kind, str) and kind.lower() in _OTHERS else "unknown"
        raise CredentialError(f"the token endpoint gave a token of the type {named}, not Bearer")
    refresh, scope = answer.get("refresh_token"), answer.get("scope")
    life = seconds(answer.get("expires_in"))
    return Token(
        access=Secret(access),
        scopes=frozenset(scope.split()) if isinstance(scope, str) else asked,
        issued_at=now,
        expires_at=None if life is None else now + life,
        refresh=Secret(refresh) if isinstance(refresh, str) and refresh else None,
    )


def seconds(stated: object) -> float | None:
    """How long something lasts: servers write a number, or one in a string.

    At least nothing and at most a century, so that its end is a date; None for what is neither.
    """
    if isinstance(stated, bool) or not isinstance(stated, (int, float, str)):
        return None
    try:
        number = float(stated)
    except (ValueError, OverflowError):
        return None
    return min(max(0.0, number), CENTURY) if isfinite(number) else None


def dump(token: Token) -> str:
    """A token as the text that a store keeps: the one place where its secrets are written."""
    return json.dumps(
        {
            "access": token.access.reveal(),
            "refresh": token.refresh.reveal() if token.refresh else None,
            "scopes": sorted(token.scopes),
            "issued_at": token.issued_at,
            "expires_at": token.expires_at,
            "generation": token.generation,
        }
    )


def parse(text: str) -> Token | None:
    """The token behind a text that `dump` made; None when it is damaged."""
    data = read_members(text)
    access, refresh, scopes = data.get("access"), data.get("refresh"), data.get("scopes")
    issued_at, expires_at = data.get("issued_at"), data.get("expires_at")
    generation = data.get("generation")
    if not (
        _is_secret(access)
        and (refresh is None or _is_secret(refresh))
        and isinstance(scopes, list)
        and _is_moment(issued_at)
        and (expires_at is None or _is_moment(expires_at))
        and is_whole_number(generation)
    ):
        return None
    return Token(
        access=Secret(access),
        refresh=Secret(refresh) if refresh else None,
        scopes=frozenset(map(str, cast(list[object], scopes))),
        issued_at=issued_at,
        expires_at=expires_at,
        generation=generation,
    )


def _is_moment(value: object) -> TypeGuard[float]:
    """Whether it can be a time, in seconds since the epoch, that a date can be told of."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value < YEAR_10000


def _is_secret(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and is_whole(value)
