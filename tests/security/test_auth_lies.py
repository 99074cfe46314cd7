"""What a description or an authorization server says that is no address, or of somebody else."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.behaviour.loopback import Answer, loopback
from toolmint.auth import (
    Answer as Answered,
)
from toolmint.auth import (
    AuthorizationCode,
    CredentialError,
    HttpBearer,
    OAuth2,
    OAuthClient,
    OAuthFlow,
    OpenIdConnect,
    Outgoing,
    Scheme,
    Target,
    Unreachable,
)
from toolmint.auth.connections import answer
from toolmint.auth.flow import perform, run
from toolmint.auth.hosts import is_private
from toolmint.auth.network import fetcher, get

API = "https://93.184.215.14/pets"
ODD = [
    "https://[id",
    "https://id.example:99999/token",
    "https://id.example:port/token",
    "https://münchen.example/token",
    "https://id.example/a token",
    "https://id.example/token\r\nX-Admin: 1",
    "https://it:planted-secret@id.example/token",
    "https:///token",
    "file:///etc/passwd",
    "\ud800",
    "",
]


def token(client: OAuthClient, scheme: Scheme) -> None:
    job = client.renewal(Target(API, scheme), None)
    assert job is not None
    run(perform(job))


@pytest.mark.parametrize("url", ODD)
def test_what_is_no_address_is_not_gone_to(url: str) -> None:
    with pytest.raises(CredentialError, match=r"is no web address$") as asked:
        fetcher()(Outgoing("GET", url))
    with pytest.raises(CredentialError, match=r"is no web address$") as got:
        get(url, {}, most_bytes=1)
    assert "planted-secret" not in f"{asked.value}{got.value}"


@pytest.mark.parametrize("url", ODD[:-1])
def test_no_address_in_a_description_is_worse_than_an_error(url: str) -> None:
    schemes: list[Scheme] = [
        OAuth2((OAuthFlow("clientCredentials", token_url=url),)),
        OAuth2((OAuthFlow("implicit", authorization_url=url),)),
        OAuth2(metadata_url=url),
        OpenIdConnect(url),
    ]
    for scheme in schemes:
        with pytest.raises(CredentialError, match=r"no web address|private|no answer"):
            token(OAuthClient("it", "planted-secret"), scheme)
    for given in (OAuthClient("it", issuer=url), OAuthClient("it", token_url=url)):
        with pytest.raises(CredentialError, match=r"is no web address$"):
            token(given, HttpBearer())


@pytest.mark.parametrize("host", [".example", f"{'a' * 64}.example"])
def test_a_host_that_no_name_can_be_is_not_reached(host: str) -> None:
    with pytest.raises(Unreachable, match=f"no answer from {host}: it cannot be resolved"):
        fetcher()(Outgoing("GET", f"https://{host}/token"))
    assert is_private(host) is False


# ── what servers say of themselves ──────────────────────────────────────────────────

ISSUER = "https://id.example"


def described(status: int, metadata: object) -> OAuthClient:
    """A client whose issuer answers so to whatever it is asked."""
    text = metadata if isinstance(metadata, str) else json.dumps(metadata)
    return OAuthClient(
        "it", "planted-secret", issuer=ISSUER, fetch=lambda _: Answered(status, {}, text.encode())
    )


@pytest.mark.parametrize(
    ("status", "metadata", "message"),
    [
        (200, {"issuer": "https://evil.example"}, "states another issuer"),
        (200, {"issuer": 5}, "states another issuer"),
        (200, {"issuer": ISSUER}, "has no token endpoint"),
        (200, {"issuer": ISSUER, "token_endpoint": 5}, "has no token endpoint"),
        (200, "[" * 100_000, "has no metadata"),
        (404, "", "has no metadata"),
    ],
)
def test_a_server_that_describes_itself_wrongly_is_an_error(
    status: int, metadata: object, message: str
) -> None:
    with pytest.raises(CredentialError, match=message) as caught:
        token(described(status, metadata), HttpBearer())
    assert not caught.value.retryable


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_fails_to_describe_itself_can_be_asked_again(status: int) -> None:
    with pytest.raises(Unreachable, match=rf"^id\.example failed with status {status}$"):
        token(described(status, {"error": "busy"}), HttpBearer())


@pytest.mark.parametrize("endpoint", ["http://id.example/token", "https://[id", "/token"])
def test_an_endpoint_that_a_server_names_is_held_to_the_same(endpoint: str) -> None:
    asked = fetcher(private=True)
    with pytest.raises(CredentialError, match=r"is no web address$|where it could be read"):
        asked(Outgoing("POST", endpoint, {}, b"client_secret=planted-secret"))


WRONG: list[Mapping[str, Any]] = [
    {"resource": "https://[api"},
    {"resource": "https://93.184.215.14:port/"},
    {"resource": ["https://93.184.215.14"]},
    {"resource": "https://93.184.215.14", "authorization_servers": ["https://[id"]},
    {"resource": "https://93.184.215.14", "authorization_servers": [""]},
    {"resource": "https://93.184.215.14", "authorization_servers": ISSUER},
    {"resource": "https://93.184.215.14", "authorization_servers": [{}]},
]


@pytest.mark.parametrize("claims", WRONG)
def test_an_api_that_describes_itself_wrongly_is_an_error(claims: Mapping[str, Any]) -> None:
    client = OAuthClient("it", fetch=lambda _: Answered(200, {}, json.dumps(claims).encode()))
    with pytest.raises(CredentialError, match=r"^the resource metadata "):
        client.discover(Target(API, HttpBearer()), None)


@pytest.mark.parametrize(
    "issuer", ["https://[id", "https://id.example:port", "https://evil.example"]
)
def test_an_openid_configuration_of_no_issuer_of_its_origin_is_refused(issuer: str) -> None:
    claims = {"issuer": issuer, "token_endpoint": f"{ISSUER}/token"}
    client = OAuthClient("it", fetch=lambda _: Answered(200, {}, json.dumps(claims).encode()))
    with pytest.raises(CredentialError, match="states an issuer elsewhere"):
        token(client, OpenIdConnect(f"{ISSUER}/.well-known/openid-configuration"))


def test_a_sign_in_page_without_tls_is_not_opened() -> None:
    client = OAuthClient(
        "it",
        grant=AuthorizationCode(),
        token_url=f"{ISSUER}/token",
        authorization_url="http://id.example/auth",
    )
    with pytest.raises(CredentialError, match=r"a sign-in is not sent to http://id\.example"):
        client.login(Target(API, HttpBearer()))


# ── how a server answers ────────────────────────────────────────────────────────────


def test_a_server_that_says_a_byte_now_and_then_does_not_hold_a_caller() -> None:
    with loopback() as server:
        server.answer = lambda _: Answer(pieces=(b" ",) * 1000, between=0.05)
        with pytest.raises(Unreachable, match=r"no answer from 127\.0\.0\.1: (timed out|it took)"):
            answer(
                Outgoing("GET", server.url),
                {},
                private=True,
                context=None,
                most_bytes=10_000,
                seconds=0.5,
            )


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("no_proxy", "NO_PROXY", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("scheme", ["http://", ""])
def test_a_proxy_is_shown_its_own_credentials(proxied: pytest.MonkeyPatch, scheme: str) -> None:
    with loopback() as server:
        address = server.url.removeprefix("http://")
        proxied.setenv("http_proxy", f"{scheme}ann:p%40ss@{address}")
        fetcher(private=True)(Outgoing("GET", "http://127.0.0.1:9/token"))
    (seen,) = server.seen
    assert seen.target == "http://127.0.0.1:9/token"
    assert seen.headers["proxy-authorization"] == "Basic YW5uOnBAc3M="


def test_a_proxy_that_lets_nobody_through_is_no_answer(proxied: pytest.MonkeyPatch) -> None:
    with loopback() as server:
        proxied.setenv("https_proxy", server.url.replace("//", "//ann:planted-secret@"))
        with pytest.raises(Unreachable, match=r"^no answer from id\.example: 501") as caught:
            fetcher()(Outgoing("GET", "https://id.example/token"))
    assert "planted-secret" not in str(caught.value)


def test_a_proxy_of_another_kind_is_named_and_not_passed_by(proxied: pytest.MonkeyPatch) -> None:
    proxied.setenv("https_proxy", "socks5://ann:planted-secret@127.0.0.1:9")
    with pytest.raises(CredentialError, match="is none of HTTP") as caught:
        fetcher()(Outgoing("GET", "https://id.example/token"))
    assert "planted-secret" not in str(caught.value)
