"""What the environment makes of each scheme when a toolset is given no credentials."""

from pathlib import Path

import pytest

from toolmint.auth import (
    ApiKey,
    Certificate,
    Choice,
    Credentials,
    HttpBasic,
    Missing,
    MutualTls,
    OAuth2,
    OAuthFlow,
    OpenIdConnect,
    Outgoing,
    Scheme,
    Unsupported,
)

SCHEMES: dict[str, Scheme] = {
    "key": ApiKey("X-Key"),
    "basic": HttpBasic(),
    "mtls": MutualTls(),
    "oauth": OAuth2(
        (
            OAuthFlow("clientCredentials", token_url="/token"),
            OAuthFlow("authorizationCode", "/auth", "/token"),
        )
    ),
    "device": OAuth2((OAuthFlow("deviceAuthorization", device_authorization_url="/device"),)),
    "oidc": OpenIdConnect("https://id.example/.well-known/openid-configuration"),
    "odd": Unsupported("hmac"),
}


def credentials(environ: dict[str, str]) -> Credentials:
    return Credentials(SCHEMES, module="acme.pets_tools", environ=environ)


def test_what_is_missing_is_said_in_variables() -> None:
    told: dict[str, str] = {}
    for name in SCHEMES:
        missing = credentials({"PETS_KEY": ""}).choose([{name: []}])
        assert isinstance(missing, Missing)
        told[name] = missing.message.removeprefix("missing credentials: ")
    assert told == {
        "key": "key (API key in a header: set PETS_KEY)",
        "basic": "basic (HTTP basic: set PETS_BASIC_USERNAME and PETS_BASIC_PASSWORD)",
        "mtls": "mtls (mutual TLS: set PETS_MTLS_CERTIFICATE and PETS_MTLS_KEY)",
        "oauth": "oauth (OAuth 2: set PETS_OAUTH, or PETS_OAUTH_CLIENT_ID)",
        "device": "device (OAuth 2: set PETS_DEVICE, or PETS_DEVICE_CLIENT_ID)",
        "oidc": "oidc (OpenID Connect: set PETS_OIDC, or PETS_OIDC_CLIENT_ID)",
        "odd": "odd (unsupported scheme 'hmac')",
    }


def test_an_access_token_is_used_as_it_is() -> None:
    choice = credentials({"PETS_OAUTH": "tok", "PETS_OAUTH_CLIENT_ID": "it"}).choose(
        [{"oauth": []}]
    )
    assert isinstance(choice, Choice)
    signed, pending = choice.static(Outgoing("GET", "https://api.example/"))
    assert (signed.headers, pending) == ({"Authorization": "Bearer tok"}, ())


@pytest.mark.parametrize(
    ("name", "secret", "grant"),
    [
        ("oauth", "s3cret", "ClientCredentials"),
        ("oauth", "", "AuthorizationCode"),
        ("device", "", "DeviceCode"),
        ("oidc", "s3cret", "AuthorizationCode"),
    ],
)
def test_a_client_id_makes_a_client_of_a_described_flow(name: str, secret: str, grant: str) -> None:
    stem = f"PETS_{name.upper()}"
    known = credentials({f"{stem}_CLIENT_ID": "it", f"{stem}_CLIENT_SECRET": secret})
    assert repr(known.clients()) == f"{{'{name}': OAuthClient('it', {grant})}}"
    assert known.clients()[name] is known.clients()[name]  # with the tokens it has
    choice = known.choose([{name: ["read"]}])
    assert isinstance(choice, Choice)
    plain = Outgoing("GET", "https://api.example/")
    placed = Outgoing("GET", plain.url, {"Authorization": f"Bearer <{name}>"})
    assert choice.static(plain) == (placed, (name,))


def test_a_certificate_is_two_files(tmp_path: Path) -> None:
    environ = {"PETS_MTLS_CERTIFICATE": f"{tmp_path}/c.pem", "PETS_MTLS_KEY": f"{tmp_path}/k.pem"}
    choice = credentials(environ).choose([{"mtls": []}])
    assert isinstance(choice, Choice)
    assert choice.certificate == Certificate(f"{tmp_path}/c.pem", f"{tmp_path}/k.pem")


@pytest.mark.parametrize(
    "environ",
    [
        {"PETS_KEY": ""},
        {"PETS_OAUTH": "", "PETS_OAUTH_CLIENT_ID": ""},
        {"PETS_MTLS_CERTIFICATE": "c.pem", "PETS_MTLS_KEY": ""},
    ],
)
def test_a_variable_that_is_set_to_nothing_is_not_set(environ: dict[str, str]) -> None:
    known = credentials(environ)
    assert not [name for name in SCHEMES if known.usable([{name: []}])]


def test_secrets_of_the_environment_are_hidden() -> None:
    known = credentials({"PETS_KEY": "planted-1", "PETS_OAUTH": "planted-2"})
    assert known.hide("planted-1 planted-2") == "*** ***"
    assert repr(known) == "Credentials(from the environment)"
