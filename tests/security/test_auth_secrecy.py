"""No secret is seen where somebody could read it."""

import copy
import json
import pickle
import re
import subprocess
import sys
import traceback
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from typing import cast
from urllib.parse import quote

import pytest

from toolmint.auth import (
    ApiKey,
    Certificate,
    Choice,
    ClientSecretBasic,
    ClientSecretPost,
    Credential,
    CredentialError,
    Credentials,
    HttpBasic,
    HttpBearer,
    HttpDigest,
    HttpScheme,
    OAuthClient,
    Outgoing,
    Password,
    PrivateKeyJwt,
    RefreshToken,
    Scheme,
    Secret,
    TokenExchange,
    allow_http,
    env,
)
from toolmint.auth.flow import run

TOKEN_URL = "https://127.0.0.1:9/token"

PLANTED = 'pl/anted "sécret" +1'


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret(PLANTED)
    shown = [repr(secret), str(secret), f"{secret}", f"{secret:>40}", repr([secret])]
    assert not [text for text in shown if PLANTED in text]
    assert secret.reveal() == PLANTED


def test_a_secret_is_copied_but_never_pickled() -> None:
    secret = Secret(PLANTED)
    assert copy.deepcopy({"it": secret}) == {"it": secret}
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(secret)
    with pytest.raises(TypeError, match="Secret is not JSON serializable"):
        json.dumps(secret)


def test_secrets_compare_by_value_and_only_with_secrets() -> None:
    assert Secret("a") == Secret("a") != Secret("b")
    assert Secret("ä") == Secret("ä")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1


def test_objects_that_hold_secrets_do_not_show_them() -> None:
    values: dict[str, Credential] = {
        "key": PLANTED,
        "basic": {"username": "ann", "password": PLANTED},
    }
    credentials = Credentials({"key": ApiKey("k", "query"), "basic": HttpBasic()}, values)
    choice = credentials.choose([{"key": [], "basic": []}])
    assert isinstance(choice, Choice)
    signed, _ = choice.static(Outgoing("GET", "https://api.example/x"))
    assert quote(PLANTED, safe="") in signed.url
    shown = "".join(map(repr, (credentials, choice, choice.exchange(), signed, vars(credentials))))
    for form in forms(PLANTED):
        assert form not in shown


def test_what_a_user_builds_with_a_secret_does_not_show_it() -> None:
    built = [
        allow_http(PLANTED),
        Certificate("a.pem", "a.key", PLANTED),
        ClientSecretBasic(PLANTED),
        ClientSecretPost(PLANTED),
        PrivateKeyJwt(PLANTED, PLANTED),
        Password("ann", PLANTED),
        RefreshToken(PLANTED),
        TokenExchange(PLANTED, actor_token=PLANTED),
        OAuthClient("it", PLANTED, grant=Password("ann", PLANTED)),
    ]
    assert not [one for one in built if PLANTED in repr(one) + str(one)]


@pytest.mark.parametrize(
    "built",
    [
        allow_http(PLANTED),
        allow_http({"username": "ann", "password": PLANTED}),
        Certificate("a.pem", "a.key", PLANTED),
        ClientSecretBasic(PLANTED),
        ClientSecretPost(PLANTED),
        PrivateKeyJwt(PLANTED, PLANTED),
        Password("ann", PLANTED),
        RefreshToken(PLANTED),
        TokenExchange(PLANTED, actor_token=PLANTED),
        Credentials({"key": ApiKey("k")}, {"key": PLANTED}),
        Credentials({"it": HttpBasic()}, {"it": {"username": "ann", "password": PLANTED}}),
        OAuthClient("it", PLANTED, grant=Password("ann", PLANTED)),
    ],
)
def test_no_copy_of_it_as_plain_data_holds_it(built: object) -> None:
    seen = [repr(inside(built))]
    if is_dataclass(built) and not isinstance(built, type):
        seen.append(repr(asdict(built)))
    assert not [text for text in seen if PLANTED in text or repr(PLANTED)[1:-1] in text]
    with pytest.raises((TypeError, AttributeError)):  # locks are not pickled either
        pickle.dumps(built)


