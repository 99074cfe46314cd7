"""Where a token request may go, and what an authorization server cannot make us do."""

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus

import pytest

from toolmint.auth import (
    Answer,
    AuthorizationCode,
    AuthorizationNeeded,
    Choice,
    CredentialError,
    Credentials,
    HttpBearer,
    OAuth2,
    OAuthClient,
    OAuthFlow,
    OpenIdConnect,
    Outgoing,
    Password,
    Scheme,
)
from toolmint.auth.flow import run
from toolmint.auth.hosts import allowed
from toolmint.auth.network import fetcher
from toolmint.auth.oauth2.discovery import configuration, metadata, protected_resource

SECRET = "planted-secret-value"
OTHER = "an/other+secret value"


@pytest.mark.parametrize(
    ("address", "public", "private"),
    [
        ("93.184.215.14", True, True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True, True),
        ("10.1.2.3", False, True),
        ("192.168.0.1", False, True),
        ("172.16.0.1", False, True),
        ("100.64.0.1", False, True),
        ("127.0.0.1", False, True),
        ("::1", False, True),
        ("fd00::1", False, True),
        ("::ffff:10.0.0.1", False, True),
        ("169.254.169.254", False, False),
        ("::ffff:169.254.169.254", False, False),
        ("fe80::1%eth0", False, False),
        ("0.0.0.0", False, False),
        ("224.0.0.1", False, False),
    ],
)
def test_which_addresses_may_be_spoken_to(address: str, public: bool, private: bool) -> None:
    assert (allowed(address, False), allowed(address, True)) == (public, private)


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1:1/token", "https://localhost:1/token", "https://[::1]:1/token"]
)
def test_a_description_cannot_send_a_secret_to_a_private_address(url: str) -> None:
    scheme = OAuth2((OAuthFlow("clientCredentials", token_url=url),))
    with pytest.raises(CredentialError, match="is at the private address") as caught:
        sign(OAuthClient("it", SECRET), scheme, "https://93.184.215.14/x")
    assert SECRET not in str(caught.value)


def test_a_token_request_is_never_sent_without_tls() -> None:
    scheme = OAuth2((OAuthFlow("clientCredentials", token_url="http://api.example/token"),))
    with pytest.raises(CredentialError, match=r"is not sent to http://api\.example"):
        sign(OAuthClient("it", SECRET), scheme)


def test_only_http_is_spoken() -> None:
    for url in ("file:///etc/passwd", "ftp://h/", "gopher://h/"):
        with pytest.raises(CredentialError):
            fetcher()(Outgoing("GET", url))


def sign(client: OAuthClient, scheme: Scheme, url: str = "https://api.example/x") -> Outgoing:
    choice = Credentials({"it": scheme}, {"it": client}).choose([{"it": []}])
    assert isinstance(choice, Choice)
    return run(choice.exchange().sign(Outgoing("GET", url)))


def answering(status: int, body: object, **headers: str) -> tuple[list[Outgoing], Any]:
    seen: list[Outgoing] = []

    def fetch(request: Outgoing) -> Answer:
        seen.append(request)
        text = body if isinstance(body, str) else json.dumps(body)
        return Answer(status, headers, text.encode())

    return seen, fetch


def test_a_redirect_of_the_token_endpoint_is_not_followed() -> None:
    seen, fetch = answering(307, "", Location="https://evil.example/")
    client = OAuthClient("it", SECRET, token_url="https://id.example/token", fetch=fetch)
    with pytest.raises(CredentialError, match="credentials do not follow"):
        sign(client, HttpBearer())
    assert [request.url for request in seen] == ["https://id.example/token"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"the secret {SECRET} is wrong", "refused: invalid_grant (the secret *** is wrong)"),
        (f"not {quote(OTHER)}", "refused: invalid_grant (not ***)"),
        (f"not {quote_plus(OTHER)}", "refused: invalid_grant (not ***)"),
        (
            f"not {b64encode(f'it:{quote_plus(OTHER)}'.encode()).decode()}",
            "refused: invalid_grant (not ***)",
        ),
        ("no password for refresh", "refused: invalid_grant (no password for refresh)"),
        ("line\r\nbreak", "refused: invalid_grant"),
        ("plainly wrong", "refused: invalid_grant (plainly wrong)"),
        ({"an": "object"}, "refused: invalid_grant"),
    ],
)
def test_what_a_server_says_is_shown_without_what_it_repeats(said: object, shown: str) -> None:
    _, fetch = answering(400, {"error": "invalid_grant", "error_description": said})
    grant = Password("ann", SECRET)
    client = OAuthClient(
        "it", OTHER, grant=grant, token_url="https://id.example/token", fetch=fetch
    )
    with pytest.raises(CredentialError) as caught:
        sign(client, HttpBearer())
    assert str(caught.value) == f"it: the authorization server {shown}"


@pytest.mark.parametrize(
    ("status", "body", "message", "retryable"),
    [
        (500, {"error": "server_error"}, "failed with status 500", True),
        (429, {"error": "slow_down"}, "failed with status 429", True),
        (200, "<html>", "answer is no JSON object", True),
        (200, "[" * 100_000, "answer is no JSON object", True),
        (200, '{"access_token": "\\ud800"}', "answer is no JSON object", True),
        (200, {"token_type": "Bearer"}, "holds no access_token", False),
        (200, {"access_token": "x", "token_type": "DPoP"}, "of the type DPoP, not", False),
        (200, {"access_token": "x", "token_type": SECRET}, "of the type unknown, not", False),
        (200, {"access_token": "x\r\nX-Admin:1"}, "holds a line break", False),
        (400, {"error": "bad\r\nname"}, "refused: error", False),
        (400, {"error": SECRET}, "refused: error", False),
        (200, {"error": "access_denied"}, "refused: access_denied", False),
        (200, {"error": "bad_refresh_token"}, "refused: invalid_grant", False),
    ],
)
def test_an_odd_answer_of_a_token_endpoint_is_an_error(
    status: int, body: object, message: str, retryable: bool
) -> None:
    _, fetch = answering(status, body)
    client = OAuthClient("it", SECRET, token_url="https://id.example/token", fetch=fetch)
    with pytest.raises(CredentialError, match=message) as caught:
        sign(client, HttpBearer())
    assert caught.value.retryable is retryable


