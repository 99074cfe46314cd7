"""What a loop needs of a model: an answer to a request, at once or as it is written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from ..agent.conversation import Delta, ModelRequest, ModelResponse


@runtime_checkable
class Model(Protocol):
    """Answers requests. Both ways raise `ModelError` when no answer came."""

    async def respond(self, request: ModelRequest) -> ModelResponse:
        """The whole turn."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta | ModelResponse]:
        """The turn as it is written; the last thing is the whole of it."""
        ...


ErrorKind: TypeAlias = Literal[
    "authentication",
    "permission",
    "not_found",
    "invalid_request",
    "too_large",  # the request, or the conversation for the model
    "rate_limited",
    "quota",  # an allowance that waiting a moment does not bring back
    "overloaded",
    "server",
    "timeout",
    "connection",
    "malformed",  # the answer was none that the provider documents
]


class ModelError(Exception):
    """No turn came of a request. No part of it holds the API key.

    `status` and `request_id` are the provider's, where it answered; `retry_after` is in seconds.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: ErrorKind,
        provider: str,
        status: int | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{provider}: {message}")
        self.message = message
        self.kind: ErrorKind = kind
        self.provider = provider
        self.status = status
        self.retry_after = retry_after
        self.request_id = request_id

    def __reduce__(self) -> tuple[object, ...]:
        given = (self.message, self.kind, self.provider)
        return _rebuild, (*given, self.status, self.retry_after, self.request_id)


def _rebuild(
    message: str,
    kind: ErrorKind,
    provider: str,
    status: int | None,
    retry_after: float | None,
    request_id: str | None,
) -> ModelError:
    return ModelError(
        message,
        kind=kind,
        provider=provider,
        status=status,
        retry_after=retry_after,
        request_id=request_id,
    )
