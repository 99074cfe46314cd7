"""A model behind a provider's HTTP API: what all providers share."""

from __future__ import annotations

import os
import random
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from ...auth.request import is_loopback
from ...auth.secret import Secret
from ..agent.conversation import Delta, ModelRequest, ModelResponse, ToolCall, ToolSpec
from ..dialects import Export, export
from .http import Endpoint
from .model import ModelError
from .sse import Event

if TYPE_CHECKING:
    from ..bounds import Bounds
    from ..clock import Clock
    from ..edge.retry import RetryPolicy, Uniform
    from ..wire.client import AsyncClient


class Assembly(ABC):
    """Puts the plain answer together from the events that tell it."""

    @abstractmethod
    def add(self, event: Mapping[str, Any]) -> list[Delta]:
        """Take an event's data; give back what it adds to what is shown."""

    @abstractmethod
    def whole(self) -> dict[str, Any] | None:
        """The answer as it comes without a stream; None while it is not complete."""


class ProviderModel(ABC):
    """One model of one provider.

    `api_key` is a text, or left out: then the provider's environment variable is read, but only
    for the provider's own address, since the key is nobody else's business. `base_url` is any
    server that speaks the same API; without a key, none is sent. `options` are members that go
    into each request's body as they are, over ours. `strict` spends the provider's strict mode
    on tools that lose nothing by it.
    """

    provider: ClassVar[str]
    dialect: ClassVar[str]
    home: ClassVar[str]
    environment: ClassVar[tuple[str, ...]]
    known_headers: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        options: Mapping[str, Any] | None = None,
        strict: bool = True,
        client: AsyncClient | None = None,
        bounds: Bounds | None = None,
        retries: RetryPolicy | None = None,
        clock: Clock | None = None,
        uniform: Uniform = random.uniform,
    ) -> None:
        self.model = model
        self._at_home = base_url is None
        address = base_url or self.home
        self._options = dict(options or {})
        self._strict = strict
        self._exported: tuple[tuple[ToolSpec, ...], Export] | None = None
        self._endpoint = Endpoint(
            self.provider,
            address,
            self._headers(self._key(api_key, address)),
            known_headers=self.known_headers,
            client=client,
            bounds=bounds,
            retries=retries,
            clock=clock,
            uniform=uniform,
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"

    async def respond(self, request: ModelRequest) -> ModelResponse:
        """The whole turn. Raises `ModelError`."""
        sent = self._export(request)
        answer = await self._endpoint.post(
            self._path(stream=False), {**self._body(request, sent), **self._options}
        )
        return self._read(answer, request, sent)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta | ModelResponse]:
        """The turn as it is written; the last thing is the whole of it. Raises `ModelError`.

        Who stops before the end closes it (`contextlib.aclosing`), and so the connection.
        """
        sent = self._export(request)
        body = {**self._body(request, sent), **self._streaming(), **self._options}
        assembly = self._assembly()
        async with aclosing(self._endpoint.events(self._path(stream=True), body)) as events:
            async for event in events:
                if event.data == "[DONE]":
                    break
                for delta in self._added(assembly, event):
                    yield delta
        answer = assembly.whole()
        if answer is None:
            raise self._endpoint.error("the stream ended before the answer did", kind="connection")
        yield self._read(answer, request, sent)

    async def aclose(self) -> None:
        """Close the connections made here on this event loop."""
        await self._endpoint.aclose()

    # ── what each provider does its own way ─────────────────────────────────────────

    @abstractmethod
    def _headers(self, key: str | None) -> dict[str, Secret]:
        """The headers that carry the key."""

    @abstractmethod
    def _path(self, *, stream: bool) -> str:
        """Where the request goes, below the base URL."""

    @abstractmethod
    def _body(self, request: ModelRequest, sent: Export) -> dict[str, Any]:
        """The request in the provider's form."""

    @abstractmethod
    def _streaming(self) -> dict[str, Any]:
        """What asks for a stream."""

    @abstractmethod
    def _assembly(self) -> Assembly:
        """A fresh one, for one stream."""

    @abstractmethod
    def _response(self, answer: Mapping[str, Any], request: ModelRequest) -> ModelResponse:
        """The turn; its calls as the model wrote them. May raise what a surprise raises."""

    @abstractmethod
    def _failure(self, event: Mapping[str, Any]) -> ModelError | None:
        """The error that an event, or an answer, tells of."""

    # ── inside ──────────────────────────────────────────────────────────────────────

    def _key(self, given: str | None, address: str) -> str | None:
        key = given
        if key is None and self._at_home:
            key = next(
                (os.environ[name] for name in self.environment if os.environ.get(name)), None
            )
            if key is None:
                names = " or ".join(self.environment)
                raise ModelError(
                    f"there is no key: set {names}, or pass api_key=",
                    kind="authentication",
                    provider=self.provider,
                )
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url= must be an http or https address, not {address!r}")
        if key and parts.scheme == "http" and not is_loopback(parts.hostname):
            raise ValueError("base_url=: a key is not sent over plain http; use https")
        return key

    def _export(self, request: ModelRequest) -> Export:
        names = frozenset(tool.name for tool in request.tools)
        request.tool_choice.named(names)
        if request.tool_choice.mode == "required" and not names:
            raise ValueError("tool_choice requires a call, but there is no tool")
        known = self._exported
        if known is None or known[0] != request.tools:
            made = export(request.tools, self.dialect, strict=self._strict)
            known = self._exported = request.tools, made
        return known[1]

    def _added(self, assembly: Assembly, event: Event) -> list[Delta]:
        data = self._endpoint.data(event)
        error = self._failure(data)
        if error is not None:
            raise error
        try:
            return assembly.add(data)
        except _SURPRISES as surprise:
            error = self._surprised(surprise)
        raise error

    def _read(self, answer: dict[str, Any], request: ModelRequest, sent: Export) -> ModelResponse:
        error = self._failure(answer)
        if error is not None:
            raise error
        try:
            response = self._response(answer, request)
        except _SURPRISES as surprise:
            error = self._surprised(surprise)
        else:
            return _restored(response, sent)
        raise error

    def _surprised(self, surprise: Exception) -> ModelError:
        what = f"{type(surprise).__name__}: {surprise}"
        text = f"the answer has not the documented form: {what}"
        return self._endpoint.error(text, kind="malformed")


_SURPRISES = (LookupError, TypeError, ValueError, AttributeError)


def _restored(response: ModelResponse, sent: Export) -> ModelResponse:
    """The turn with its calls as the tools' own schemas have them."""
    calls = tuple(
        ToolCall(call.id, *sent.restore(call.name, call.arguments))
        for call in response.message.calls
    )
    return replace(response, message=replace(response.message, calls=calls))
