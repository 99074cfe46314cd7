"""Which credentials a call uses, and what its request then looks like."""

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
    HttpScheme,
    Missing,
    OAuth2,
    OpenIdConnect,
    Outgoing,
    Scheme,
    Security,
    Unsupported,
    allow_http,
)

from .signing import API, PUBLIC, ROOT, SCHEMES, sign, signed_with

# ── fixtures/openapi case 11 ─────────────────────────────────────────────────────────


def test_an_and_sends_all_of_its_credentials() -> None:
    assert signed_with({"tenantKey": "t-9", "userToken": "tok"}, ROOT, f"{API}/inbox") == (
        f"{API}/inbox",
        {"X-Tenant": "t-9", "Authorization": "Bearer tok"},
    )


def test_the_next_alternative_serves_when_the_first_has_nothing() -> None:
    url = f"{API}/inbox?unread=true"
    legacy: Credential = {"username": "ann", "password": ""}
    assert signed_with({"legacy": legacy}, ROOT, url) == (url, {"Authorization": "Basic YW5uOg=="})


def test_the_first_complete_alternative_in_document_order_wins() -> None:
    values: dict[str, Credential] = {
        "legacy": "ann:pw",
        "userToken": "tok",
        "tenantKey": "t-9",
    }
    assert signed_with(values, ROOT)[1]["Authorization"] == "Bearer tok"


def test_half_an_and_sends_nothing_and_names_what_is_missing() -> None:
    missing = Credentials(SCHEMES, {"tenantKey": "t-9"}).choose(ROOT)
    assert isinstance(missing, Missing)
    assert missing.names == ("userToken", "legacy")
    assert missing.message == (
        "missing credentials: userToken (HTTP bearer), or legacy (HTTP basic)"
    )


def test_an_empty_requirement_sends_nothing_although_credentials_are_there() -> None:
    assert signed_with({"tenantKey": "t-9", "userToken": "tok"}, []) == (f"{API}/x", {})


def test_an_anonymous_alternative_is_the_last_resort() -> None:
    assert signed_with({"queryKey": "k&1"}, PUBLIC)[0] == f"{API}/x?api_key=k%261"
    assert signed_with({}, PUBLIC) == (f"{API}/x", {})
    assert signed_with({"sessionCookie": "abc"}, PUBLIC) == (f"{API}/x", {})


def test_a_requirement_of_an_undeclared_scheme_is_never_met() -> None:
    missing = Credentials(SCHEMES, {}).choose([{"ghost": []}])
    assert isinstance(missing, Missing)
    assert missing.message == (
        "missing credentials: ghost (the description declares no such scheme)"
    )


# ── places ──────────────────────────────────────────────────────────────────────────


def test_a_query_key_comes_last_and_is_encoded_whole() -> None:
    values: dict[str, Credential] = {"queryKey": "ä b+/="}
    assert signed_with(values, PUBLIC, f"{API}/x?a=1")[0] == (
        f"{API}/x?a=1&api_key=%C3%A4%20b%2B%2F%3D"
    )


def test_an_optional_credential_gives_way_to_the_one_that_is_asked_for() -> None:
    schemes = {**SCHEMES, "twin": ApiKey("X-Tenant"), "free": ApiKey("X-Free")}
    here = schemes["tenantKey"]
    assert isinstance(here, ApiKey)
    schemes["twin"] = ApiKey(here.parameter, here.place)
    credentials = Credentials(
        schemes, {"tenantKey": "t", "userToken": "u", "twin": "2", "free": "f"}
    )
    choice = credentials.choose(
        [{"tenantKey": [], "userToken": []}], ("twin", "free", "legacy", "unheard")
    )
    assert isinstance(choice, Choice)
    assert choice.names == ("tenantKey", "userToken", "free")


