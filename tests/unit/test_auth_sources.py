"""Where the value of a credential comes from, and when it is asked for."""

import asyncio
from collections.abc import Mapping

import pytest

from toolmint.auth import (
    ApiKey,
    Choice,
    Credential,
    CredentialError,
    Credentials,
    HttpBasic,
    HttpBearer,
    HttpDigest,
    HttpScheme,
    Missing,
    OAuth2,
    Outgoing,
    Scheme,
    Secret,
    Security,
    env,
    file,
)

from .signing import API, ROOT, SCHEMES, sign

# ── sources ─────────────────────────────────────────────────────────────────────────

BEARER = {"it": HttpBearer()}
NEEDS: Security = [{"it": []}]


def test_environment_and_file_are_read_at_each_call(tmp_path: object) -> None:
    environ = {"TOKEN": "first"}
    credentials = Credentials(BEARER, {"it": env("TOKEN")}, environ=environ)
    assert sign(credentials, NEEDS).headers == {"Authorization": "Bearer first"}
    environ["TOKEN"] = "second"
    assert sign(credentials, NEEDS).headers == {"Authorization": "Bearer second"}

    path = f"{tmp_path}/token"
    credentials = Credentials(BEARER, {"it": file(path)})
    for text, token in (("one\n", "one"), ("two\r\n", "two"), ("three", "three")):
        with open(path, "w", newline="") as stream:
            stream.write(text)
        assert sign(credentials, NEEDS).headers == {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (env("UNSET"), "HTTP bearer: environment variable UNSET is not set"),
        (env("EMPTY"), "HTTP bearer: it is empty"),
        (
            file("/nowhere/token"),
            "HTTP bearer: cannot read /nowhere/token: No such file or directory",
        ),
        ("", "HTTP bearer: it is empty"),
        (None, "HTTP bearer"),
    ],
)
def test_a_source_with_nothing_in_it_is_a_missing_credential(
    value: Credential, reason: str
) -> None:
    missing = Credentials(BEARER, {"it": value}, environ={"EMPTY": ""}).choose(NEEDS)
    assert isinstance(missing, Missing)
    assert missing.message == f"missing credentials: it ({reason})"


def test_the_environment_is_read_only_when_no_mapping_is_given() -> None:
    environ = {"CASE11_USER_TOKEN": "tok", "CASE11_TENANT_KEY": "t"}
    given: list[tuple[dict[str, Credential] | None, bool]] = [(None, True), ({}, False)]
    for values, complete in given:
        credentials = Credentials(SCHEMES, values, module="acme.case11_tools", environ=environ)
        assert isinstance(credentials.choose(ROOT), Choice) is complete
        assert credentials.usable(ROOT) is complete


def test_what_is_missing_in_the_environment_names_the_variables() -> None:
    missing = Credentials(SCHEMES, module="case11_tools", environ={}).choose(ROOT)
    assert isinstance(missing, Missing)
    assert missing.message == (
        "missing credentials: tenantKey (API key in a header: set CASE11_TENANT_KEY) "
        "and userToken (HTTP bearer: set CASE11_USER_TOKEN), or "
        "legacy (HTTP basic: set CASE11_LEGACY_USERNAME and CASE11_LEGACY_PASSWORD)"
    )


def test_basic_from_the_environment_may_have_an_empty_password() -> None:
    environ = {"X_LEGACY_USERNAME": "ann", "X_LEGACY_PASSWORD": ""}
    credentials = Credentials(SCHEMES, module="x_tools", environ=environ)
    assert sign(credentials, ROOT).headers == {"Authorization": "Basic YW5uOg=="}


# ── functions ───────────────────────────────────────────────────────────────────────


def test_a_function_is_called_for_each_request() -> None:
    tokens = iter(["one", "two"])
    credentials = Credentials(BEARER, {"it": lambda: next(tokens)})
    choice = credentials.choose(NEEDS)
    assert isinstance(choice, Choice)
    signed, pending = choice.static(Outgoing("GET", API))
    assert (signed.headers, pending) == ({"Authorization": "Bearer one"}, ())
    signed = asyncio.run(choice.apply(Outgoing("GET", API)))
    assert signed.headers == {"Authorization": "Bearer two"}


def test_an_asynchronous_function_is_pending_until_the_call() -> None:
    async def token() -> str:
        return "later"

    for supplier in (token, lambda: token()):
        choice = Credentials(BEARER, {"it": supplier}).choose(NEEDS)
        assert isinstance(choice, Choice)
        placed = Outgoing("GET", API, {"Authorization": "Bearer <it>"})
        assert choice.static(Outgoing("GET", API)) == (placed, ("it",))
        signed = asyncio.run(choice.apply(Outgoing("GET", API)))
        assert signed.headers == {"Authorization": "Bearer later"}


def test_a_function_may_give_a_username_and_password() -> None:
    credentials = Credentials(
        {"it": HttpBasic()}, {"it": lambda: {"username": "ann", "password": "pw"}}
    )
    assert sign(credentials, NEEDS).headers == {"Authorization": "Basic YW5uOnB3"}


def test_a_function_that_gives_nothing_is_an_error_that_names_the_scheme() -> None:
    choice = Credentials(BEARER, {"it": lambda: None}).choose(NEEDS)
    assert isinstance(choice, Choice)
    with pytest.raises(CredentialError, match=r"^it: the function gave nothing$"):
        choice.static(Outgoing("GET", API))


def test_digest_is_pending() -> None:
    choice = Credentials({"it": HttpDigest()}, {"it": "ann:pw"}).choose(NEEDS)
    assert isinstance(choice, Choice)
    placed = Outgoing("GET", API, {"Authorization": "Digest <it>"})
    assert choice.static(Outgoing("GET", API)) == (placed, ("it",))


SHOWN: list[tuple[Scheme, str, Mapping[str, str]]] = [
    (ApiKey("X-Key"), API, {"X-Key": "***"}),
    (ApiKey("api key", "query"), f"{API}?api%20key=***", {}),
    (ApiKey("sid", "cookie"), API, {"Cookie": "sid=***"}),
    (HttpBasic(), API, {"Authorization": "Basic ***"}),
    (HttpBearer(), API, {"Authorization": "Bearer ***"}),
    (HttpScheme("Token"), API, {"Authorization": "Token ***"}),
    (OAuth2(), API, {"Authorization": "Bearer ***"}),
]


@pytest.mark.parametrize(("scheme", "url", "headers"), SHOWN)
@pytest.mark.parametrize("secret", ["a:b", ":G", "a:long-secret"])
def test_a_signed_request_can_be_shown_whatever_the_length_of_its_secret(
    scheme: Scheme, url: str, headers: Mapping[str, str], secret: str
) -> None:
    choice = Credentials({"it": scheme}, {"it": secret}).choose(NEEDS)
    assert isinstance(choice, Choice)
    assert choice.shown(Outgoing("GET", API)) == Outgoing("GET", url, headers)


def test_what_is_pending_is_named_in_its_place() -> None:
    async def key() -> str:
        return "later"

    name = "My kéy; v2"
    choice = Credentials({name: ApiKey("k", "query")}, {name: key}).choose([{name: []}])
    assert isinstance(choice, Choice)
    request, pending = choice.static(Outgoing("GET", API))
    assert (request.url, pending) == (f"{API}?k=%3CMy-k-y--v2%3E", (name,))
    assert choice.shown(Outgoing("GET", API), pending) == request


def test_a_secret_can_be_given_as_one() -> None:
    credentials = Credentials(BEARER, {"it": Secret("tok")})
    assert sign(credentials, NEEDS).headers == {"Authorization": "Bearer tok"}