def inside(value: object, deep: int = 6) -> object:
    """What a debugger or an error reporter finds that looks into everything."""
    if deep == 0 or isinstance(value, Secret):
        return repr(value)
    if isinstance(value, Mapping):
        items = cast(Mapping[object, object], value).items()
        return [(repr(key), inside(part, deep - 1)) for key, part in items]
    names = [*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", {})]
    parts = [inside(getattr(value, name, None), deep - 1) for name in names]
    return [repr(value), *parts]


def test_a_traceback_of_a_refused_credential_does_not_show_it() -> None:
    credentials = Credentials({"it": HttpBearer()}, {"it": f"{PLANTED}\r\nX: 1"})
    choice = credentials.choose([{"it": []}])
    assert isinstance(choice, Choice)
    with pytest.raises(CredentialError) as caught:
        choice.static(Outgoing("GET", "https://api.example/x"))
    text = "".join(traceback.format_exception(caught.value))
    assert not [form for form in forms(PLANTED) if form in text]


HALF = "pl/anted\udcff"
"""What Python makes of a variable whose octets are no UTF-8."""


@pytest.mark.parametrize("value", [HALF, Secret(HALF), env("HALF"), lambda: HALF])
@pytest.mark.parametrize(
    "scheme",
    [ApiKey("k"), ApiKey("k", "query"), ApiKey("k", "cookie"), HttpBearer(), HttpScheme("Token")],
)
def test_a_secret_that_is_no_text_is_an_error_that_does_not_hold_it(
    scheme: Scheme, value: Credential
) -> None:
    credentials = Credentials({"it": scheme}, {"it": value}, environ={"HALF": HALF})
    with pytest.raises(CredentialError) as caught:
        choice = credentials.choose([{"it": []}])
        assert isinstance(choice, Choice)
        run(choice.exchange().sign(Outgoing("GET", "https://api.example/x")))
    assert str(caught.value) == "it: it is not UTF-8 text: check where it comes from"


@pytest.mark.parametrize("scheme", [HttpBasic(), HttpDigest()])
@pytest.mark.parametrize("pair", [("ann", HALF), (HALF, "pw")])
def test_neither_half_of_a_pair_is_shown_when_it_is_no_text(
    scheme: Scheme, pair: tuple[str, str]
) -> None:
    username, password = pair
    credentials = Credentials({"it": scheme}, {"it": {"username": username, "password": password}})
    with pytest.raises(CredentialError, match=r"^it: it is not UTF-8 text"):
        credentials.choose([{"it": []}])


@pytest.mark.parametrize(
    "make",
    [
        lambda: OAuthClient("it", HALF, token_url=TOKEN_URL),
        lambda: OAuthClient("it", ClientSecretPost(HALF), token_url=TOKEN_URL),
        lambda: OAuthClient("it", PrivateKeyJwt(HALF), token_url=TOKEN_URL),
        lambda: OAuthClient("it", grant=Password("ann", HALF), token_url=TOKEN_URL),
        lambda: OAuthClient("it", grant=RefreshToken(HALF), token_url=TOKEN_URL),
        lambda: OAuthClient("it", token_url=TOKEN_URL, scopes=[HALF]),
        lambda: OAuthClient("it", token_url=TOKEN_URL, audience=HALF),
        lambda: OAuthClient(HALF, token_url=TOKEN_URL),
    ],
)
def test_no_client_sends_what_is_no_text(make: Callable[[], OAuthClient]) -> None:
    with pytest.raises(CredentialError, match="it is not UTF-8 text") as caught:
        credentials = Credentials({"it": HttpBearer()}, {"it": make()})
        choice = credentials.choose([{"it": []}])
        assert isinstance(choice, Choice)
        run(choice.exchange().sign(Outgoing("GET", "https://api.example/x")))
    assert "pl/anted" not in repr(caught.value)


def forms(secret: str) -> list[str]:
    """The ways in which a secret stands in text."""
    return [
        secret,
        quote(secret),
        quote(secret, safe=""),
        re.sub("%..", lambda octet: octet[0].lower(), quote(secret, safe="")),
        b64encode(secret.encode()).decode(),
        b64encode(f"ann:{secret}".encode()).decode(),
        json.dumps(secret)[1:-1],
    ]


def test_every_form_of_a_known_secret_is_hidden_in_text() -> None:
    values: dict[str, Credential] = {
        "key": env("KEY"),
        "basic": {"username": "ann", "password": PLANTED},
    }
    credentials = Credentials(
        {"key": ApiKey("k"), "basic": HttpBasic()}, values, environ={"KEY": "k-123456"}
    )
    for form in (*forms(PLANTED), "k-123456"):
        assert credentials.hide(f"before {form} after") == "before *** after"
    assert credentials.hide("nothing here") == "nothing here"


def test_what_a_function_gave_is_hidden_from_then_on() -> None:
    credentials = Credentials({"it": HttpBearer()}, {"it": lambda: "made-up-token"})
    choice = credentials.choose([{"it": []}])
    assert isinstance(choice, Choice)
    choice.static(Outgoing("GET", "https://api.example/x"))
    assert credentials.hide("made-up-token") == "***"


def test_a_longer_secret_is_hidden_whole_when_it_holds_a_shorter_one() -> None:
    credentials = Credentials(
        {"a": ApiKey("a"), "b": ApiKey("b")}, {"a": "token", "b": "token-and-more"}
    )
    assert credentials.hide("token-and-more, token") == "***, ***"


def test_a_secret_that_stays_is_hidden_however_many_came_and_went() -> None:
    tokens = (f"renewed/token+{number}" for number in range(1000))
    credentials = Credentials(
        {"key": ApiKey("k"), "it": HttpBearer()},
        {"key": "key/that+stays", "it": lambda: next(tokens)},
    )
    choice = credentials.choose([{"key": [], "it": []}])
    assert isinstance(choice, Choice)
    for _ in range(150):
        choice.static(Outgoing("GET", "https://api.example/x"))
        assert credentials.hide("key/that+stays") == "***"


def test_a_short_secret_does_not_blank_out_ordinary_words() -> None:
    assert Credentials({"a": ApiKey("a")}, {"a": "t"}).hide("ten tents") == "ten tents"


def test_importing_auth_and_choosing_loads_nothing_heavy() -> None:
    program = """
import sys
from toolmint.auth import ApiKey, Credentials, Outgoing
choice = Credentials({"k": ApiKey("X-Key")}, {"k": "v"}).choose([{"k": []}])
choice.static(Outgoing("GET", "https://api.example/"))
heavy = {"asyncio", "ssl", "httpx", "httpx2", "email", "hashlib", "cryptography"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
