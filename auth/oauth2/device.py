"""A person signs in on any device, with a code that they enter there (RFC 8628)."""

import re
from collections.abc import Callable, Mapping
from threading import Event
from time import monotonic
from typing import Any

from ..errors import CredentialError
from ..hosts import Unreachable
from ..request import safe_address
from .errors import TokenRefused
from .login import SECONDS, Login
from .server import Server
from .token import Token, seconds


def begin_device(server: Server, scopes: frozenset[str], keep: Callable[[Token], None]) -> Login:
    """Ask for a code, and poll until the person has entered it."""
    begun = server.device(scopes)
    device_code, user_code, url = _codes(begun)
    members = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": device_code,
    }
    stated, pause = seconds(begun.get("expires_in")), seconds(begun.get("interval"))
    lasts = SECONDS if stated is None else min(stated, SECONDS)

    def obtain(abandoned: Event) -> Token:
        interval = 5.0 if pause is None else max(pause, LEAST_PAUSE)
        deadline = monotonic() + lasts
        while (left := deadline - monotonic()) > 0:
            if abandoned.wait(min(interval, left)):
                break
            try:
                return server.redeemed(members, scopes)
            except Unreachable:
                interval *= 2  # RFC 8628 section 3.5: back off, the code stays good
            except TokenRefused as refusal:
                if refusal.code == "slow_down":
                    interval += 5.0
                elif refusal.code != "authorization_pending":
                    raise
        raise CredentialError("nobody entered the code in time: call again for a new one")

    return Login(url, user_code).start(obtain, keep)


def _codes(begun: Mapping[str, Any]) -> tuple[str, str, str]:
    """The code for the server, the one for the person, and where that is entered."""
    device_code, user_code = begun.get("device_code"), begun.get("user_code")
    url = begun.get("verification_uri")
    if not (isinstance(device_code, str) and isinstance(user_code, str) and isinstance(url, str)):
        raise CredentialError("the device authorization endpoint's answer is incomplete")
    if not _ENTERED.fullmatch(user_code):  # people read it, and so do models
        raise CredentialError("the device authorization endpoint gave no code that can be entered")
    return device_code, user_code, safe_address(url, "a sign-in")


LEAST_PAUSE = 1.0
"""Seconds between two requests, whatever the server says."""

_ENTERED = re.compile(r"[\w -]{1,40}", re.ASCII)
