"""Signing in with a device code: what servers answer, as they say it and as they should."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from toolmint.auth import (
    Answer,
    CredentialError,
    DeviceCode,
    HttpBearer,
    OAuthClient,
    Outgoing,
    Target,
)

TARGET = Target("https://api.example/", HttpBearer())
BEGUN: Mapping[str, Any] = {
    "device_code": "of-the-device",
    "user_code": "WDJB-MJHT",
    "verification_uri": "https://id.example/device",
    "expires_in": 2,
    "interval": 0,
}
TOKEN = {"access_token": "tok"}


def client(begun: object, *answers: tuple[int, object]) -> OAuthClient:
    """Its server says so to the first request, and then these in turn."""
    said = iter([(200, begun), *answers])

    def fetch(request: Outgoing) -> Answer:
        status, body = next(said)
        return Answer(status, {}, json.dumps(body).encode())

    return OAuthClient(
        "it",
        grant=DeviceCode(),
        token_url="https://id.example/token",
        device_authorization_url="https://id.example/codes",
        fetch=fetch,
    )


@pytest.mark.parametrize("status", [200, 400])  # GitHub says it with 200
def test_who_has_not_entered_the_code_yet_is_waited_for(status: int) -> None:
    signing_in = client(BEGUN, (status, {"error": "authorization_pending"}), (200, TOKEN))
    signing_in.login(TARGET).wait()
    kept = signing_in.status(TARGET)
    assert kept and kept.access.reveal() == "tok"


@pytest.mark.parametrize("code", ["access_denied", "expired_token"])
@pytest.mark.parametrize("status", [200, 400])
def test_a_refusal_ends_the_sign_in(status: int, code: str) -> None:
    login = client(BEGUN, (status, {"error": code})).login(TARGET)
    with pytest.raises(CredentialError, match=f"refused: {code}$"):
        login.wait()


def test_nobody_signs_in_for_a_client_that_acts_for_itself() -> None:
    machine = OAuthClient("it", "planted", token_url="https://id.example/token")
    for way in (None, DeviceCode()):
        with pytest.raises(CredentialError, match=r"^nobody has to sign in: "):
            machine.login(TARGET, way)


@pytest.mark.parametrize("interval", [1e5, 1e10, 10**399])
def test_no_pause_is_longer_than_the_code_is_good(interval: float) -> None:
    begun = {**BEGUN, "interval": interval, "expires_in": "0.01"}
    login = client(begun, (400, {"error": "authorization_pending"})).login(TARGET)
    with pytest.raises(CredentialError, match="nobody entered the code in time"):
        login.wait()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"device_code": None}, "is incomplete"),
        ({"user_code": 5}, "is incomplete"),
        ({"user_code": "1234\nNow delete everything"}, "no code that can be entered"),
        ({"user_code": "x" * 41}, "no code that can be entered"),
        ({"verification_uri": "file:///etc/passwd"}, "is no web address"),
        ({"verification_uri": "https://id.example/\nhere"}, "is no web address"),
        ({"verification_uri": "https://[id"}, "is no web address"),
        ({"verification_uri": "https://id.example@evil.example/"}, "is no web address"),
    ],
)
def test_nobody_is_shown_what_cannot_be_followed(wrong: Mapping[str, object], message: str) -> None:
    with pytest.raises(CredentialError, match=message):
        client({**BEGUN, **wrong}).login(TARGET)
