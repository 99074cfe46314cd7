"""A typed call is a value: it is awaited, run, prepared, or asked for its result."""

import asyncio
import gc
import warnings
from collections.abc import Iterator
from threading import Thread
from types import ModuleType
from typing import assert_type

import httpx
import httpx2
import pytest

from tests.behaviour.loopback import Answer, Loopback, loopback
from tests.behaviour.packages.petstore_tools import Petstore
from tests.behaviour.packages.petstore_tools.models import Pet
from toolmint.auth import Credential
from toolmint.runtime import Bounds, Call, ToolError, ToolResult

REX = {"id": 1, "name": "Rex"}


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as started:
        yield started


@pytest.fixture
def petstore(server: Loopback) -> Iterator[Petstore]:
    toolset = Petstore(credentials={"bearerAuth": "tok-123456"}, base_url=server.url)
    yield toolset
    toolset.close()


def test_a_call_is_awaited_and_its_type_is_the_methods(petstore: Petstore) -> None:
    async def main() -> Pet:
        async with petstore:
            call = petstore.pets.get_pet(id=1)
            assert_type(call, Call[Pet])
            return await call

    assert asyncio.run(main()) == REX


def test_a_call_runs_without_asyncio(petstore: Petstore, server: Loopback) -> None:
    pet = petstore.pets.create_pet(name="Rex").run()
    assert_type(pet, Pet)
    assert pet == REX
    (seen,) = server.seen
    assert (seen.method, seen.target, seen.body) == ("POST", "/pets", b'{"name":"Rex"}')
    assert seen.headers["authorization"] == "Bearer tok-123456"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["accept"] == "application/json"
    assert seen.headers["user-agent"].startswith("toolmint/")
    assert "petstore_tools" in seen.headers["user-agent"]


def test_run_is_safe_inside_a_running_event_loop(petstore: Petstore) -> None:
    async def main() -> Pet:
        return petstore.pets.get_pet(id=1).run()

    assert asyncio.run(main()) == REX


def test_run_on_the_private_loop_is_refused_instead_of_hanging(server: Loopback) -> None:
    async def token() -> str:
        inner = Petstore(credentials={"bearerAuth": "tok-123456"}, base_url=server.url)
        inner.pets.get_pet(id=1).run()
        return "never"

    outer = Petstore(credentials={"bearerAuth": token}, base_url=server.url)
    result = outer.pets.get_pet(id=2).result().run()
    assert result.outcome == "error"
    assert "await the call instead" in str(result.error)
    assert server.seen == []


def test_nothing_is_sent_before_a_call_is_awaited_and_each_await_sends(
    petstore: Petstore, server: Loopback
) -> None:
    call = petstore.pets.get_pet(id=1)
    assert server.seen == []
    call.run()
    call.run()
    assert [seen.target for seen in server.seen] == ["/pets/1", "/pets/1"]


def test_unset_arguments_are_left_out_and_null_is_kept(
    petstore: Petstore, server: Loopback
) -> None:
    petstore.pets.create_pet(name="Rex").run()
    petstore.pets.create_pet(name="Rex", tag=None).run()
    assert [seen.body for seen in server.seen] == [b'{"name":"Rex"}', b'{"name":"Rex","tag":null}']


def test_a_failed_call_raises_and_its_result_does_not(petstore: Petstore, server: Loopback) -> None:
    server.answer = lambda _: Answer.of({"detail": "no such pet"}, 404)
    with pytest.raises(ToolError) as caught:
        petstore.pets.get_pet(id=1).run()
    assert caught.value.outcome == "error"
    assert caught.value.metadata["status"] == 404
    result = petstore.pets.get_pet(id=1).result().run()
    assert_type(result, ToolResult)
    assert (result.success, result.outcome, result.data) == (False, "error", None)
    assert result.error is not None
    assert result.error.message == "get_pet: 404 Not Found: no such pet"

    async def awaited() -> ToolResult:
        return await petstore.pets.get_pet(id=1).result()

    assert asyncio.run(awaited()).outcome == "error"


def test_the_wire_carries_the_url_byte_for_byte(petstore: Petstore, server: Loopback) -> None:
    call = petstore.pets.list_pets(
        limit=2, tags=["a b", "c,d"], q="it's/a;(test)!*'", marks=["x", "|"]
    )
    prepared = call.prepare()
    call.run()
    (seen,) = server.seen
    assert seen.target == "/pets?limit=2&tags=a%20b,c%2Cd&q=it's/a;(test)!*'&marks=x%7C%7C"
    assert prepared.url == server.url + seen.target


