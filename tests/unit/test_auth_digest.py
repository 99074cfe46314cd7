"""Digest answers as the RFCs compute them, and challenges as servers write them."""

import pytest

from toolmint.auth import (
    Answer,
    Choice,
    CredentialError,
    Credentials,
    HttpDigest,
    Outgoing,
    Secret,
)
from toolmint.auth.challenge import Challenge, challenges
from toolmint.auth.digest_answer import respond, strongest
from toolmint.auth.flow import run
from toolmint.auth.sources import Pair

MUFASA = Pair("Mufasa", Secret("Circle of Life"))
JASON = Pair("Jäsøn Doe", Secret("Secret, or not?"))


def fields(header: str) -> dict[str, str]:
    (read,) = challenges(Answer(401, {"WWW-Authenticate": header}), "digest")
    return dict(read.parameters)


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_examples_of_rfc_7616_section_3_9_1(algorithm: str, response: str) -> None:
    challenge = Challenge(
        "digest",
        {
            "realm": "http-auth@example.org",
            "qop": "auth, auth-int",
            "algorithm": algorithm,
            "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
            "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
        },
    )
    request = Outgoing("GET", "http://www.example.org/dir/index.html")
    nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    assert fields(respond(request, MUFASA, challenge, 1, nonce)) == {
        "username": "Mufasa",
        "realm": "http-auth@example.org",
        "uri": "/dir/index.html",
        "algorithm": algorithm,
        "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
        "nc": "00000001",
        "cnonce": nonce,
        "qop": "auth",
        "response": response,
        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
    }


def test_the_example_of_rfc_2617_section_3_5() -> None:
    challenge = Challenge(
        "digest",
        {
            "realm": "testrealm@host.com",
            "qop": "auth,auth-int",
            "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093",
        },
    )
    request = Outgoing("GET", "http://www.nowhere.org/dir/index.html")
    pair = Pair("Mufasa", Secret("Circle Of Life"))
    answer = fields(respond(request, pair, challenge, 1, "0a4f113b"))
    assert answer["response"] == "6629fae49393a05397450978507c4ef1"


def test_a_name_outside_ascii_is_hashed_or_encoded() -> None:
    asked = {"realm": "r", "nonce": "n", "qop": "auth", "algorithm": "SHA-256"}
    request = Outgoing("GET", "https://api.example/x?a=b")
    plain = fields(respond(request, JASON, Challenge("digest", asked), 1, "c"))
    assert plain["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe"
    assert plain["uri"] == "/x?a=b"
    hashed = fields(
        respond(request, JASON, Challenge("digest", {**asked, "userhash": "true"}), 1, "c")
    )
    assert hashed["userhash"] == "true"
    assert len(hashed["username"]) == 64
    assert plain["response"] == hashed["response"]


def test_the_strongest_known_algorithm_is_answered() -> None:
    offered = [
        Challenge("digest", {"algorithm": name})
        for name in ("MD5", "SHA-256-sess", "SHA-256", "SHA-512-256", "FUTURE-1")
    ]
    assert strongest(offered) == offered[3]
    assert strongest(offered[:3]) == offered[1]
    assert strongest([Challenge("digest", {})]) == Challenge("digest", {})
    assert strongest(offered[4:]) is None


def test_an_unknown_quality_is_refused() -> None:
    with pytest.raises(CredentialError, match="unknown digest quality"):
        respond(
            Outgoing("GET", "https://h/"), MUFASA, Challenge("digest", {"qop": "future"}), 1, "c"
        )


@pytest.mark.parametrize("algorithm", ["MD5-sess", "SHA-256-sess"])
def test_the_clients_nonce_is_the_same_as_long_as_the_servers_is(algorithm: str) -> None:
    """A server may compute a session's key once, from the first (RFC 7616 section 3.4.2)."""
    values = {"it": {"username": "ann", "password": "pw"}}
    choice = Credentials({"it": HttpDigest()}, {**values}).choose([{"it": []}])
    assert isinstance(choice, Choice)
    request = Outgoing("GET", "https://api.example/x")

    def challenged(nonce: str) -> str:
        asked = f'Digest realm="r", nonce="{nonce}", qop="auth", algorithm={algorithm}'
        answer = Answer(401, {"WWW-Authenticate": asked})
        again = run(choice.exchange().retry(request, answer))
        assert again
        return again.headers["Authorization"]

    first = fields(challenged("one"))
    second = fields(run(choice.exchange().sign(request)).headers["Authorization"])
    third = fields(challenged("two"))
    assert [one["nc"] for one in (first, second, third)] == ["00000001", "00000002", "00000001"]
    assert first["cnonce"] == second["cnonce"] != third["cnonce"]


@pytest.mark.parametrize("header", ["a" * 60_000 + ";", 'a="' * 20_000, "a=b;" * 15_000])
def test_a_header_of_any_length_is_gone_through_once(header: str) -> None:
    """It would take minutes otherwise."""
    assert challenges(Answer(401, {"WWW-Authenticate": header}), "bearer") == []


WRITTEN: list[tuple[str, list[tuple[str, dict[str, str]]]]] = [
    ("Bearer", [("bearer", {})]),
    (
        'Basic realm="a, b=\\"c\\"", Bearer error="invalid_token",scope="x y"',
        [
            ("basic", {"realm": 'a, b="c"'}),
            ("bearer", {"error": "invalid_token", "scope": "x y"}),
        ],
    ),
    (
        "Negotiate, Digest  Realm=r , nonce = n",
        [("negotiate", {}), ("digest", {"realm": "r", "nonce": "n"})],
    ),
    ("Basic realm=first, realm=second", [("basic", {"realm": "first"})]),
    (
        'Bearer resource_metadata="https://a/b"',
        [("bearer", {"resource_metadata": "https://a/b"})],
    ),
    ("", []),
    (",,, ", []),
]


@pytest.mark.parametrize(("header", "expected"), WRITTEN)
def test_challenges_are_read_as_servers_write_them(
    header: str, expected: list[tuple[str, dict[str, str]]]
) -> None:
    answer = Answer(401, {"www-authenticate": header})
    read = [
        (one.scheme, dict(one.parameters))
        for scheme in ("basic", "bearer", "digest", "negotiate")
        for one in challenges(answer, scheme)
    ]
    assert sorted(read, key=str) == sorted(expected, key=str)
