"""Signing in with a browser: the port it comes back to, and what it brings."""

import json
import socket
from collections.abc import Mapping

import httpx
import pytest

from tests.services import free_port
from toolmint.auth import (
    Answer,
    AuthorizationCode,
    CredentialError,
    DeviceCode,
    HttpBearer,
    Login,
    OAuthClient,
    Outgoing,
    Target,
)

API = "https://api.example/"
TARGET = Target(API, HttpBearer())


def client(port: int = 0) -> OAuthClient:
    def fetch(request: Outgoing) -> Answer:
        if request.url.endswith("/codes"):
            begun = {
                "device_code": "of-the-device",
                "user_code": "WDJB-MJHT",
                "verification_uri": "https://id.example/device",
            }
            return Answer(200, {}, json.dumps(begun).encode())
        return Answer(200, {}, json.dumps({"access_token": "tok"}).encode())

    return OAuthClient(
        "it",
        grant=AuthorizationCode(redirect_port=port),
        token_url="https://id.example/token",
        authorization_url="https://id.example/auth?tenant=1",
        device_authorization_url="https://id.example/codes",
        fetch=fetch,
    )


def come_back(login: Login, answer: Mapping[str, str], **more: str) -> httpx.Response:
    """As the browser does, with the sign-in's own state unless another is given."""
    asked = httpx.URL(login.url).params
    return httpx.get(asked["redirect_uri"], params={"state": asked["state"], **answer, **more})


def test_a_browser_comes_back_and_the_token_is_kept() -> None:
    signing_in = client()
    login = signing_in.login(TARGET)
    page = come_back(login, {"code": "c"})
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    login.wait()
    kept = signing_in.status(TARGET)
    assert kept and kept.access.reveal() == "tok"


@pytest.mark.parametrize("said", [b"", b"GET /callback HTTP/1.1\r\n", b"\x16\x03\x01"])
def test_a_connection_on_which_nothing_is_said_holds_nobody_up(said: bytes) -> None:
    """Browsers open some before they need them."""
    login = client().login(TARGET)
    port = httpx.URL(httpx.URL(login.url).params["redirect_uri"]).port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port)) as silent:
        silent.sendall(said)
        assert come_back(login, {"code": "c"}).status_code == 200
        login.wait()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"error": "access_denied"}, "the sign-in was refused: 'access_denied'"),
        ({}, "the sign-in came back without a code"),
        ({"code": "c", "iss": "https://evil.example"}, "by another authorization server"),
        ({"code": "c", "iss": "https://[evil"}, "by another authorization server"),
    ],
)
def test_a_sign_in_that_fails_says_why(answer: Mapping[str, str], message: str) -> None:
    login = client().login(TARGET)
    assert come_back(login, answer).status_code == 200
    with pytest.raises(CredentialError, match=message):
        login.wait()


@pytest.mark.parametrize("wrong", [{"state": "guessed"}, {"state": ""}, {"state": "é"}])
def test_what_brings_another_state_changes_nothing(wrong: Mapping[str, str]) -> None:
    login = client().login(TARGET)
    assert come_back(login, {"code": "evil"}, **wrong).status_code == 404
    assert come_back(login, {"code": "c"}).status_code == 200
    login.wait()


def test_a_port_that_is_taken_is_an_error_that_names_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CredentialError, match=f"^port {port} on loopback cannot be listened"):
            client(port).login(TARGET)
    with pytest.raises(CredentialError, match=r"^port 99999 on loopback cannot be listened"):
        client(99999).login(TARGET)


def test_a_sign_in_of_somebody_else_has_the_port_until_it_ends() -> None:
    signing_in = client(free_port())
    ann, bob = (Target(API, HttpBearer(), principal=name) for name in ("ann", "bob"))
    first = signing_in.login(ann)
    with pytest.raises(CredentialError, match="on loopback cannot be listened on"):
        signing_in.login(bob)
    come_back(first, {"code": "c"})
    first.wait()
    second = signing_in.login(bob)
    come_back(second, {"code": "c"})
    second.wait()


def test_a_sign_in_for_more_takes_the_place_and_the_port_of_the_one_for_less() -> None:
    signing_in = client(free_port())
    first = signing_in.login(TARGET)
    more = signing_in.login(Target(API, HttpBearer(), frozenset({"write"})))
    with pytest.raises(CredentialError, match="another sign-in took the place of this one"):
        first.wait()
    come_back(more, {"code": "c"})
    more.wait()


def test_a_sign_in_by_device_ends_one_by_browser_and_the_other_way_round() -> None:
    signing_in = client(free_port())
    first = signing_in.login(TARGET)
    second = signing_in.login(TARGET, DeviceCode())
    third = signing_in.login(TARGET)
    for login in (first, second):
        with pytest.raises(CredentialError, match="another sign-in took the place of this one"):
            login.wait()
    come_back(third, {"code": "c"})
    third.wait()
