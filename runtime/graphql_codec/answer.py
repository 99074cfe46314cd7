"""From a GraphQL answer to the result of a call: data and errors both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import Outcome, ToolError
from ..operation import GraphQLOperation
from ..result import ToolResult
from ..wire.reply import Reply
from ..wire.response import ResponseProblem
from ..wire.values import is_array, is_object
from . import classes
from .response import GraphQLError, Response, read

_SHOWN = 5  # errors in a message
_ERRORS = re.compile(r"(?:[a-z]\w*(?<!Or)E|e)rrors", re.ASCII)
# ^ lists in a mutation's payload that say what the caller did wrong


def result_of(
    name: str, operation: GraphQLOperation, reply: Reply, metadata: Mapping[str, object]
) -> ToolResult:
    """The result of an answer: what came of the root, and every error beside it.

    Raises ResponseProblem for what is no GraphQL answer. Without data it is a failure; with
    data and errors a success that says it is partial; a mutation with a payload that holds
    user errors is a failure that keeps the data.
    """
    response = read(reply)
    if response is None or response.is_empty:
        raise ResponseProblem("the answer holds neither data nor errors, so it is not GraphQL's")
    data = _found(operation, response)
    told: dict[str, object] = dict(metadata)
    if response.errors:
        told["errors"] = tuple(error.detail() for error in response.errors)
    if response.errors and _is_nothing(operation, data):
        return _failed(name, response.errors, None, told)
    if response.errors:
        told["partial"] = True
    payloads = _roots(operation, data) if operation.kind == "mutation" else ()
    wrong = [error for payload in payloads for error in _user_errors(payload)]
    if wrong:
        return _failed(name, wrong, data, told)
    return ToolResult(outcome="ok", data=data, metadata=told)


def partial_note(errors: Sequence[Mapping[str, object]]) -> str:
    """What a model is told of a result that is not whole."""
    told = "; ".join(_line(error) for error in errors[:_SHOWN])
    return f"This result is not whole: {told}."[:600]


def _found(operation: GraphQLOperation, response: Response) -> Any:
    """What came of the root; of a subscription the events, which may be a single answer."""
    if operation.kind == "subscription":
        events = (response.data,) if response.events is None else response.events
        return [at_root(data, operation.root) for data in events if data is not None]
    return at_root(response.data, operation.root)


def at_root(data: Any, root: str) -> Any:
    """What a dotted path of response keys leads to; None where a null is on the way."""
    for key in root.split(".") if root else ():
        if not is_object(data):
            return None
        data = data.get(key)
    return data


def _roots(operation: GraphQLOperation, data: Any) -> Sequence[Any]:
    """What came of each root field: a document without one root keeps them all."""
    if operation.root or not is_object(data):
        return (data,)
    return tuple(data.values())


def _is_nothing(operation: GraphQLOperation, data: Any) -> bool:
    """Whether nothing came: an empty list is nothing only of a subscription's events."""
    if operation.kind == "subscription":
        return not data
    return all(one is None for one in _roots(operation, data))


def _user_errors(data: Any) -> Iterator[GraphQLError]:
    """What a payload says the caller did wrong."""
    if not is_object(data):
        return
    for name, value in data.items():
        if not _ERRORS.fullmatch(name) or not is_array(value):
            continue
        for one in value:
            if is_object(one):
                field = one.get("field", one.get("path"))
                path = tuple(field) if is_array(field) else (str(field),) if field else ()
                message = str(one.get("message", one.get("__typename", "refused")))
                yield GraphQLError(message, path, {"code": one["code"]} if one.get("code") else {})
            elif isinstance(one, str):
                yield GraphQLError(one)


def _failed(
    name: str, errors: Sequence[GraphQLError], data: Any, metadata: Mapping[str, object]
) -> ToolResult:
    details = [error.detail() for error in errors]
    said = "; ".join(_line(error) for error in details[:_SHOWN])
    more = f"; and {len(details) - _SHOWN} more" if len(details) > _SHOWN else ""
    outcome: Outcome = "invalid_arguments" if _is_input(errors) else "error"
    error = ToolError(f"{name}: {said}{more}", outcome=outcome, details=details, metadata=metadata)
    return ToolResult(outcome=outcome, data=data, error=error, metadata=metadata)


def _is_input(errors: Sequence[GraphQLError]) -> bool:
    return all(error.code.upper() == "BAD_USER_INPUT" for error in errors)


def _line(error: Mapping[str, object]) -> str:
    place = f" (at {error['path']})" if "path" in error else ""
    return f"{error['message']}{place}"


def forbidden_paths(errors: Sequence[GraphQLError]) -> list[tuple[str, ...]]:
    """The paths of fields that a caller may not see, without the places in lists."""
    return [
        tuple(step for step in error.path if isinstance(step, str))
        for error in errors
        if classes.class_of(error) == "forbidden" and len(error.path) > 1
    ]
