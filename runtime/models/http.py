"""Requests to a provider: JSON there, JSON or events back, repeated where that helps."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from ...auth.request import Outgoing
from ...auth.secret import Secret
from ..bounds import Bounds
from ..clock import Clock, SystemClock
from ..edge.retry import Failure, GiveUp, Phase, RetryPolicy, Uniform, decide
from ..version import VERSION
from ..wire.json_reader import read_json
from ..wire.reply import SendFailure, Streamed
from ..wire.transport import Transport
from .failures import failure_of, told
from .model import ModelError
from .sse import Event, EventReader

if TYPE_CHECKING:
    from ..wire.client import AsyncClient

BOUNDS = Bounds(connect_seconds=10.0, read_seconds=300.0, total_seconds=900.0)
"""A model may think for minutes before it says a word."""

RETRIES = RetryPolicy(attempts=3, longest_wait=30.0, deadline=300.0)


class _Failed(Exception):
    """An attempt that failed, with what to tell of it and what it means for the next."""

    def __init__(self, error: ModelError, failure: Failure) -> None:
        super().__init__(str(error))
        self.error = error
        self.failure = failure


class Endpoint:
    """One provider's API at one address. `headers` hold the key, which no error shows."""

    def __init__(
        self,
        provider: str,
        base_url: str,
        headers: Mapping[str, Secret],
        *,
        known_headers: Mapping[str, str],
        client: AsyncClient | None = None,
        bounds: Bounds | None = None,
        retries: RetryPolicy | None = None,
        clock: Clock | None = None,
        uniform: Uniform = random.uniform,
    ) -> None:
        self._provider = provider
        self._base_url = base_url.rstrip("/")
        self._headers = dict(headers)
        self._known_headers = dict(known_headers)
        self._bounds = bounds or BOUNDS
        self._transport = Transport(client, bounds if client is not None else self._bounds)
        self._retries = retries or RETRIES
        self._clock = clock or SystemClock()
        self._uniform = uniform

    async def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that answers. Raises `ModelError`."""
        reply = await self._opened(path, body, "application/json")
        try:
            text = await self._body(reply)
        finally:
            await reply.aclose()
        return self._object(text)

    async def events(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[Event]:
        """The events that answer, as they come in. Raises `ModelError`."""
        reply = await self._opened(path, body, "text/event-stream")
        reader = EventReader()
        try:
            async for chunk in self._chunks(reply):
                for event in reader.feed(chunk):
                    yield event
            for event in reader.finish():
                yield event
        finally:
            await reply.aclose()

    def data(self, event: Event) -> dict[str, Any]:
        """The JSON object that an event holds. Raises `ModelError`."""
        return self._object(event.data.encode())

    def error(self, text: str, **facts: Any) -> ModelError:
        """An error of this provider, without the key."""
        return ModelError(self._hidden(text), provider=self._provider, **facts)

    async def aclose(self) -> None:
        """Close the connections made here on this event loop."""
        await self._transport.aclose()

    # ── inside ──────────────────────────────────────────────────────────────────────

    async def _opened(self, path: str, body: Mapping[str, Any], accept: str) -> Streamed:
        """An answer that went well so far, after as many attempts as make sense."""
        request = self._request(path, body, accept)
        began = self._clock.monotonic()
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._attempt(request)
            except _Failed as error:
                failed = error
            decision = decide(
                failed.failure,
                harmless=True,  # it costs tokens, and changes nothing
                attempt=attempt,
                elapsed=self._clock.monotonic() - began,
                policy=self._retries,
                uniform=self._uniform,
            )
            if isinstance(decision, GiveUp):
                raise failed.error  # out here, where no request with its key goes along
            await self._clock.sleep(decision.wait)

    async def _attempt(self, request: Outgoing) -> Streamed:
        private = frozenset(name.lower() for name in self._headers)
        try:
            reply = await self._transport.stream(request, private)
        except SendFailure as lost:
            raise self._unanswered(lost) from None
        if 200 <= reply.status < 300:
            return reply
        try:
            text = await self._body(reply)
        except ModelError as lost:
            text = lost.message.encode()
        finally:
            await reply.aclose()
        raise self._refused(reply, text)

    def _refused(self, reply: Streamed, text: bytes) -> _Failed:
        now = self._clock.now()
        kind, failure, message = failure_of(reply.status, reply.headers, text, now)
        error = self.error(
            message,
            kind=kind,
            status=reply.status,
            retry_after=failure.retry_after,
            request_id=reply.headers.get("request-id") or reply.headers.get("x-request-id"),
        )
        return _Failed(error, failure)

    def _unanswered(self, lost: SendFailure) -> _Failed:
        phase: Phase = "unanswered" if lost.reached else "unsent"
        # Who waited for the whole time once would wait for it again.
        again = False if lost.lasting or (lost.timeout and lost.reached) else None
        failure = Failure(phase=phase, timeout=lost.timeout, should_retry=again)
        return _Failed(self._lost(lost), failure)

    def _lost(self, lost: SendFailure) -> ModelError:
        kind = "timeout" if lost.timeout else "connection"
        return self.error(f"no answer: {lost}", kind=kind, status=lost.status)

    def _request(self, path: str, body: Mapping[str, Any], accept: str) -> Outgoing:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        headers = {
            "Content-Type": "application/json",
            "Accept": accept,
            "User-Agent": f"toolmint/{VERSION}",
            **self._known_headers,
        }
        # Half a surrogate pair, which a model can write as an escape, is no UTF-8.
        request = Outgoing("POST", self._base_url + path, headers, text.encode("utf-8", "replace"))
        revealed = {name: value.reveal() for name, value in self._headers.items()}
        return replace(request, headers={**headers, **revealed})

    async def _body(self, reply: Streamed) -> bytes:
        return b"".join([chunk async for chunk in self._chunks(reply)])

    async def _chunks(self, reply: Streamed) -> AsyncIterator[bytes]:
        end = self._clock.monotonic() + self._bounds.total_seconds
        try:
            async for chunk in reply.chunks:
                if self._clock.monotonic() > end:
                    seconds = self._bounds.total_seconds
                    raise self.error(f"not finished after {seconds:g} seconds", kind="timeout")
                yield chunk
            return
        except SendFailure as lost:
            error = self._lost(lost)
        raise error

    def _object(self, text: bytes) -> dict[str, Any]:
        try:
            value: object = read_json(text)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise self.error(f"the answer is no JSON object: {told(text)}", kind="malformed")
        return cast("dict[str, Any]", value)

    def _hidden(self, text: str) -> str:
        for secret in self._headers.values():
            value = secret.reveal().removeprefix("Bearer ")
            if value:
                text = text.replace(value, "***")
        return text
