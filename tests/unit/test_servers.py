"""Where a request goes: nearest server, variables that stay in their place, base_url above all."""

import pytest

from toolmint.runtime.operation import HttpOperation, Server, Variable
from toolmint.runtime.wire.refusal import RequestProblem
from toolmint.runtime.wire.servers import contains, resolve

PLAIN = HttpOperation(name="read", method="GET", path="/x")


def at(url: str, variables: dict[str, str] | None = None, **declared: Variable) -> str:
    return resolve(PLAIN, [Server(url, declared)], variables=variables)


def refused(url: str, variables: dict[str, str] | None = None, **declared: Variable) -> str:
    with pytest.raises(RequestProblem) as caught:
        at(url, variables, **declared)
    assert (caught.value.argument, caught.value.outcome) == (None, "error")
    return caught.value.reason


def test_the_first_of_the_nearest_servers_counts() -> None:
    package = [Server("https://a.example/v1"), Server("https://b.example")]
    own = HttpOperation(
        name="read", method="GET", path="/x", servers=(Server("https://c.example"), package[0])
    )
    assert resolve(PLAIN, package) == "https://a.example/v1"
    assert resolve(own, package) == "https://c.example"


def test_base_url_replaces_every_server_base_path_included() -> None:
    package = [Server("https://a.example/v1")]
    for operation in (PLAIN, HttpOperation(name="r", method="GET", path="/x", servers=())):
        assert resolve(operation, package, base_url="http://localhost:8080/") == (
            "http://localhost:8080"
        )
        assert resolve(operation, [], base_url="https://b.example/api/") == "https://b.example/api"


@pytest.mark.parametrize(
    "url", ["/v1", "", "v1", "//a.example/v1", "ftp://a.example", "https://", "https:///v1"]
)
def test_what_is_no_absolute_http_address_asks_for_base_url(url: str) -> None:
    assert refused(url).endswith("is not absolute; give base_url")


def test_no_server_asks_for_base_url() -> None:
    with pytest.raises(RequestProblem, match="names no server; give base_url"):
        resolve(PLAIN, [])


@pytest.mark.parametrize(
    "url",
    [
        "https://user:pass@a.example",
        "https://a.example:port",
        "https://a.example\\@evil.example",
        "https://a.exa mple",
        "https://a.example\n",
        "https://[::1",
    ],
)
def test_an_address_that_could_be_read_in_two_ways_is_refused(url: str) -> None:
    assert "pass" not in refused(url)
    with pytest.raises(RequestProblem):
        resolve(PLAIN, [], base_url=url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://API.example/V1/", "https://API.example/V1"),
        ("https://a.example/a%20b/é|", "https://a.example/a%20b/%C3%A9%7C"),
        ("https://a.example/x?api-version=1", "https://a.example/x?api-version=1"),
        ("https://a.example#top", "https://a.example"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_an_address_is_kept_but_for_its_last_slash_and_fragment(url: str, expected: str) -> None:
    assert at(url) == expected


REGION = Variable("eu", enum=("eu", "us"))


def test_variables_have_defaults_and_can_be_given() -> None:
    url = "https://{region}.a.example:{port}/{base}"
    declared = {"region": REGION, "port": Variable("8443"), "base": Variable("v1")}
    assert at(url, {}, **declared) == "https://eu.a.example:8443/v1"
    given = {"region": "us", "base": "v2/beta", "port": "1", "of another server": "x"}
    assert at(url, given, **declared) == "https://us.a.example:1/v2/beta"


def test_a_variable_that_nobody_declared_can_be_given_too() -> None:
    assert at("https://{tenant}.a.example", {"tenant": "t"}) == "https://t.a.example"
    assert "'tenant' has no value" in refused("https://{tenant}.a.example")


def test_a_variable_without_a_default_has_to_be_given() -> None:
    url = "https://a.example/{tenant}/x"
    assert at(url, {"tenant": "t"}, tenant=Variable()) == "https://a.example/t/x"
    assert at(url, tenant=Variable("")) == "https://a.example//x"
    reason = "the server variable 'tenant' has no value; give variables"
    assert refused(url, tenant=Variable()) == reason


def test_a_value_outside_the_enum_is_refused() -> None:
    reason = refused("https://{region}.a.example", {"region": "moon"}, region=REGION)
    assert reason == "the server variable 'region' must be one of 'eu', 'us'"


@pytest.mark.parametrize("url", ["https://{v}.a.example", "https://a.{v}:443/x"])
@pytest.mark.parametrize(
    "value",
    ["evil.example/", "evil.example?", "evil.example#", "u@evil", "evil\\", "x:1", "", "a b",
     "a%2f", "/", "\u2100", "x\r\nHost: y", "evil.example/{w}"],
)  # fmt: skip
def test_a_value_inside_the_host_cannot_end_it(url: str, value: str) -> None:
    refused(url, {"v": value})


@pytest.mark.parametrize("value", ["..", "a/../b", "%2e%2e", ".", "a?b", "a#b", "a\\b"])
def test_a_value_in_the_path_cannot_leave_it(value: str) -> None:
    refused("https://a.example/{v}/x", {"v": value})
    refused("/{v}", {"v": value})


@pytest.mark.parametrize(
    ("url", "value", "expected"),
    [
        ("{v}", "https://b.example/api", "https://b.example/api"),
        ("{v}/api", "http://b.example:1", "http://b.example:1/api"),
        ("{v}://b.example", "http", "http://b.example"),
        ("https://{v}/api", "localhost:8080", "https://localhost:8080/api"),
        ("https://{v}", "[::1]:1", "https://[::1]:1"),
        ("https://a.example/{v}", "é b", "https://a.example/%C3%A9%20b"),
        ("https://a.example/{v}", "", "https://a.example"),
    ],
)
def test_a_variable_can_be_any_whole_part(url: str, value: str, expected: str) -> None:
    assert at(url, {"v": value}) == expected


@pytest.mark.parametrize("value", ["javascript", "https://evil.example/?", "", "file"])
def test_a_scheme_is_http_or_https(value: str) -> None:
    refused("{v}://b.example", {"v": value})


@pytest.mark.parametrize("value", ["evil", "//evil.example", "ftp://x", "https://u:p@x", ""])
def test_a_whole_address_is_checked_as_one(value: str) -> None:
    refused("{v}", {"v": value})


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://a.example/v1", True),
        ("https://a.example/v1/x?y=/../..", True),
        ("https://A.example:443/v1/x", True),
        ("https://a.example/v1/x/../y", True),
        ("https://a.example/v1/../x", False),
        ("https://a.example/v1/%2e%2E/x", False),
        ("https://a.example/v1/./../x", False),
        ("https://a.example/v10", False),
        ("https://a.example/", False),
        ("http://a.example/v1/x", False),
        ("https://a.example:444/v1/x", False),
        ("https://a.example.evil/v1/x", False),
        ("https://u@a.example/v1/x", False),
        ("https://a.example\\.evil/v1", False),
        ("https://a.example:x/v1", False),
    ],
)
def test_a_url_lies_on_a_server_or_not(url: str, inside: bool) -> None:
    assert contains("https://a.example/v1", url) is inside