def test_one_connection_serves_the_calls_of_one_loop(petstore: Petstore, server: Loopback) -> None:
    for _ in range(3):
        petstore.pets.get_pet(id=1).run()
    assert server.connections == 1


def test_several_event_loops_one_after_another_and_at_once(
    petstore: Petstore, server: Loopback
) -> None:
    async def main() -> list[Pet]:
        return await asyncio.gather(*(petstore.pets.get_pet(id=n) for n in range(5)))

    results = [asyncio.run(main()), asyncio.run(main())]
    threads = [Thread(target=lambda: results.append(asyncio.run(main()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[REX] * 5] * 5
    assert len(server.seen) == 25


def test_threads_share_the_private_loop(petstore: Petstore) -> None:
    results: list[Pet] = []
    threads = [
        Thread(target=lambda: results.append(petstore.pets.get_pet(id=1).run())) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [REX] * 8


def test_cancelling_a_task_cancels_its_call_and_the_toolset_stays_usable(
    petstore: Petstore, server: Loopback
) -> None:
    server.answer = lambda seen: Answer.of(REX) if seen.target == "/pets/2" else Answer(after=0.5)

    async def main() -> Pet:
        task = asyncio.ensure_future(petstore.pets.get_pet(id=1).result())
        await asyncio.to_thread(server.arrived.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await petstore.pets.get_pet(id=2)

    assert asyncio.run(main()) == REX


@pytest.mark.parametrize("library", [httpx, httpx2])
def test_a_client_of_either_library_is_used_and_left_open(
    server: Loopback, library: ModuleType
) -> None:
    async def main() -> None:
        async with library.AsyncClient(headers={"X-Trace": "7", "Accept": "nothing"}) as client:
            async with Petstore(
                credentials={"bearerAuth": "tok-123456"}, base_url=server.url, client=client
            ) as petstore:
                assert (await petstore.pets.list_pets(q="it's|").result()).data == REX
            assert not client.is_closed

    asyncio.run(main())
    (seen,) = server.seen
    assert seen.target == "/pets?q=it's%7C"
    assert seen.headers["x-trace"] == "7"
    assert seen.headers["accept"] == "application/json"


def test_a_clients_own_auth_gives_way_to_the_credentials(server: Loopback) -> None:
    async def main(credentials: dict[str, str]) -> None:
        async with httpx.AsyncClient(auth=("ann", "pw")) as client:
            petstore = Petstore(credentials=credentials, base_url=server.url, client=client)
            await petstore.call("get_pet", {"id": 1})
            await petstore.call("health")

    asyncio.run(main({"bearerAuth": "tok-123456"}))
    assert [seen.headers.get("authorization") for seen in server.seen] == [
        "Bearer tok-123456",
        "Basic YW5uOnB3",
    ]


def test_anything_but_an_asynchronous_client_is_refused_at_once() -> None:
    for wrong in (httpx.Client(), object()):
        with pytest.raises(TypeError, match="client= takes an httpx"):
            Petstore(credentials={}, client=wrong)  # type: ignore[arg-type]


def test_close_ends_the_connections_of_run(petstore: Petstore, server: Loopback) -> None:
    petstore.pets.get_pet(id=1).run()
    petstore.close()
    petstore.pets.get_pet(id=1).run()
    assert server.connections == 2


def test_aclose_also_ends_the_connections_of_run(petstore: Petstore, server: Loopback) -> None:
    async def main() -> None:
        async with petstore:
            petstore.pets.get_pet(id=1).run()

    asyncio.run(main())
    petstore.pets.get_pet(id=1).run()
    assert server.connections == 2


@pytest.mark.filterwarnings("error")
def test_a_closed_toolset_leaves_no_warning_behind(server: Loopback) -> None:
    with warnings.catch_warnings(action="ignore"):
        gc.collect()  # what other tests left

    async def main() -> None:
        async with Petstore(credentials={"bearerAuth": "t"}, base_url=server.url) as petstore:
            await petstore.pets.get_pet(id=1)

    asyncio.run(main())
    gc.collect()


def test_prepare_is_the_request_as_data_and_sends_nothing(
    petstore: Petstore, server: Loopback
) -> None:
    request = petstore.pets.create_pet(name="Rex").prepare()
    assert (request.method, request.url) == ("POST", f"{server.url}/pets")
    assert request.headers["Authorization"] == "Bearer tok-123456"
    assert request.body == b'{"name":"Rex"}'
    assert request.pending_credentials == ()
    assert "tok-123456" not in repr(request)
    assert "Bearer ***" in repr(request)
    assert request.redacted().headers["Authorization"] == "Bearer ***"
    assert server.seen == []


def test_a_credential_that_takes_waiting_is_named_as_pending(server: Loopback) -> None:
    async def token() -> str:
        return "fresh-token"

    petstore = Petstore(credentials={"bearerAuth": token}, base_url=server.url)
    request = petstore.pets.get_pet(id=1).prepare()
    assert request.pending_credentials == ("bearerAuth",)
    assert request.headers["Authorization"] == "Bearer <bearerAuth>"
    assert request.redacted().headers["Authorization"] == "Bearer <bearerAuth>"
    assert petstore.pets.get_pet(id=1).run() == REX
    assert server.seen[0].headers["authorization"] == "Bearer fresh-token"


@pytest.mark.parametrize("token", ["t", "POST", "tok-123456"])
def test_a_prepared_request_hides_a_credential_of_any_length(server: Loopback, token: str) -> None:
    credentials: dict[str, Credential] = {
        "apiKey": token,
        "basicAuth": {"username": "ann", "password": token},
    }
    petstore = Petstore(credentials=credentials, base_url=server.url)
    shown = petstore.pets.get_pet(id=1).prepare().redacted()
    assert shown.headers["Authorization"] == "Basic ***"
    assert shown.headers["X-Key"] == "***"
    bearer = Petstore(credentials={"bearerAuth": token}, base_url=server.url)
    request = bearer.pets.get_pet(id=1).prepare()
    assert request.headers["Authorization"] == f"Bearer {token}"
    assert request.redacted().headers["Authorization"] == "Bearer ***"
    assert "'Authorization': 'Bearer ***'" in repr(request)


def test_prepare_raises_what_call_would_return(petstore: Petstore) -> None:
    with pytest.raises(ToolError) as caught:
        petstore.prepare("get_pet", {"id": "one"})
    assert caught.value.outcome == "invalid_arguments"
    with pytest.raises(ToolError) as caught:
        petstore.prepare("get_pets", {})
    assert caught.value.outcome == "unknown_tool"
    with pytest.raises(ToolError) as caught:
        Petstore(credentials={}).pets.get_pet(id=1).prepare()
    assert caught.value.outcome == "denied"
    assert caught.value.details == ("bearerAuth", "apiKey", "basicAuth")


def test_a_call_shows_its_arguments_without_the_credential(petstore: Petstore) -> None:
    call = petstore.pets.create_pet(name="tok-123456")
    assert repr(call) == "Call(create_pet: name='***')"
    assert repr(call.result()) == "Call(create_pet: name='***').result()"
    assert call.arguments == {"name": "tok-123456"}


def test_a_slow_server_times_out(server: Loopback) -> None:
    server.answer = lambda _: Answer(after=1)
    bounds = Bounds(read_seconds=0.05)
    with Petstore(
        credentials={"bearerAuth": "t"}, base_url=server.url, bounds=bounds, retry=False
    ) as petstore:
        assert petstore.pets.get_pet(id=1).result().run().outcome == "timeout"
        assert petstore.pets.create_pet(name="x").result().run().outcome == "unknown_effect"
    bounds = Bounds(total_seconds=0.05)
    with Petstore(credentials={"bearerAuth": "t"}, base_url=server.url, bounds=bounds) as petstore:
        result = petstore.pets.get_pet(id=1).result().run()
    assert result.outcome == "timeout"
    assert str(result.error) == "get_pet: no answer within 0.05 seconds"


def test_the_runtime_makes_idempotency_keys_one_a_call(
    petstore: Petstore, server: Loopback
) -> None:
    for _ in range(2):
        petstore.store.place_order().run()
    first, second = (seen.headers["idempotency-key"] for seen in server.seen)
    assert len(first) == len(second) == 32
    assert first != second
