"""OAuth 2 against a certified provider on loopback: every grant, every client authentication."""

import asyncio
import logging
from base64 import b64encode
from collections.abc import Generator
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from tests.services.oidc import Provider, client, provider, sign_in
from toolmint.auth import (
    AuthorizationCode,
    AuthorizationNeeded,
    Choice,
    ClientSecretBasic,
    ClientSecretPost,
    CredentialError,
    Credentials,
    DeviceCode,
    HttpBearer,
    OAuth2,
    OAuthClient,
    OAuthFlow,
    OpenIdConnect,
    Outgoing,
    Password,
    PrivateKeyJwt,
    RefreshToken,
    Scheme,
    Target,
    TokenExchange,
    acting_for,
)


def chosen(credential: OAuthClient, scheme: Scheme, *scopes: str) -> Choice:
    choice = Credentials({"oauth": scheme}, {"oauth": credential}).choose([{"oauth": list(scopes)}])
    assert isinstance(choice, Choice)
    return choice


def call(url: str, credential: OAuthClient, scheme: Scheme, *scopes: str) -> httpx.Response:
    with httpx.Client() as plain:
        return plain.get(url, auth=chosen(credential, scheme, *scopes).as_httpx_auth())


CLIENTS: list[dict[str, Any]] = [
    client("basic", "client_credentials", token_endpoint_auth_method="client_secret_basic"),
    client("post", "client_credentials", token_endpoint_auth_method="client_secret_post"),
    client("a:b&c=%", "client_credentials", client_secret="p:&=+ %"),
    client("legacy", "password"),
    client("exchange", "password", "urn:ietf:params:oauth:grant-type:token-exchange"),
    client("web", "authorization_code", "refresh_token", token_endpoint_auth_method="none"),
    client(
        "tv",
        "urn:ietf:params:oauth:grant-type:device_code",
        "refresh_token",
        token_endpoint_auth_method="none",
    ),
]


@pytest.fixture(scope="module")
def oidc() -> Generator[Provider]:
    with provider(CLIENTS) as running:
        yield running


def described(oidc: Provider, kind: Any = "clientCredentials") -> OAuth2:
    flow = OAuthFlow(
        kind,
        authorization_url=f"{oidc.issuer}/auth",
        token_url="/token",  # relative, as descriptions have it
        device_authorization_url=f"{oidc.issuer}/device/auth",
    )
    return OAuth2((flow,))


# ── client credentials ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("basic", "secret of basic"),
        ("basic", ClientSecretBasic("secret of basic")),
        ("post", ClientSecretPost("secret of post")),
        ("a:b&c=%", "p:&=+ %"),
    ],
)
def test_a_client_gets_a_token_with_its_secret(oidc: Provider, name: str, secret: Any) -> None:
    response = call(oidc.api, OAuthClient(name, secret), described(oidc), "read")
    assert response.json() == {"who": name, "scope": "read", "audience": None}


def test_asynchronous_clients_get_one_too(oidc: Provider) -> None:
    auth = chosen(OAuthClient("basic", "secret of basic"), described(oidc)).as_httpx_auth()

    async def run() -> int:
        async with httpx.AsyncClient() as plain:
            return (await plain.get(oidc.api, auth=auth)).status_code

    assert asyncio.run(run()) == 200


@pytest.mark.parametrize("kind", ["RS256", "PS256", "ES256", "EdDSA"])
def test_a_client_signs_a_statement_with_its_private_key(kind: Any) -> None:
    makers: dict[str, Any] = {
        "RS256": lambda: rsa.generate_private_key(65537, 2048),
        "PS256": lambda: rsa.generate_private_key(65537, 2048),
        "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate,
    }
    key = makers[kind]()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"pw"))
    registered = client(
        "signer",
        "client_credentials",
        token_endpoint_auth_method="private_key_jwt",
        token_endpoint_auth_signing_alg=kind,
        jwks={"keys": [public_jwk(key, kind)]},
    )
    with provider([registered]) as oidc:
        way = PrivateKeyJwt(pem.decode(), password="pw", key_id="k1", algorithm=kind)
        scheme = OpenIdConnect(f"{oidc.issuer}/.well-known/openid-configuration")
        assert call(oidc.api, OAuthClient("signer", way), scheme).json()["who"] == "signer"


