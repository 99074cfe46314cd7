"""No credential stands in what HTTP libraries log, at any level and with any client."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import httpx2
import pytest

from tests.behaviour.generated import generated
from tests.behaviour.loopback import Answer, Loopback, loopback
from toolmint.runtime import Toolset

SECRETS = {
    "header": "planted-in-header",
    "query": "planted/in+query",
    "cookie": "planted-in-cookie",
}
SPELLED = ("planted-in-header", "planted/in+query", "planted%2Fin%2Bquery", "planted-in-cookie")
API = """
    servers: [{url: http://127.0.0.1}]
    security: [{header: [], query: [], cookie: []}]
    components:
      securitySchemes:
        header: {type: apiKey, in: header, name: X-Key}
        query: {type: apiKey, in: query, name: key}
        cookie: {type: apiKey, in: cookie, name: sid}
    paths:
      /x: {get: {operationId: getX, responses: {'200': {description: ok}}}}
"""


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as started:
        started.answer = lambda seen: Answer.of({}, X_Echo=seen.target, Set_Cookie="sid=1")
        yield started


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    return generated(tmp_path_factory.mktemp("logs"), API, package="logged_tools")


CLIENTS: dict[str, Callable[[], Any]] = {
    "our own": lambda: None,
    "httpx": httpx.AsyncClient,
    "httpx2": httpx2.AsyncClient,
}


@pytest.mark.parametrize("client", CLIENTS)
def test_nothing_planted_is_logged_at_debug(
    made: type[Toolset], server: Loopback, caplog: pytest.LogCaptureFixture, client: str
) -> None:
    async def run() -> None:
        given = CLIENTS[client]()
        async with made(credentials=SECRETS, base_url=server.url, client=given) as tools:
            assert (await tools.call("get_x", {})).success
        if given is not None:
            await given.aclose()

    with caplog.at_level(logging.DEBUG):
        asyncio.run(run())
    (seen,) = server.seen
    assert seen.target == "/x?key=planted%2Fin%2Bquery"
    assert (seen.headers["x-key"], seen.headers["cookie"]) == (
        "planted-in-header",
        "sid=planted-in-cookie",
    )
    assert "httpcore" in caplog.text
    assert f"{server.url}/x?key=***" in caplog.text
    assert [secret for secret in SPELLED if secret in caplog.text] == []


def test_the_records_of_others_stay_as_they_are(
    made: type[Toolset], server: Loopback, caplog: pytest.LogCaptureFixture
) -> None:
    """A toolset that is in use changes nothing of what the host itself sends."""

    async def run() -> None:
        async with (
            made(credentials=SECRETS, base_url=server.url) as tools,
            httpx.AsyncClient() as own,
        ):
            await tools.call("get_x", {})
            await own.get(f"{server.url}/own?key=planted%2Fin%2Bquery")

    with caplog.at_level(logging.INFO):
        asyncio.run(run())
    (record,) = [one for one in caplog.records if "/own" in one.getMessage()]
    assert "key=planted%2Fin%2Bquery" in record.getMessage()
    assert record.args


def test_headers_packed_for_http_2_are_hidden_as_well(caplog: pytest.LogCaptureFixture) -> None:
    from toolmint.auth.logs import hiding

    with caplog.at_level(logging.DEBUG), hiding(lambda text: text.replace("planted", "***")):
        logging.getLogger("hpack.hpack").debug("Adding %s", (b"authorization", b"planted"))
    assert caplog.messages == ["Adding (b'authorization', b'***')"]
