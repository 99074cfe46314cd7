"""A GraphQL answer under the HTTP status that it means, so that one pipeline serves both.

Servers answer 200 to callers they throttle or do not know, and 400 to what HTTP has no
complaint about. Retries, fresh credentials and limits then work as for any HTTP API.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..wire.reply import Reply
from ..wire.response import ResponseProblem
from ..wire.values import is_object
from . import classes, costs
from .response import Response, read

_TELLING = (b'"errors"', b'"cost"', b'"rateLimit"', b'"incremental"')
_ANSWERED = frozenset((400, 403, 404, 405, 409, 413, 422, 500))
# ^ with a GraphQL answer in them they are the resolvers' business, which the codec explains


def as_http(reply: Reply, now: float) -> Reply:
    """The reply with the status and limit headers that its content means."""
    if not any(word in reply.body for word in _TELLING):
        return reply
    try:
        response = read(reply)
    except ResponseProblem:
        return reply
    if response is None:
        return reply
    headers = {**reply.headers, **costs.headers(response, now)}
    status = _status(reply.status, response)
    if status == 429 and "retry-after" not in headers:
        seconds = costs.wait(response, now)
        if seconds is not None:
            headers["retry-after"] = f"{seconds:.3f}".rstrip("0").rstrip(".")
    return replace(reply, status=status, headers=headers)


def _status(status: int, response: Response) -> int:
    ran = bool(response.events) or any(one is not None for one in _values(response.data))
    if not ran and classes.has(response.errors, "throttled"):
        return 429
    if not ran and classes.has(response.errors, "unauthenticated"):
        return 401
    return 200 if status in _ANSWERED else status


def _values(data: Any) -> Iterable[Any]:
    """What came of each root field."""
    return data.values() if is_object(data) else ()