def public_jwk(key: Any, kind: str) -> dict[str, str]:
    from base64 import urlsafe_b64encode

    def encode(data: bytes) -> str:
        return urlsafe_b64encode(data).rstrip(b"=").decode()

    common = {"alg": kind, "use": "sig", "kid": "k1"}
    if kind == "EdDSA":
        return {
            "kty": "OKP",
            "crv": "Ed25519",
            "x": encode(key.public_key().public_bytes_raw()),
            **common,
        }
    numbers = key.public_key().public_numbers()
    if kind == "ES256":
        x, y = (encode(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        return {"kty": "EC", "crv": "P-256", "x": x, "y": y, **common}
    return {
        "kty": "RSA",
        "n": encode(numbers.n.to_bytes(256, "big")),
        "e": encode(numbers.e.to_bytes(3, "big")),
        **common,
    }


def test_a_wrong_secret_is_refused_and_shown_nowhere(oidc: Provider) -> None:
    with pytest.raises(CredentialError, match=r"^oauth: .*refused: invalid_client") as caught:
        call(oidc.api, OAuthClient("basic", "wrong-secret-value"), described(oidc))
    assert "wrong-secret-value" not in str(caught.value)


def test_nothing_secret_is_logged_even_at_debug(
    oidc: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    grant = Password("ann", "password of ann")
    credential = OAuthClient("legacy", "secret of legacy", grant=grant)
    credentials = Credentials({"it": described(oidc, "password")}, {"it": credential})
    choice = credentials.choose([{"it": ["read"]}])
    assert isinstance(choice, Choice)
    with caplog.at_level(logging.DEBUG), httpx.Client() as plain:
        assert plain.get(oidc.api, auth=choice.as_httpx_auth()).status_code == 200
    assert "httpcore" in {record.name.partition(".")[0] for record in caplog.records}
    secrets = ("secret of legacy", "secret+of+legacy", "password of ann", "password+of+ann")
    basic = b64encode(b"legacy:secret+of+legacy").decode()
    assert not [secret for secret in (*secrets, basic) if secret in caplog.text]
    assert credentials.hide(caplog.text) == caplog.text  # the access token neither


# ── other grants without a person ───────────────────────────────────────────────────


def test_a_password_is_exchanged_for_a_token(oidc: Provider) -> None:
    grant = Password("ann", "password of ann")
    credential = OAuthClient("legacy", "secret of legacy", grant=grant)
    assert call(oidc.api, credential, described(oidc, "password")).json()["who"] == "ann"


def test_a_token_is_exchanged_for_another(oidc: Provider) -> None:
    first = OAuthClient("legacy", "secret of legacy", grant=Password("ann", "password of ann"))
    signed = chosen(first, described(oidc, "password")).exchange()
    token = asyncio.run(signed.apply(Outgoing("GET", oidc.api))).headers["Authorization"][7:]
    grant = TokenExchange(token)
    credential = OAuthClient("exchange", "secret of exchange", grant=grant)
    response = call(oidc.api, credential, described(oidc, "password"))
    assert response.json()["who"] == "ann by exchange"


# ── with a person ───────────────────────────────────────────────────────────────────


def test_a_person_signs_in_with_a_browser_and_the_call_then_works(oidc: Provider) -> None:
    credential = OAuthClient(
        "web", grant=AuthorizationCode(), issuer=oidc.issuer, scopes=["openid"]
    )
    with pytest.raises(AuthorizationNeeded, match="somebody has to sign in") as needed:
        call(oidc.api, credential, HttpBearer(), "read")
    assert needed.value.url and needed.value.code is None
    assert "code_challenge_method=S256" in needed.value.url
    with pytest.raises(AuthorizationNeeded) as again:
        call(oidc.api, credential, HttpBearer(), "read")
    assert again.value.url == needed.value.url  # one sign-in, however many calls wait for it

    page = sign_in(needed.value.url, "ann")
    assert "You can close this window" in page.text
    credential.login_under_way(Target(oidc.api, HttpBearer())).wait(10)
    assert call(oidc.api, credential, HttpBearer(), "read").json()["who"] == "ann"


def test_an_answer_from_elsewhere_does_not_end_the_sign_in(oidc: Provider) -> None:
    credential = OAuthClient("web", grant=AuthorizationCode(), issuer=oidc.issuer)
    target = Target(oidc.api, HttpBearer(), frozenset({"openid"}))
    login = credential.login(target)
    redirect = httpx.URL(login.url).params["redirect_uri"]
    assert httpx.get(redirect, params={"code": "evil", "state": "guessed"}).status_code == 404
    state = httpx.URL(login.url).params["state"]
    answer = {"code": "evil", "state": state, "iss": "https://evil.example"}
    assert httpx.get(redirect, params=answer).status_code == 200
    with pytest.raises(CredentialError, match="answered by another authorization server"):
        login.wait(10)
    assert credential.status(target) is None


def test_a_person_enters_a_device_code(oidc: Provider) -> None:
    credential = OAuthClient("tv", grant=DeviceCode(), issuer=oidc.issuer, scopes=["openid"])
    with pytest.raises(AuthorizationNeeded) as needed:
        call(oidc.api, credential, HttpBearer())
    url, code = needed.value.url, needed.value.code
    assert url and url == f"{oidc.issuer}/device"
    assert code and code in str(needed.value)
    sign_in(url, "bob", code)
    credential.login_under_way(Target(oidc.api, HttpBearer())).wait(20)
    assert call(oidc.api, credential, HttpBearer()).json()["who"] == "bob"


def test_principals_in_one_process_never_share_a_token(oidc: Provider) -> None:
    credential = OAuthClient(
        "web", grant=AuthorizationCode(), issuer=oidc.issuer, scopes=["openid"]
    )
    for name in ("ann", "bob"):
        target = Target(oidc.api, HttpBearer(), principal=name)
        login = credential.login(target)
        sign_in(login.url, name)
        login.wait(10)
    for name in ("ann", "bob", "ann"):
        with acting_for(name):
            assert call(oidc.api, credential, HttpBearer()).json()["who"] == name
    with pytest.raises(AuthorizationNeeded):
        call(oidc.api, credential, HttpBearer())


@pytest.mark.parametrize("is_described", [False, True])
def test_signing_out_forgets_and_revokes(oidc: Provider, is_described: bool) -> None:
    """Also where the description leaves out how: the server itself is asked."""
    issuer = "" if is_described else oidc.issuer
    scheme = described(oidc, "authorizationCode") if is_described else HttpBearer()
    credential = OAuthClient("web", grant=AuthorizationCode(), issuer=issuer, scopes=["openid"])
    target = Target(oidc.api, scheme)
    login = credential.login(target)
    sign_in(login.url, "ann")
    login.wait(10)
    kept = credential.status(target)
    assert kept and kept.refresh
    assert credential.logout(target) is True
    assert credential.status(target) is None
    refresh = RefreshToken(kept.refresh)
    with pytest.raises(CredentialError, match="invalid_grant"):
        call(oidc.api, OAuthClient("web", grant=refresh, issuer=oidc.issuer), HttpBearer())


# ── finding the server, and what a token is for ─────────────────────────────────────


def test_a_bearer_api_says_itself_where_to_get_a_token(oidc: Provider) -> None:
    credential = OAuthClient("basic", "secret of basic")
    response = call(oidc.api, credential, HttpBearer(), "read")
    assert response.json() == {"who": "basic", "scope": "read", "audience": oidc.api}
    before = oidc.seen()["calls"]
    assert call(oidc.api, credential, HttpBearer(), "read").status_code == 200
    assert oidc.seen()["calls"] == before + 1  # it is asked once


def test_a_token_is_asked_for_the_resource(oidc: Provider) -> None:
    credential = OAuthClient(
        "basic", "secret of basic", issuer=oidc.issuer, resource="https://api.example/v1"
    )
    assert call(oidc.api, credential, HttpBearer()).json()["audience"] == "https://api.example/v1"


def test_more_scopes_are_asked_for_when_the_api_wants_them(oidc: Provider) -> None:
    credential = OAuthClient("basic", "secret of basic")
    response = call(f"{oidc.api}/write", credential, described(oidc), "read")
    assert response.json()["scope"] == "read write"


def test_a_person_is_asked_for_more_scopes(oidc: Provider) -> None:
    credential = OAuthClient(
        "web", grant=AuthorizationCode(), issuer=oidc.issuer, scopes=["openid"]
    )
    target = Target(oidc.api, HttpBearer())
    login = credential.login(target)
    sign_in(login.url, "ann")
    login.wait(10)
    with pytest.raises(AuthorizationNeeded) as needed:
        call(f"{oidc.api}/write", credential, HttpBearer())
    assert needed.value.url
    assert httpx.URL(needed.value.url).params["scope"] == "openid write"
    sign_in(needed.value.url, "ann")
    credential.login_under_way(target).wait(10)
    assert call(f"{oidc.api}/write", credential, HttpBearer()).status_code == 200


def test_metadata_of_another_issuer_is_refused(oidc: Provider) -> None:
    elsewhere = oidc.issuer.replace("127.0.0.1", "localhost")
    with pytest.raises(CredentialError, match="states another issuer"):
        call(oidc.api, OAuthClient("basic", "secret of basic", issuer=elsewhere), HttpBearer())
