"""Credentials in a toolset's calls: certificates, sign-ins, servers that do not answer."""

import asyncio
import json
import ssl
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from tests.behaviour.generated import generated
from tests.behaviour.loopback import Answer, loopback
from tests.services import free_port
from tests.services.tls import Files, demanding
from toolmint.auth import Answer as Answered
from toolmint.auth import AuthorizationCode, Credential, DeviceCode, OAuthClient, Outgoing
from toolmint.runtime import Bounds, Cache, ToolError, ToolResult, Toolset
from toolmint.runtime.wire import transport

API = """
    servers: [{url: https://api.example}]
    security: [{mtls: []}, {oauth: [read]}]
    components:
      securitySchemes:
        mtls: {type: mutualTLS}
        oauth:
          type: oauth2
          flows:
            authorizationCode:
              authorizationUrl: /auth
              tokenUrl: /token
              scopes: {read: Read.}
    paths:
      /who: {get: {operationId: who, responses: {'200': {description: ok}}}}
      /away:
        get:
          operationId: away
          parameters: [{name: to, in: query, required: true, allowReserved: true, schema: {type: string}}]
          responses: {'200': {description: ok}}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    return generated(tmp_path_factory.mktemp("credentials"), API, package="guarded_tools")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    made = Files(tmp_path)
    made.issue("ann.example")
    return made


@pytest.fixture
def url(files: Files) -> Generator[str]:
    with demanding(files) as address:
        yield address


def call(toolset: Toolset, name: str = "who", **arguments: Any) -> ToolResult:
    async def main() -> ToolResult:
        async with toolset:
            return await toolset.call(name, arguments)

    return asyncio.run(main())


# ── certificates ────────────────────────────────────────────────────────────────────


def test_a_call_shows_its_certificate(made: type[Toolset], files: Files, url: str) -> None:
    toolset = made(credentials={"mtls": files.certificate()}, base_url=url)
    assert call(toolset).data == {"who": "ann.example"}
    files.issue("bob.example")
    assert call(toolset).data == {"who": "bob.example"}  # a new connection, the new files


def test_certificates_in_one_process_are_apart(
    made: type[Toolset], files: Files, url: str, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Files(tmp_path / "other", files.authority)
    other.issue("bob.example")

    async def both() -> list[object]:
        ann = made(credentials={"mtls": files.certificate()}, base_url=url)
        bob = made(credentials={"mtls": other.certificate()}, base_url=url)
        async with ann, bob:
            calls = [toolset.call("who") for toolset in (ann, bob, ann, bob)]
            return [result.data["who"] for result in await asyncio.gather(*calls)]

    assert asyncio.run(both()) == ["ann.example", "bob.example", "ann.example", "bob.example"]


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
def test_a_certificate_and_a_client_of_ones_own_is_an_error(
    made: type[Toolset], files: Files, url: str, library: Any
) -> None:
    async def main() -> ToolResult:
        async with library.AsyncClient(verify=files.certificate().context()) as client:
            toolset = made(credentials={"mtls": files.certificate()}, base_url=url, client=client)
            return await toolset.call("who")

    result = asyncio.run(main())
    assert (result.outcome, result.metadata["attempts"]) == ("denied", 0)
    assert str(result.error) == (
        "a client= of your own makes its connections itself, so that no certificate can be "
        "shown: leave client= out of the toolset for tools under mutual TLS"
    )


def test_a_certificate_that_cannot_be_used_is_named_without_its_password(
    made: type[Toolset], files: Files, url: str
) -> None:
    certificate = files.certificate("planted-wrong-password")
    result = call(made(credentials={"mtls": certificate}, base_url=url))
    assert (result.outcome, result.metadata["attempts"]) == ("denied", 0)
    assert "client.pem" in str(result.error)
    assert "planted" not in f"{result!r}{result.error!r}{certificate!r}"


def test_a_certificate_is_pending_and_stands_nowhere_in_a_request(
    made: type[Toolset], files: Files
) -> None:
    request = made(credentials={"mtls": files.certificate()}).prepare("who")
    assert request.pending_credentials == ("mtls",)
    assert set(request.headers) == {"Accept", "User-Agent"}


def test_a_certificate_stays_behind_when_a_redirect_leads_to_another_origin(
    made: type[Toolset],
    files: Files,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(files.folder / "authority.pem"))
    monkeypatch.setattr(transport, "_context", None)
    with demanding(files, ssl.CERT_OPTIONAL) as elsewhere:
        toolset = made(credentials={"mtls": files.certificate()}, base_url=url)
        assert call(toolset, "away", to=f"{url}/who").data == {"who": "ann.example"}
        assert call(toolset, "away", to=f"{elsewhere}/who").data == {"who": None}


# ── sign-ins ────────────────────────────────────────────────────────────────────────


def test_a_call_that_needs_a_sign_in_says_where(made: type[Toolset]) -> None:
    credentials: dict[str, Credential] = {"oauth": OAuthClient("it", grant=AuthorizationCode())}
    result = call(made(credentials=credentials))
    assert result.outcome == "denied" and result.error
    (needed,) = result.error.details
    assert not isinstance(needed, str)
    address = httpx.URL(str(needed["url"]))
    assert (str(address.copy_with(query=None)), needed["code"]) == (
        "https://api.example/auth",
        None,
    )
    assert address.params["scope"] == "read"
    assert f"open {address}" in result.to_message()


def test_a_typed_call_raises_the_code_to_enter(made: type[Toolset]) -> None:
    def fetch(request: Outgoing) -> Answered:
        body = {
            "device_code": "planted-device-code",
            "user_code": "ABCD-EFGH",
            "verification_uri": "https://api.example/device",
            "interval": 600,
        }
        return Answered(200, {}, json.dumps(body).encode())

    client = OAuthClient(
        "it",
        grant=DeviceCode(),
        token_url="https://api.example/token",
        device_authorization_url="https://api.example/device/auth",
        fetch=fetch,
    )
    with (
        made(credentials={"oauth": client}) as toolset,
        pytest.raises(ToolError) as caught,
    ):
        asyncio.run(raising(toolset))
    assert caught.value.details == ({"url": "https://api.example/device", "code": "ABCD-EFGH"},)
    assert "enter the code ABCD-EFGH" in str(caught.value)
    assert "planted" not in repr(caught.value.details) + str(caught.value)


async def raising(toolset: Toolset) -> None:
    result = await toolset.call("who")
    assert result.error
    raise result.error


# ── authorization servers ───────────────────────────────────────────────────────────


def test_a_server_that_gives_no_answer_denies_nothing(made: type[Toolset]) -> None:
    client = OAuthClient("it", "planted", token_url=f"http://127.0.0.1:{free_port()}/token")
    result = call(made(credentials={"oauth": client}))
    assert (result.outcome, result.metadata["attempts"]) == ("error", 0)
    assert str(result.error).startswith("oauth: no answer from 127.0.0.1")


def test_a_server_that_refuses_the_client_denies(made: type[Toolset]) -> None:
    with loopback() as server:
        server.answer = lambda _: Answer.of({"error": "invalid_client"}, 401)
        client = OAuthClient("it", "planted", token_url=f"{server.url}/token")
        result = call(made(credentials={"oauth": client}))
    assert result.outcome == "denied"
    assert str(result.error) == "oauth: the authorization server refused: invalid_client"


def test_a_description_cannot_send_a_secret_to_a_private_address(tmp_path: Path) -> None:
    """The API's own server is public, so nothing justifies the address that is named."""
    text = API.replace("authorizationCode:", "clientCredentials:").replace(
        "tokenUrl: /token", "tokenUrl: https://127.0.0.1:1/token"
    )
    made = generated(tmp_path, text, package="inward_tools")
    client = OAuthClient("it", "planted-secret")
    result = call(made(credentials={"oauth": client}, base_url="https://93.184.215.14"))
    assert (result.outcome, result.metadata["attempts"]) == ("denied", 0)
    assert str(result.error).startswith("oauth: 127.0.0.1 is at the private address 127.0.0.1: ")


async def asked_for_long() -> str:
    await asyncio.sleep(20)
    return "too-late"


@pytest.mark.parametrize("cache", [False, Cache()], ids=["fresh", "cached"])
@pytest.mark.parametrize("kind", ["function", "server"])
def test_what_waits_for_a_credential_ends_with_the_time_of_the_call(
    made: type[Toolset], kind: str, cache: Any
) -> None:
    with loopback() as server:
        server.answer = lambda _: Answer(after=3.0)
        client = OAuthClient("it", "planted", token_url=f"{server.url}/token")
        result = call(
            made(
                credentials={"oauth": client if kind == "server" else asked_for_long},
                base_url=server.url,
                bounds=Bounds(total_seconds=0.2),
                cache=cache,
            )
        )
    assert (result.outcome, result.metadata["attempts"]) == ("timeout", 0)
    assert str(result.error) == "who: no credential within 0.2 seconds"
