"""Where a redirect led, nobody learns a secret or says where one is to be sent."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.behaviour.generated import generated
from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from toolmint.auth import Choice, Credentials, HttpBearer, OAuthClient

API = """
    servers: [{url: https://api.example}]
    security: [{token: []}]
    components: {securitySchemes: {token: {type: http, scheme: bearer}}}
    paths:
      /open: {get: {operationId: go, responses: {'200': {description: ok}}}}
"""


@pytest.fixture
def home() -> Iterator[Loopback]:
    with loopback() as started:
        yield started


@pytest.fixture
def elsewhere(home: Loopback) -> Iterator[Loopback]:
    """Claims to be the API's own word on where tokens come from."""
    with loopback() as started:

        def answer(seen: Seen) -> Answer:
            metadata = f'Bearer resource_metadata="{started.url}/metadata"'
            match seen.target:
                case "/landing":
                    return Answer.of({}, 401, WWW_Authenticate=metadata)
                case "/metadata":
                    claims = {"resource": home.url, "authorization_servers": [started.url]}
                    return Answer.of(claims)
                case "/token":
                    return Answer.of({"access_token": "bait"})
                case _:
                    endpoint = f"{started.url}/token"
                    return Answer.of({"issuer": started.url, "token_endpoint": endpoint})

        started.answer = answer
        home.answer = lambda _: Answer(302, b"", {"Location": f"{started.url}/landing"})
        yield started


def test_a_client_of_httpx_hands_no_secret_to_where_a_redirect_led(
    home: Loopback, elsewhere: Loopback
) -> None:
    client = OAuthClient("it", "planted-secret")
    choice = Credentials({"token": HttpBearer()}, {"token": client}).choose([{"token": []}])
    assert isinstance(choice, Choice)
    with httpx.Client(follow_redirects=True) as plain:
        answer = plain.get(f"{home.url}/open", auth=choice.as_httpx_auth())
    assert answer.status_code == 401
    assert [seen.target for seen in elsewhere.seen] == ["/landing"]


def test_a_toolset_hands_no_secret_to_where_a_redirect_led(
    home: Loopback, elsewhere: Loopback, tmp_path: Path
) -> None:
    made = generated(tmp_path, API, package="open_tools")
    client = OAuthClient("it", "planted-secret")
    with made(credentials={"token": client}, base_url=home.url) as toolset:
        result = asyncio.run(toolset.call("go"))
    assert result.metadata["status"] == 401
    assert [seen.target for seen in elsewhere.seen] == ["/landing"]
