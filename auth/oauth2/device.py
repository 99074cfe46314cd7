"""A person signs in on any device, with a code that they enter there (RFC 8628)."""

from collections.abc import Callable
from threading import Event
from time import monotonic

from ..errors import CredentialError
from ..network import Unreachable
from .errors import TokenRefused
from .login import SECONDS, Login, openable
from .server import Server
from .token import Token


def begin_device(server: Server, scopes: frozenset[str], keep: Callable[[Token], None]) -> Login:
    """Ask for a code, and poll until the person has entered it."""
    begun = server.device(scopes)
    device_code, user_code = begun.get("device_code"), begun.get("user_code")
    url = begun.get("verification_uri")
    if not (isinstance(device_code, str) and isinstance(user_code, str) and isinstance(url, str)):
        raise CredentialError("the device authorization endpoint's answer is incomplete")
    url = openable(url)
    members = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": device_code,
    }
    lasts = min(_number(begun.get("expires_in"), SECONDS), SECONDS)
    pause = _number(begun.get("interval"), 5.0)
    asleep = Event()

    def obtain() -> Token:
        interval, deadline = pause, monotonic() + lasts
        while monotonic() < deadline:
            asleep.wait(interval)
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


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) and value >= 0 else otherwise
