"""Subscriptions over WebSocket, in both protocols, against a real socket."""

import asyncio
import importlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from toolmint.generator.settings.policy import GraphQLSettings
from toolmint.runtime import Bounds, ToolResult

from .graphql_packages import spoken, tracker_package

websockets: Any = importlib.import_module("websockets")
SDL = "type Query { ok: Int } type Subscription { tick(from: Int!): Int! }"


async def serve(socket: Any, seen: list[Any]) -> None:
    """Greets, and then counts until it is told to stop."""
    async for text in socket:
        message = json.loads(text)
        seen.append(message)
        if message["type"] == "connection_init":
            await socket.send(json.dumps({"type": "ping"}))
            await socket.send(json.dumps({"type": "connection_ack"}))
        if message["type"] == "subscribe":
            start = message["payload"]["variables"]["from"]
            if start > 90:
                await socket.send('{"type": "next", "payload": {"data": {"tick": 1e999}}}')
                await socket.send("[" * 100_000)
            if start < 0:
                errors = [{"message": "no such tick"}]
                told = {"id": message["id"], "type": "error", "payload": errors}
                await socket.send(json.dumps(told))
                continue
            for number in range(start, start + 20):
                payload = {"data": {"tick": number}}
                told = {"id": message["id"], "type": "next", "payload": payload}
                await socket.send(json.dumps(told))


async def serve_older(socket: Any, seen: list[Any]) -> None:
    """The same as `subscriptions-transport-ws` says it (Hasura, PostGraphile 4)."""
    async for text in socket:
        message = json.loads(text)
        seen.append(message)
        if message["type"] == "connection_init":
            await socket.send('{"type": "connection_ack"}')
            await socket.send('{"type": "ka"}')
        if message["type"] == "start":
            start = message["payload"]["variables"]["from"]
            if start < 0:
                told = {"id": "1", "type": "error", "payload": {"message": "no such tick"}}
                await socket.send(json.dumps(told))
            for number in range(start, 2):
                told = {"id": "1", "type": "data", "payload": {"data": {"tick": number}}}
                await socket.send(json.dumps(told))
            await socket.send('{"id": "1", "type": "complete"}')


async def serve_and_close(socket: Any, seen: list[Any]) -> None:
    """Closes with the number that it is asked to count from, after one event below 4000."""
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "connection_init":
            await socket.send('{"type": "connection_ack"}')
        else:
            code = message["payload"]["variables"]["from"]
            if code < 4000:
                await socket.send('{"type": "next", "payload": {"data": {"tick": 1}}}')
            await socket.close(code)
            return


def called(
    folder: Path,
    package: str,
    arguments: Any,
    seen: list[Any],
    serves: Callable[[Any, list[Any]], Awaitable[None]] = serve,
    protocol: str = "graphql-transport-ws",
    seconds: float = 5,
) -> ToolResult:
    settings = spoken(GraphQLSettings(stream="websocket"))
    toolset = tracker_package(folder, package, settings, sdl=SDL)

    async def answer(socket: Any) -> None:
        await serves(socket, seen)

    async def main() -> ToolResult:
        async with websockets.serve(
            answer,
            "127.0.0.1",
            0,
            subprotocols=[protocol],
        ) as server:
            port = server.sockets[0].getsockname()[1]
            async with toolset(
                base_url=f"http://127.0.0.1:{port}/graphql",
                credentials={"bearerAuth": "secret-token"},
                bounds=Bounds(stream_events=3, stream_seconds=seconds),
                retry=False,
            ) as tools:
                return await tools.call("tick", arguments)

    return asyncio.run(main())


def test_a_subscription_ends_at_its_bound_and_says_so_to_the_server(tmp_path: Path) -> None:
    seen: list[Any] = []
    result = called(tmp_path, "graphql_socket_tools", {"from": 5}, seen)
    assert (result.success, result.data) == (True, [5, 6, 7])
    assert seen[0] == {
        "type": "connection_init",
        "payload": {
            "Authorization": "Bearer secret-token",
            "headers": {"Authorization": "Bearer secret-token"},
        },
    }
    assert [one["type"] for one in seen[1:]] == ["pong", "subscribe", "complete"]
    assert result.metadata["notes"] == ("The stream was cut after 3 events.",)


def test_an_error_of_the_server_is_the_result(tmp_path: Path) -> None:
    result = called(tmp_path, "graphql_refused_socket_tools", {"from": -1}, [])
    assert (result.outcome, str(result.error)) == ("error", "tick: no such tick")


def test_an_event_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    result = called(tmp_path, "graphql_odd_socket_tools", {"from": 91}, [])
    assert (result.success, result.data) == (True, [91])
    assert result.metadata["errors"] == (
        {"message": "an event is not JSON: the number 1e999 is too large"},
        {"message": "an event is not JSON: it is nested too deep"},
    )


def test_the_older_protocol_is_spoken_to_a_server_that_knows_no_other(tmp_path: Path) -> None:
    seen: list[Any] = []
    given = (seen, serve_older, "graphql-ws")
    result = called(tmp_path, "graphql_older_socket_tools", {"from": 0}, *given)
    assert (result.data, result.metadata.get("notes")) == ([0, 1], None)
    assert [one["type"] for one in seen] == ["connection_init", "start"]
    refused = called(tmp_path, "graphql_older_refused_tools", {"from": -1}, *given)
    assert (refused.outcome, str(refused.error)) == ("error", "tick: no such tick")


def test_what_came_before_a_connection_was_lost_is_kept(tmp_path: Path) -> None:
    result = called(tmp_path, "graphql_lost_socket_tools", {"from": 3000}, [], serve_and_close)
    assert (result.outcome, result.data) == ("ok", [1])
    assert str(result.metadata["notes"]).startswith(
        "('The stream was cut because the connection was lost (received 3000"
    )


async def never_greet(socket: Any, seen: list[Any]) -> None:
    """Hears the greeting and says nothing."""
    async for text in socket:
        seen.append(json.loads(text))


def test_a_server_that_never_greets_is_a_timeout(tmp_path: Path) -> None:
    result = called(
        tmp_path, "graphql_mute_socket_tools", {"from": 1}, [], never_greet, seconds=0.2
    )
    assert (result.outcome, result.data) == ("timeout", None)


def test_a_close_code_before_any_event_is_the_status_that_it_means(tmp_path: Path) -> None:
    result = called(tmp_path, "graphql_unknown_socket_tools", {"from": 4401}, [], serve_and_close)
    assert (result.outcome, result.metadata["status"]) == ("error", 401)


def test_a_server_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(stream="websocket"))
    toolset = tracker_package(tmp_path, "graphql_nowhere_tools", settings, sdl=SDL)

    async def main() -> ToolResult:
        address = "http://127.0.0.1:9/graphql"
        async with toolset(base_url=address, credentials={}, retry=False) as tools:
            return await tools.call("tick", {"from": 1})

    assert asyncio.run(main()).outcome == "error"
