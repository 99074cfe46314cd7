"""No credential of a toolset is seen in a result, error, repr or message, and none leaves home."""

import base64
import json
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.runtime import Bounds, ToolResult

SECRET = 's3cr3t/"+&tok=en'


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as started:
        yield started


@pytest.fixture
def other() -> Iterator[Loopback]:
    with loopback() as started:
        yield started


def petstore(server: Loopback) -> Petstore:
    return Petstore(
        credentials={"apiKey": SECRET, "basicAuth": {"username": "ann", "password": "pass-w0rd!"}},
        base_url=server.url,
        limits=False,
        retry=False,
    )


def everything(result: ToolResult) -> str:
    told = [repr(result), repr(result.data), repr(dict(result.metadata)), result.to_message()]
    if result.error is not None:
        told += [str(result.error), repr(result.error), repr(result.error.details)]
        told += [repr(result.error.metadata)]
    return "\n".join(told)


FORMS = [
    SECRET,
    quote(SECRET, safe=""),
    base64.b64encode(SECRET.encode()).decode(),
    json.dumps(SECRET)[1:-1],
    "pass-w0rd!",
    base64.b64encode(b"ann:pass-w0rd!").decode(),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "text/html"])
def test_what_a_server_echoes_is_hidden(
    server: Loopback, form: str, status: int, kind: str
) -> None:
    text = json.dumps({"message": f"you sent {form}", form: [form]}) if "json" in kind else form
    headers = {"Content-Type": kind, "X-Echo": form.replace("\n", "")}
    server.answer = lambda _: Answer(status, text.encode(), headers)
    with petstore(server) as toolset:
        result = toolset.pets.get_pet(id=1).result().run()
    assert form not in everything(result)
    assert "***" in everything(result)


def test_a_slash_escaped_as_php_does_is_hidden(server: Loopback) -> None:
    body = json.dumps({"echo": SECRET}).replace("/", "\\/").encode()
    server.answer = lambda _: Answer(200, body, {"Content-Type": "application/json"})
    with petstore(server) as toolset:
        assert toolset.pets.get_pet(id=1).result().run().data == {"echo": "***"}


def test_a_credential_in_the_arguments_is_not_told_again(server: Loopback) -> None:
    with petstore(server) as toolset:
        result = toolset.pets.list_pets(limit=SECRET).result().run()  # type: ignore[arg-type]
    assert result.outcome == "invalid_arguments"
    assert "s3cr3t" not in everything(result)


def test_reprs_hide_credentials(server: Loopback) -> None:
    toolset = petstore(server)
    request = toolset.prepare("get_pet", {"id": 1})
    assert request.headers["X-Key"] == SECRET
    assert request.headers["Authorization"] == "Basic YW5uOnBhc3MtdzByZCE="
    for shown in (repr(request), repr(toolset), repr(vars(toolset)), repr(request.redacted())):
        assert "s3cr3t" not in shown
        assert "YW5uOnBhc3MtdzByZCE" not in shown


def test_credentials_stay_behind_when_a_redirect_leads_to_another_origin(
    server: Loopback, other: Loopback
) -> None:
    server.answer = lambda _: Answer(302, b"", {"Location": f"{other.url}/landing"})
    with petstore(server) as toolset:
        toolset.pets.get_pet(id=1).run()
    (seen,) = other.seen
    assert seen.target == "/landing"
    assert "authorization" not in seen.headers
    assert "x-key" not in seen.headers
    assert server.seen[0].headers["x-key"] == SECRET


def test_credentials_do_not_come_back_on_the_way_home(server: Loopback, other: Loopback) -> None:
    def first(seen: Seen) -> Answer:
        there = Answer(302, b"", {"Location": f"{other.url}/landing"})
        return there if seen.target == "/pets/1" else Answer.of("home")

    server.answer = first
    other.answer = lambda _: Answer(302, b"", {"Location": f"{server.url}/home"})
    with petstore(server) as toolset:
        assert toolset.pets.get_pet(id=1).result().run().data == "home"
    assert "x-key" not in server.seen[1].headers


@pytest.mark.parametrize(
    ("location", "scheme"),
    [
        ("file:///etc/passwd", " file:"),
        ("ftp://127.0.0.1/x", " ftp:"),
        ("http://ann:pw@127.0.0.1/", " http:"),
        ("http://127.0.0.1:99999/", " http:"),
        ("//[bad", ""),
    ],
)
def test_a_redirect_to_no_plain_address_is_refused(
    server: Loopback, location: str, scheme: str
) -> None:
    server.answer = lambda _: Answer(302, b"", {"Location": location})
    with petstore(server) as toolset:
        result = toolset.pets.get_pet(id=1).result().run()
    assert result.outcome == "error"
    assert str(result.error) == f"get_pet: a redirect leads to{scheme} no address to go to"
    assert len(server.seen) == 1


@pytest.mark.parametrize("host", [".example", f"{'a' * 64}.example"])
def test_a_redirect_to_a_host_that_no_name_can_be_goes_nowhere(server: Loopback, host: str) -> None:
    server.answer = lambda _: Answer(302, b"", {"Location": f"http://{host}/"})
    with petstore(server) as toolset:
        result = toolset.pets.get_pet(id=1).result().run()
    assert result.outcome == "error"
    assert str(result.error).startswith("get_pet: ConnectError: ")


@pytest.mark.parametrize("inward", ["169.254.169.254", "127.0.0.1", "10.0.0.1", "[::1]"])
def test_a_public_server_cannot_send_us_to_a_private_address(inward: str) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(302, headers={"Location": f"http://{inward}/latest/meta-data"})

    toolset = Petstore(
        credentials={},
        base_url="https://93.184.216.34",
        client=httpx.AsyncClient(transport=httpx.MockTransport(answer)),
    )
    result = toolset.store.health().result().run()
    assert str(result.error) == "health: a redirect leads to a private address: not followed"
    assert asked == ["93.184.216.34"]


def test_cookies_a_server_sets_are_never_sent_back(server: Loopback) -> None:
    server.answer = lambda _: Answer.of({}, Set_Cookie="sid=1; Path=/")
    with petstore(server) as toolset:
        toolset.pets.get_pet(id=1).run()
        toolset.pets.get_pet(id=1).run()
    assert "cookie" not in server.seen[1].headers


def test_bounds_do_not_leak_in_errors(server: Loopback) -> None:
    server.answer = lambda _: Answer(200, SECRET.encode() * 100)
    with Petstore(
        credentials={"apiKey": SECRET, "basicAuth": {"username": "ann", "password": "pass-w0rd!"}},
        base_url=server.url,
        bounds=Bounds(response_bytes=10),
    ) as toolset:
        result = toolset.pets.get_pet(id=1).result().run()
    assert "s3cr3t" not in everything(result)
