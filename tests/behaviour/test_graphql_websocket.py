"""Subscriptions over WebSocket, as `graphql-transport-ws` says, against a real socket."""

import asyncio
import importlib
import json
from pathlib import Path
from typing import Any

from toolmint.generator.settings import GraphQLSettings
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


def called(folder: Path, package: str, arguments: Any, seen: list[Any]) -> ToolResult:
    settings = spoken(GraphQLSettings(stream="websocket"))
    toolset = tracker_package(folder, package, settings, sdl=SDL)

    async def answer(socket: Any) -> None:
        await serve(socket, seen)

    async def main() -> ToolResult:
        async with websockets.serve(
            answer,
            "127.0.0.1",
            0,
            subprotocols=["graphql-transport-ws"],
        ) as server:
            port = server.sockets[0].getsockname()[1]
            async with toolset(
                base_url=f"http://127.0.0.1:{port}/graphql",
                credentials={"bearerAuth": "secret-token"},
                bounds=Bounds(stream_events=3, stream_seconds=5),
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
        "payload": {"Authorization": "Bearer secret-token"},
    }
    assert [one["type"] for one in seen[1:]] == ["pong", "subscribe", "complete"]


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


def test_a_server_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    settings = spoken(GraphQLSettings(stream="websocket"))
    toolset = tracker_package(tmp_path, "graphql_nowhere_tools", settings, sdl=SDL)

    async def main() -> ToolResult:
        address = "http://127.0.0.1:9/graphql"
        async with toolset(base_url=address, credentials={}, retry=False) as tools:
            return await tools.call("tick", {"from": 1})

    assert asyncio.run(main()).outcome == "error"