def test_a_client_that_acts_for_itself_does_not_depend_on_a_refresh_token() -> None:
    grants: list[str] = []

    def fetch(request: Outgoing) -> Answer:
        grants.extend(parse_qs((request.body or b"").decode())["grant_type"])
        given = {"access_token": f"tok-{len(grants)}", "refresh_token": "r", "expires_in": 0}
        return Answer(200, {}, json.dumps(given).encode())

    client = OAuthClient("it", SECRET, token_url="https://id.example/token", fetch=fetch)
    for number in (1, 2):
        signed = sign(client, HttpBearer())
        assert signed.headers == {"Authorization": f"Bearer tok-{number}"}
    assert grants == ["client_credentials"] * 2


def test_a_token_learned_from_a_server_is_hidden_from_then_on() -> None:
    _, fetch = answering(200, {"access_token": "fresh-token", "refresh_token": "later-token"})
    client = OAuthClient("it", SECRET, token_url="https://id.example/token", fetch=fetch)
    credentials = Credentials({"it": HttpBearer()}, {"it": client})
    choice = credentials.choose([{"it": []}])
    assert isinstance(choice, Choice)
    run(choice.exchange().sign(Outgoing("GET", "https://api.example/")))
    assert credentials.hide("fresh-token later-token") == "*** ***"
    assert SECRET not in repr(client) + repr(vars(client))


# ── discovery ───────────────────────────────────────────────────────────────────────


def serving(pages: dict[str, object]) -> Callable[[Outgoing], Answer]:
    def fetch(request: Outgoing) -> Answer:
        if request.url not in pages:
            return Answer(404)
        return Answer(200, {}, json.dumps(pages[request.url]).encode())

    return fetch


@pytest.mark.parametrize(
    "place",
    [
        "https://id.example/.well-known/oauth-authorization-server/tenant",
        "https://id.example/tenant/.well-known/openid-configuration",
        "https://id.example/.well-known/openid-configuration/tenant",
    ],
)
def test_an_issuer_describes_itself_in_any_of_the_standard_places(place: str) -> None:
    data = {"issuer": "https://id.example/tenant", "token_endpoint": "https://id.example/t"}
    assert metadata(serving({place: data}), "https://id.example/tenant") == data


def test_metadata_must_be_of_the_issuer_that_was_asked() -> None:
    place = "https://id.example/.well-known/oauth-authorization-server"
    with pytest.raises(CredentialError, match="states another issuer"):
        metadata(serving({place: {"issuer": "https://evil.example"}}), "https://id.example")


def test_a_configuration_must_be_of_its_own_origin() -> None:
    url = "https://id.example/.well-known/openid-configuration"
    with pytest.raises(CredentialError, match="states an issuer elsewhere"):
        configuration(serving({url: {"issuer": "https://evil.example"}}), url)
    template = {"issuer": "https://id.example/{tenant}/v2.0"}
    assert configuration(serving({url: template}), url) == template


@pytest.mark.parametrize(
    ("identifier", "fits"),
    [
        ("https://api.example/v1", True),
        ("https://api.example", True),
        ("https://api.example/", True),
        ("https://api.example/v1/", True),
        ("https://api.example/v", False),
        ("https://api.example/v2", False),
        ("https://evil.example/v1", False),
        ("http://api.example/v1", False),
    ],
)
def test_resource_metadata_must_be_about_the_api_that_is_called(
    identifier: str, fits: bool
) -> None:
    stated = "https://api.example/.well-known/oauth-protected-resource/v1"
    data = {"resource": identifier, "authorization_servers": ["https://id.example"]}
    fetch = serving({stated: data})
    if fits:
        assert protected_resource(fetch, "https://api.example/v1/pets", stated).issuer == (
            "https://id.example"
        )
    else:
        with pytest.raises(CredentialError, match="about another API"):
            protected_resource(fetch, "https://api.example/v1/pets", stated)


def test_an_implicit_description_is_served_by_what_its_server_offers() -> None:
    """An implicit flow has no token endpoint; the server's metadata says where one is."""
    root = "https://id.example"
    pages = serving(
        {
            f"{root}/.well-known/oauth-authorization-server": {
                "issuer": root,
                "authorization_endpoint": f"{root}/auth",
                "token_endpoint": f"{root}/token",
            }
        }
    )
    client = OAuthClient("it", grant=AuthorizationCode(), fetch=pages)
    scheme = OAuth2((OAuthFlow("implicit", authorization_url=f"{root}/auth?tenant=1"),))
    with pytest.raises(AuthorizationNeeded) as needed:
        sign(client, scheme)
    assert str(needed.value.url).startswith(f"{root}/auth?response_type=code")


def test_an_openid_scheme_is_served_by_its_configuration() -> None:
    url = "https://id.example/.well-known/openid-configuration"
    data = {"issuer": "https://id.example", "token_endpoint": "https://id.example/token"}
    pages = serving({url: data, "https://id.example/token": {"access_token": "made"}})
    client = OAuthClient("it", SECRET, fetch=pages)
    assert sign(client, OpenIdConnect(url)).headers == {"Authorization": "Bearer made"}
