"""Subscriptions over WebSocket, in either protocol in use, bounded like those over events.

The `websockets` library is imported at the first such call: `pip install toolmint[websocket]`.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..wire.json_reader import read_json
from ..wire.reply import Reply, SendFailure
from ..wire.values import is_array, is_object

if TYPE_CHECKING:
    from types import ModuleType

    from ...auth.request import Outgoing
    from ..bounds import Bounds

_GOODBYE = 0.5  # seconds for the server to close; one that floods us does not hear that it should
_OURS = frozenset(("content-type", "content-length", "accept", "user-agent"))
_CLOSED = {4401: 401, 4403: 403, 4429: 429}
# ^ what a server that closes before any event means, in the words of HTTP


@dataclass(frozen=True, slots=True)
class _Speech:
    """What the messages of a protocol are called."""

    begin: str
    event: str
    stop: str


_SPEECHES = {
    "graphql-transport-ws": _Speech("subscribe", "next", "complete"),
    "graphql-ws": _Speech("start", "data", "stop"),  # of subscriptions-transport-ws, the older
}


@dataclass(slots=True)
class _Heard:
    """The events that came, each as JSON, and why no more were listened to."""

    bounds: Bounds
    events: list[str] = field(default_factory=list[str])
    size: int = 0
    greeted: bool = False  # the server took the connection
    cut: str | None = None  # "" at the subscription's own end, None until there is one

    def take(self, event: Any) -> bool:
        """Keep an event; false once that was the last one that fits."""
        text = json.dumps(event)
        if self.size + len(text) > self.bounds.response_bytes:
            self.cut = f"after {self.bounds.response_bytes} bytes"
            return False
        self.events.append(text)
        self.size += len(text)
        if len(self.events) >= self.bounds.stream_events:
            self.cut = f"after {len(self.events)} events"
            return False
        return True

    def out_of_time(self, seconds: float) -> None:
        """The time is over: a bound, but of a server that never greeted a failure."""
        if not self.greeted:
            text = f"no answer within {seconds:g} seconds"
            raise SendFailure(text, timeout=True, reached=False) from None
        if self.cut is None:  # else it was only the goodbye that took too long
            self.cut = f"after {seconds:g} seconds"

    def lost(self, error: Exception) -> int | None:
        """The connection is lost: a cut after the first event, before it a failure.

        The status instead, where the server's refusal means one.
        """
        if self.events:
            self.cut = f"because the connection was lost ({error})"
            return None
        status = _status(error)
        if status is None:
            raise SendFailure(f"{type(error).__name__}: {error}", reached=False) from None
        return status


async def listened(
    request: Outgoing, private: frozenset[str], bounds: Bounds, within: float
) -> Reply:
    """What a subscription sent before its bound, as one JSON reply. Raises `SendFailure`.

    Credentials travel in the handshake's headers, and in the payload of `connection_init`,
    where servers that cannot see headers look for them (Hasura below `headers`).
    """
    library = _library()
    headers = {name: value for name, value in request.headers.items() if name.lower() not in _OURS}
    secrets = {name: value for name, value in headers.items() if name.lower() in private}
    heard = _Heard(bounds)
    seconds = min(bounds.stream_seconds, within)
    try:
        async with (
            asyncio.timeout(seconds),
            library.connect(
                "ws" + request.url.removeprefix("http"),
                subprotocols=list(_SPEECHES),
                additional_headers=headers,
                user_agent_header=request.headers.get("User-Agent"),
                max_size=bounds.response_bytes,
                close_timeout=_GOODBYE,
                proxy=None,
            ) as socket,
        ):
            await _listen(socket, json.loads(request.body or b"{}"), secrets, heard)
    except TimeoutError:
        heard.out_of_time(seconds)
    except (OSError, library.WebSocketException) as error:
        status = heard.lost(error)
        if status is not None:
            return Reply(status, {}, b"", request.url)
    events = "".join(f"event: next\ndata: {one}\n\n" for one in heard.events)
    kind = {"content-type": "text/event-stream"}  # the same answer, as events spell it
    return Reply(200, kind, events.encode(), request.url, heard.cut or "")


async def _listen(socket: Any, question: Any, secrets: dict[str, str], heard: _Heard) -> None:
    """Ask, and hear the events until one says that it is the last, or no more fit."""
    speech = _SPEECHES.get(socket.subprotocol, _SPEECHES["graphql-transport-ws"])
    payload = {**secrets, "headers": secrets} if secrets else {}
    await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
    async for text in socket:
        message = _message(text, speech)
        match message.get("type"):
            case "connection_ack":
                heard.greeted = True
                begin = {"id": "1", "type": speech.begin, "payload": question}
                await socket.send(json.dumps(begin))
            case "ping":
                await socket.send(json.dumps({"type": "pong"}))
            case kind if kind == speech.event:
                if not heard.take(message.get("payload")):
                    await socket.send(json.dumps({"id": "1", "type": speech.stop}))
                    return
            case "error" | "connection_error":
                told = message.get("payload")
                heard.take({"errors": told if is_array(told) else [told]})
                heard.cut = ""
                return
            case "complete":
                heard.cut = ""
                return
            case _:
                pass
    heard.cut = "because the server closed the connection"


def _status(error: Any) -> int | None:
    """The HTTP status that a refused handshake has, or a close code means."""
    answer = getattr(error, "response", None)
    if answer is not None:
        return int(answer.status_code)
    closed = getattr(error, "rcvd", None)
    return _CLOSED.get(closed.code) if closed is not None else None


def _message(text: Any, speech: _Speech) -> dict[str, Any]:
    """A message of the server; one that cannot be read is an event that says so."""
    try:
        message = read_json(text)
    except ValueError as error:
        unread = {"message": f"an event is not JSON: {error}"}
        return {"type": speech.event, "payload": {"errors": [unread]}}
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
