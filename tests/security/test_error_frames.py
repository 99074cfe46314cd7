"""No variable of a frame behind an error holds a secret: error reporters show all of them."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote_plus

import httpx
import pytest

from toolmint.auth import (
    Answer,
    ApiKey,
    AuthorizationCode,
    Choice,
    ClientSecretPost,
    Credential,
    CredentialError,
    Credentials,
    DeviceCode,
    HttpBasic,
    HttpBearer,
    OAuthClient,
    Outgoing,
    Password,
    PrivateKeyJwt,
    Scheme,
    Target,
)
from toolmint.auth.flow import run

PLANTED = "planted/secret+x"
FORMS = (
    PLANTED,
    quote_plus(PLANTED),
    b64encode(f"it:{quote_plus(PLANTED)}".encode()).decode(),
    b64encode(f"ann:{PLANTED}".encode()).decode(),
)
TARGET = Target("https://api.example/", HttpBearer())


def seen(error: BaseException | None) -> Iterator[str]:
    """What there is to see behind an error, outside of the tests."""
    while error is not None:
        yield repr(error)
        frames = error.__traceback__
        while frames is not None:
            if Path(frames.tb_frame.f_code.co_filename).parent != Path(__file__).parent:
                yield from map(repr, frames.tb_frame.f_locals.values())
            frames = frames.tb_next
        error = error.__cause__ or error.__context__


def assert_unseen(attempt: Callable[[], object]) -> None:
    with pytest.raises(CredentialError) as caught:
        attempt()
    shown = "\n".join(seen(caught.value))
    assert not [form for form in FORMS if form in shown]


def client(status: int, said: object, **more: object) -> OAuthClient:
    """Its server says so to whatever it is asked."""
    text = said if isinstance(said, str) else json.dumps(said)
    given = {"secret": PLANTED, **more}
    return OAuthClient(
        "it",
        token_url="https://id.example/token",
        authorization_url="https://id.example/auth",
        device_authorization_url="https://id.example/codes",
        fetch=lambda _: Answer(status, {}, text.encode()),
        **given,  # type: ignore[arg-type]
    )


UNFIT: list[tuple[Scheme, Credential]] = [
    (ApiKey("k"), f"{PLANTED}\n"),
    (ApiKey("k\n"), PLANTED),
    (ApiKey("k", "cookie"), f"{PLANTED};"),
    (HttpBearer(), f"Bearer {PLANTED}"),
    (HttpBasic(), {"username": "ann", "password": f"{PLANTED}\n"}),
    (HttpBasic(), PLANTED),
]


@pytest.mark.parametrize(("scheme", "value"), UNFIT)
def test_of_a_credential_that_does_not_fit(scheme: Scheme, value: Credential) -> None:
    assert_unseen(lambda: sign(scheme, value))


REFUSALS = [
    (400, {"error": "invalid_client", "error_description": PLANTED}),
    (500, PLANTED),
    (200, PLANTED),
    (200, {"access_token": f"{PLANTED}\n"}),
    (200, {"access_token": PLANTED, "token_type": "mac"}),
]


@pytest.mark.parametrize(("status", "said"), REFUSALS)
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"secret": ClientSecretPost(PLANTED)},
        {"secret": PrivateKeyJwt(PLANTED)},
        {"grant": Password("ann", PLANTED)},
    ],
)
def test_of_a_token_that_is_not_got(status: int, said: object, given: dict[str, object]) -> None:
    assert_unseen(lambda: sign(HttpBearer(), client(status, said, **given)))


def test_of_a_sign_in() -> None:
    refused = {"error": "invalid_client"}
    assert_unseen(lambda: client(400, refused, grant=DeviceCode()).login(TARGET))
    login = client(400, refused, grant=AuthorizationCode()).login(TARGET)
    asked = httpx.URL(login.url).params
    httpx.get(asked["redirect_uri"], params={"state": asked["state"], "code": PLANTED})
    assert_unseen(login.wait)


def sign(scheme: Scheme, value: Credential) -> Outgoing:
    choice = Credentials({"it": scheme}, {"it": value}).choose([{"it": []}])
    assert isinstance(choice, Choice)
    return run(choice.exchange().sign(Outgoing("GET", TARGET.url)))
