"""Refreshing, done right, against oidc-provider with rotation: it revokes the whole sign-in when
a refresh token is sent twice, so one refresh too many loses the token and fails the calls."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.services.oidc import Provider, client, provider, sign_in
from tests.services.redis import redis_server
from toolmint.auth import (
    AuthorizationCode,
    Choice,
    CredentialError,
    Credentials,
    FileStore,
    HttpBearer,
    MemoryStore,
    OAuthClient,
    RedisStore,
    Store,
    Target,
)

WEB = client("web", "authorization_code", "refresh_token", token_endpoint_auth_method="none")


@pytest.fixture
def oidc(tmp_path: Path) -> Generator[Provider]:
    with provider([WEB], state=tmp_path / "provider.json") as running:
        yield running


class Clock:
    """The wall clock, set forward by whole token lives."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead

    def expire(self) -> None:
        self.ahead += 3600


def signed_in(oidc: Provider, store: Store, clock: Clock) -> tuple[OAuthClient, Target]:
    credential = OAuthClient(
        "web",
        grant=AuthorizationCode(),
        issuer=oidc.issuer,
        scopes=["openid"],
        store=store,
        clock=clock,
    )
    target = Target(oidc.api, HttpBearer())
    login = credential.login(target)
    sign_in(login.url, "ann")
    login.wait(10)
    return credential, target


def choice(credential: OAuthClient) -> Choice:
    chosen = Credentials({"oauth": HttpBearer()}, {"oauth": credential}).choose([{"oauth": []}])
    assert isinstance(chosen, Choice)
    return chosen


async def calls(url: str, credential: OAuthClient, number: int) -> list[int]:
    auth = choice(credential).as_httpx_auth()
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=None), timeout=60) as plain:
        responses = await asyncio.gather(*(plain.get(url, auth=auth) for _ in range(number)))
    return [response.status_code for response in responses]


def refreshes(oidc: Provider) -> int:
    return int(oidc.seen()["grants"].get("refresh_token", 0))


def test_50_parallel_calls_in_one_process_refresh_once_a_generation(
    oidc: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    credential, target = signed_in(oidc, FileStore(tmp_path / "tokens"), clock)
    for generation in range(2, 5):
        clock.expire()
        before = refreshes(oidc)
        statuses = asyncio.run(calls(oidc.api, credential, 50))
        kept = credential.status(target)
        assert statuses == [200] * 50
        assert refreshes(oidc) - before == 1
        assert kept and kept.generation == generation
        with capsys.disabled():
            print(f"\n50 calls, 1 process, generation {generation}: 50 answered, 1 refresh")
    assert oidc.seen()["refused"] == 0


WORKER = """
import asyncio, json, sys, time
from toolmint.auth import AuthorizationCode, FileStore, HttpBearer, OAuthClient, RedisStore
from tests.behaviour.test_auth_refresh import calls
issuer, store, place = sys.argv[1:]
ahead = 0.0
credential = OAuthClient(
    "web", grant=AuthorizationCode(), issuer=issuer, scopes=["openid"],
    store=RedisStore(place) if store == "redis" else FileStore(place),
    clock=lambda: time.time() + ahead,
)
print("ready", flush=True)
for line in sys.stdin:
    ahead = float(line)
    print(json.dumps(asyncio.run(calls(issuer + "/api", credential, 25))), flush=True)
"""


@pytest.mark.parametrize("kind", ["file", "redis"])
def test_4_processes_of_25_calls_refresh_once_a_generation(
    oidc: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    if kind == "file":
        four_processes(oidc, kind, str(tmp_path / "tokens"), capsys)
    else:
        with redis_server(tmp_path) as url:
            four_processes(oidc, kind, url, capsys)


def four_processes(
    oidc: Provider, kind: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store: Store = RedisStore(place) if kind == "redis" else FileStore(place)
    clock = Clock()
    credential, target = signed_in(oidc, store, clock)
    command = [sys.executable, "-c", WORKER, oidc.issuer, kind, place]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    try:
        for worker in workers:
            assert worker.stdout and worker.stdout.readline() == "ready\n"
        for generation in range(2, 5):
            clock.expire()
            before = refreshes(oidc)
            for worker in workers:
                assert worker.stdin
                worker.stdin.write(f"{clock.ahead}\n")
                worker.stdin.flush()
            for worker in workers:
                assert worker.stdout
                assert json.loads(worker.stdout.readline()) == [200] * 25
            kept = credential.status(target)
            assert refreshes(oidc) - before == 1
            assert kept and kept.generation == generation
            with capsys.disabled():
                print(
                    f"\n4 processes x 25 calls, {kind}, generation {generation}: "
                    "100 answered, 1 refresh"
                )
    finally:
        for worker in workers:
            worker.communicate()
    assert oidc.seen()["refused"] == 0


def test_a_token_that_the_api_refuses_is_renewed_once_for_all_calls(
    oidc: Provider, tmp_path: Path
) -> None:
    """The clock says it is good: it was revoked, or the clocks differ."""
    credential, target = signed_in(oidc, FileStore(tmp_path / "tokens"), Clock())
    kept = credential.status(target)
    assert kept
    oidc.tell(refuse=[kept.access.reveal()])
    assert asyncio.run(calls(oidc.api, credential, 50)) == [200] * 50
    assert refreshes(oidc) == 1


def test_an_api_that_refuses_every_token_is_asked_twice_and_no_more(oidc: Provider) -> None:
    credential, _ = signed_in(oidc, MemoryStore(), Clock())
    oidc.tell(refuseAll=True)
    assert asyncio.run(calls(oidc.api, credential, 1)) == [401]
    assert oidc.seen()["calls"] == 2
    assert refreshes(oidc) == 1


def test_a_provider_killed_while_it_refreshes_loses_nothing(oidc: Provider, tmp_path: Path) -> None:
    clock = Clock()
    credential, target = signed_in(oidc, FileStore(tmp_path / "tokens"), clock)
    clock.expire()
    before = credential.status(target)

    async def killed() -> None:
        call = asyncio.create_task(calls(oidc.api, credential, 1))
        while not (await asyncio.to_thread(oidc.seen)).get("stalled"):
            await asyncio.sleep(0.01)
        oidc.kill()
        await call

    oidc.tell(stallTokens=True)
    with pytest.raises(CredentialError, match=r"^oauth: no answer from 127\.0\.0\.1") as caught:
        asyncio.run(killed())
    assert caught.value.retryable
    assert credential.status(target) == before
    with pytest.raises(CredentialError, match="no answer"):
        asyncio.run(calls(oidc.api, credential, 1))
    assert credential.status(target) == before

    oidc.start()
    assert asyncio.run(calls(oidc.api, credential, 5)) == [200] * 5
    assert refreshes(oidc) == 1


def test_a_cancelled_call_does_not_lose_the_token_that_was_rotated(
    oidc: Provider, tmp_path: Path
) -> None:
    clock = Clock()
    credential, target = signed_in(oidc, FileStore(tmp_path / "tokens"), clock)
    clock.expire()

    async def cancelled() -> list[int]:
        call = asyncio.create_task(calls(oidc.api, credential, 1))
        while not (await asyncio.to_thread(oidc.seen)).get("stalled"):
            await asyncio.sleep(0.01)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        oidc.tell(stallTokens=False)
        return await calls(oidc.api, credential, 5)

    oidc.tell(stallTokens=True)
    assert asyncio.run(cancelled()) == [200] * 5
    kept = credential.status(target)
    assert refreshes(oidc) == 1
    assert kept and kept.generation == 2
