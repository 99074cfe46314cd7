"""Subscriptions over WebSocket (`graphql-transport-ws`), bounded like those over events.

The `websockets` library is imported at the first such call: `pip install toolmint[websocket]`.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from ..wire.json_reader import read_json
from ..wire.reply import Reply, SendFailure
from ..wire.values import is_object

if TYPE_CHECKING:
    from types import ModuleType

    from ...auth.request import Outgoing
    from ..bounds import Bounds

PROTOCOL = "graphql-transport-ws"
_OURS = frozenset(("content-type", "content-length", "accept", "user-agent"))


async def listened(
    request: Outgoing, private: frozenset[str], bounds: Bounds, within: float
) -> Reply:
    """What a subscription sent before its bound, as one JSON reply. Raises `SendFailure`.

    Credentials travel in the handshake's headers, and in the payload of `connection_init`,
    where servers that cannot see headers look for them.
    """
    library = _library()
    url = "ws" + request.url.removeprefix("http")
    headers = {name: value for name, value in request.headers.items() if name.lower() not in _OURS}
    secrets = {name: value for name, value in headers.items() if name.lower() in private}
    heard: list[Any] = []
    try:
        async with (
            asyncio.timeout(min(bounds.stream_seconds, within)),
            library.connect(
                url,
                subprotocols=[PROTOCOL],
                additional_headers=headers,
                user_agent_header=request.headers.get("User-Agent"),
                max_size=bounds.response_bytes,
                proxy=None,
            ) as socket,
        ):
            await _listen(socket, json.loads(request.body or b"{}"), secrets, bounds, heard)
    except TimeoutError:
        pass  # the bound, not a failure
    except (OSError, library.WebSocketException) as error:
        raise SendFailure(f"{type(error).__name__}: {error}", reached=False) from None
    events = "".join(f"event: next\ndata: {json.dumps(one)}\n\n" for one in heard)
    headers = {"content-type": "text/event-stream"}  # the same answer, as events spell it
    return Reply(200, headers, events.encode(), request.url)


async def _listen(
    socket: Any, question: Any, secrets: dict[str, str], bounds: Bounds, heard: list[Any]
) -> None:
    await socket.send(json.dumps({"type": "connection_init", "payload": secrets}))
    async for text in socket:
        message = _message(text)
        match message.get("type"):
            case "connection_ack":
                await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": question}))
            case "ping":
                await socket.send(json.dumps({"type": "pong"}))
            case "next":
                heard.append(message.get("payload"))
                if len(heard) >= bounds.stream_events:
                    await socket.send(json.dumps({"id": "1", "type": "complete"}))
                    return
            case "error":
                heard.append({"errors": message.get("payload")})
                return
            case "complete":
                return
            case _:
                pass


def _message(text: Any) -> dict[str, Any]:
    """A message of the server; one that cannot be read is an event that says so."""
    try:
        message = read_json(text)
    except ValueError as error:
        unread = {"message": f"an event is not JSON: {error}"}
        return {"type": "next", "payload": {"errors": [unread]}}
    return dict(message) if is_object(message) else {}


def _library() -> ModuleType:
    try:
        import websockets
    except ImportError:
        raise SendFailure(
            "subscriptions over WebSocket need `pip install toolmint[websocket]`",
            reached=False,
            lasting=True,
        ) from None
    return websockets
