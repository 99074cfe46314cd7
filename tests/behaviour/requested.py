"""One operation of a server that is not there, and the request that a call of it makes."""

from collections.abc import Mapping
from typing import Any

import pytest

from toolmint.auth.request import Outgoing
from toolmint.runtime.arguments import Argument, Body
from toolmint.runtime.operation import HttpOperation
from toolmint.runtime.wire.refusal import RequestProblem
from toolmint.runtime.wire.request import build

SERVER = "https://api.example/v1"
JSON = {"Accept": "application/json"}


def operation(
    *arguments: Argument,
    method: str = "GET",
    path: str = "/x",
    body: Body | None = None,
    query: str = "",
    accept: tuple[str, ...] = ("application/json",),
) -> HttpOperation:
    return HttpOperation(
        name="act",
        method=method,
        path=path,
        query=query,
        arguments=arguments,
        body=body,
        accept=accept,
    )


def get(url: str, headers: Mapping[str, str] = JSON) -> Outgoing:
    return Outgoing("GET", SERVER + url, headers)


def problem(
    operation: HttpOperation, arguments: Mapping[str, Any], server: str = SERVER
) -> tuple[str | None, str]:
    with pytest.raises(RequestProblem) as caught:
        build(operation, arguments, server)
    return caught.value.argument, caught.value.outcome