def test_a_cookie_joins_those_that_are_there() -> None:
    choice = Credentials(SCHEMES, {"sessionCookie": "abc123"}).choose([{"sessionCookie": []}])
    assert isinstance(choice, Choice)
    plain = Outgoing("GET", API, {"cookie": "lang=de", "Accept": "a/b"})
    assert choice.static(plain)[0].headers == {
        "Accept": "a/b",
        "Cookie": "lang=de; sid=abc123",
    }
    assert choice.static(Outgoing("GET", API))[0].headers == {"Cookie": "sid=abc123"}


def test_a_header_takes_the_place_of_any_spelling_of_it() -> None:
    choice = Credentials(SCHEMES, {"userToken": "tok", "tenantKey": "t"}).choose(ROOT)
    assert isinstance(choice, Choice)
    plain = Outgoing("GET", API, {"authorization": "old", "x-tenant": "old"})
    assert choice.static(plain)[0].headers == {"X-Tenant": "t", "Authorization": "Bearer tok"}


def test_where_secrets_stand_is_known() -> None:
    everything = Credentials(
        SCHEMES, {"tenantKey": "t", "userToken": "tok", "queryKey": "q", "sessionCookie": "c"}
    ).choose([{"tenantKey": [], "userToken": [], "queryKey": [], "sessionCookie": []}])
    assert isinstance(everything, Choice)
    assert everything.carriers == {
        ("header", "x-tenant"),
        ("header", "authorization"),
        ("query", "api_key"),
        ("cookie", "sid"),
    }


@pytest.mark.parametrize(
    ("scheme", "value", "expected"),
    [
        (HttpBearer(), "a.b-c", "Bearer a.b-c"),
        (OAuth2(), "access", "Bearer access"),
        (OpenIdConnect("https://id.example"), "access", "Bearer access"),
        (HttpScheme("Token"), 'token="x", v=1', 'Token token="x", v=1'),
        (HttpBasic(), {"username": "ünï", "password": "pä:ss"}, "Basic w7xuw686cMOkOnNz"),
        (HttpBasic(), "ann:a:b", "Basic YW5uOmE6Yg=="),
        (HttpBasic(), {"username": "", "password": "pat"}, "Basic OnBhdA=="),
        (ApiKey("Authorization"), "Custom xyz", "Custom xyz"),
    ],
)
def test_what_each_scheme_puts_into_authorization(
    scheme: HttpBearer, value: Credential, expected: str
) -> None:
    signed = sign(Credentials({"it": scheme}, {"it": value}), [{"it": []}])
    assert signed.headers == {"Authorization": expected}


# ── refusals ────────────────────────────────────────────────────────────────────────

EVIL = "SECRET-VALUE"


@pytest.mark.parametrize(
    ("scheme", "value"),
    [
        (ApiKey("X-Key"), f"{EVIL}\r\nX-Admin: 1"),
        (ApiKey("X-Key"), f"{EVIL}\n"),
        (ApiKey("X-Key"), f"{EVIL}\x00"),
        (ApiKey("X-Key"), f"{EVIL} "),
        (ApiKey("X-Key"), f"{EVIL}\u2026"),
        (ApiKey("sid", "cookie"), f"{EVIL}; admin=1"),
        (ApiKey("sid", "cookie"), f"{EVIL}\r\nX: 1"),
        (ApiKey("X-Key\r\nX-Admin"), EVIL),
        (ApiKey("sid=1; admin", "cookie"), EVIL),
        (HttpBearer(), f"{EVIL}\nX: 1"),
        (HttpBearer(), f"Bearer {EVIL}"),
        (HttpScheme("To ken\n"), EVIL),
        (HttpScheme("Token"), f"{EVIL}\r\nX: 1"),
        (HttpBasic(), {"username": f"a:{EVIL}", "password": EVIL}),
        (HttpBasic(), {"username": "a\n", "password": EVIL}),
        (HttpBasic(), EVIL),
    ],
)
def test_what_cannot_travel_is_refused_and_not_shown(scheme: ApiKey, value: Credential) -> None:
    with pytest.raises(CredentialError) as caught:
        sign(Credentials({"it": scheme}, {"it": value}), [{"it": []}])
    assert str(caught.value).startswith("it: ")
    assert EVIL not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("url", ["http://api.example/x", "http://10.0.0.7:8080/", "ftp://h/"])
