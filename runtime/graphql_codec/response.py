"""A GraphQL answer as data, errors and extensions, however it was sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..wire.media import media_type
from ..wire.reply import Reply
from ..wire.response import decode
from ..wire.values import is_array, is_object
from .parts import merged, payloads

_ACCEPT = ("application/json", "application/graphql-response+json")


@dataclass(frozen=True, slots=True)
class GraphQLError:
    """One error as the server tells it."""

    message: str
    path: tuple[str | int, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    type: str = ""  # GitHub's, beside the message

    @property
    def code(self) -> str:
        """What kind of error it is, in the server's word: `extensions.code`, else its type."""
        code = self.extensions.get("code")
        return code if isinstance(code, str) else self.type

    def detail(self) -> dict[str, object]:
        """The error as plain data."""
        told: dict[str, object] = {"message": self.message}
        if self.path:
            told["path"] = ".".join(map(str, self.path))
        if self.code:
            told["code"] = self.code
        return told


@dataclass(frozen=True, slots=True)
class Response:
    """What a server answered: `events` are those of a subscription."""

    data: Any = None
    errors: tuple[GraphQLError, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    events: tuple[Any, ...] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing: no data, no error, and no events to have none of."""
        return self.data is None and not self.errors and self.events is None


def read(reply: Reply) -> Response | None:
    """The GraphQL answer in a reply; None for anything else. Raises ResponseProblem."""
    kind = media_type(reply.headers.get("content-type", ""))
    if kind.essence == "multipart/mixed":
        return response_of(merged(payloads(reply.body, kind.parameters.get("boundary", "-"))))
    found = decode(reply.headers, reply.body, accept=_ACCEPT)
    if kind.essence == "text/event-stream":
        return events_of([one.get("data") for one in found if one.get("event") in (None, "next")])
    return response_of(found)


def events_of(payloads: Sequence[Any]) -> Response:
    """The payloads of a subscription as one answer; the errors of all are kept."""
    read_ = [response_of(payload) for payload in payloads]
    told = [one for one in read_ if one is not None]
    return Response(
        errors=tuple(error for one in told for error in one.errors),
        events=tuple(one.data for one in told if one.data is not None),
    )


def response_of(payload: Any) -> Response | None:
    """An answer from its JSON; None where it holds neither data nor errors."""
    if not is_object(payload) or not ("data" in payload or payload.get("errors") is not None):
        return None
    extensions, errors = payload.get("extensions"), payload.get("errors") or ()
    return Response(
        data=payload.get("data"),
        errors=tuple(map(_error, errors if is_array(errors) or not errors else (errors,))),
        extensions=extensions if is_object(extensions) else {},
    )


def _error(told: Any) -> GraphQLError:
    if not is_object(told):
        return GraphQLError(str(told)[:600])
    path, extensions = told.get("path"), told.get("extensions")
    steps = path if is_array(path) else ()
    return GraphQLError(
        message=str(told.get("message", "no reason given"))[:600],
        path=tuple(step for step in steps if isinstance(step, str | int)),
        extensions=extensions if is_object(extensions) else {},
        type=str(told.get("type", "") or ""),
    )