def test_a_credential_does_not_travel_in_the_clear(url: str) -> None:
    with pytest.raises(CredentialError, match=r"^it is not sent to (http|ftp)://"):
        sign(Credentials({"it": HttpBearer()}, {"it": "tok"}), [{"it": []}], url)


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.9", "[::1]:8080", "api.localhost"])
def test_loopback_needs_no_tls(host: str) -> None:
    signed = sign(Credentials({"it": HttpBearer()}, {"it": "tok"}), [{"it": []}], f"http://{host}/")
    assert signed.headers == {"Authorization": "Bearer tok"}


def test_a_user_may_let_one_credential_travel_without_tls() -> None:
    credentials = Credentials({"it": HttpBearer()}, {"it": allow_http("tok")})
    assert sign(credentials, [{"it": []}], "http://intranet/").headers == {
        "Authorization": "Bearer tok"
    }


def test_one_token_for_two_schemes_of_one_header_is_sent_once() -> None:
    """Google's descriptions ask for `Oauth2` and `Oauth2c` together: two names of one token."""
    schemes: dict[str, Scheme] = {"Oauth2": OAuth2(()), "Oauth2c": OAuth2(())}
    security: Security = [{"Oauth2": [], "Oauth2c": []}]
    given = Credentials(schemes, {"Oauth2": "tok-1", "Oauth2c": "tok-1"})
    choice = given.choose(security)
    assert isinstance(choice, Choice)
    request, pending = choice.static(Outgoing("GET", "https://api.example/", {}, None))
    assert (request.headers, pending) == ({"Authorization": "Bearer tok-1"}, ())
    other = Credentials(schemes, {"Oauth2": "tok-1", "Oauth2c": "tok-2"})
    with pytest.raises(CredentialError, match="their credentials differ: give both the same"):
        other.choose(security)


def test_two_schemes_for_one_header_are_refused() -> None:
    credentials = Credentials(SCHEMES, {"userToken": "tok", "legacy": "a:b"})
    with pytest.raises(CredentialError, match="userToken and legacy both write the header"):
        credentials.choose([{"userToken": [], "legacy": []}])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"usertoken": "x"},
            (
                "the description declares no scheme 'usertoken'. Did you mean 'userToken'? "
                "Known: tenantKey, userToken, legacy, queryKey, sessionCookie"
            ),
        ),
        (
            {"legacy": {"user": "x", "password": "y"}},
            (
                'legacy: HTTP basic takes {"username": …, "password": …}, '
                "not a mapping with other keys"
            ),
        ),
        (
            {"userToken": {"username": "x", "password": "y"}},
            (
                "userToken: HTTP bearer takes an access token, a function that returns one, "
                "or an OAuth 2 client, not a mapping with other keys"
            ),
        ),
        (
            {"tenantKey": 17},
            "tenantKey: API key in a header takes a text, or a function that returns one, not int",
        ),
        (
            {"tenantKey": b"bytes"},
            (
                "tenantKey: API key in a header takes a text, or a function that returns one, "
                "not bytes"
            ),
        ),
    ],
)
def test_a_credential_that_can_never_be_used_is_refused_at_once(
    values: Mapping[str, Credential], message: str
) -> None:
    with pytest.raises(CredentialError) as caught:
        Credentials(SCHEMES, values)
    assert str(caught.value) == message


def test_an_unsupported_scheme_is_never_satisfied() -> None:
    schemes: dict[str, Scheme] = {"odd": Unsupported("x-hmac"), "key": ApiKey("X-Key")}
    missing = Credentials(schemes, {}).choose([{"odd": []}])
    assert isinstance(missing, Missing)
    assert missing.message == "missing credentials: odd (unsupported scheme 'x-hmac')"
    with pytest.raises(CredentialError, match="odd: unsupported scheme 'x-hmac': toolmint cannot"):
        Credentials(schemes, {"odd": "value"})
