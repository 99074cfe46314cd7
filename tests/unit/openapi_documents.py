"""Small OpenAPI documents for the tests of lowering."""

from textwrap import dedent, indent
from typing import Any

from toolmint.generator.load import Document, parse
from toolmint.generator.model.api import Api, Operation
from toolmint.generator.model.arguments import Argument, Parameter
from toolmint.generator.model.calls import Body, HttpCall
from toolmint.generator.sources.openapi import LowerOptions, lower


def document(text: str, *, version: str = "3.1.0", address: str | None = None) -> Document:
    """A document of this version with a server; `text` is the rest of it, in YAML."""
    head = f"openapi: {version}\ninfo: {{title: T, version: '1'}}\n"
    body = dedent(text)
    if "servers:" not in body:
        head += "servers: [{url: https://api.example/v1}]\n"
    return parse((head + body).encode(), file="api.yaml", address=address)


def lowered(
    text: str,
    *,
    version: str = "3.1.0",
    address: str | None = None,
    options: LowerOptions | None = None,
) -> Api:
    """The Api of such a document."""
    return lower(document(text, version=version, address=address), options)


def operation(text: str, *, version: str = "3.1.0") -> Operation:
    """The only operation of such a document."""
    [only] = lowered(text, version=version).operations
    return only


def body_of(schema: str, *, media_type: str = "application/json", required: bool = True) -> str:
    """A document whose one operation sends a body with this schema."""
    return (
        "paths:\n  /things:\n    post:\n      requestBody:\n"
        f"        required: {str(required).lower()}\n        content:\n"
        f"          {media_type}:\n            schema:\n{indent(dedent(schema), ' ' * 14)}\n"
    )


def schema_of(schema: str, *, components: str = "", version: str = "3.1.0") -> Any:
    """How the schema of a query parameter is read."""
    only = operation(
        "paths:\n  /things:\n    get:\n      parameters:\n"
        "        - name: value\n          in: query\n          schema:\n"
        f"{indent(dedent(schema), ' ' * 12)}\n{dedent(components)}",
        version=version,
    )
    return only.arguments[0].schema


def http(only: Operation) -> HttpCall:
    """How an operation travels."""
    assert isinstance(only.call, HttpCall)
    return only.call


def body(only: Operation) -> Body:
    """The body of an operation that has one."""
    found = http(only).body
    assert found is not None
    return found


def rows(only: Operation) -> list[tuple[str, str, str, bool]]:
    """The argument table: name, place, wire name, whether required."""
    return [(one.name, *_carried(one), one.required) for one in only.arguments]


def _carried(argument: Argument) -> tuple[str, str]:
    carrier = argument.carrier
    if isinstance(carrier, Parameter):
        return carrier.place, carrier.name
    return "body", getattr(carrier, "name", "")


def told(api: Api) -> list[tuple[str, str, str]]:
    """Every loss: operation, pointer, what."""
    return [(loss.operation, loss.location.pointer, loss.what) for loss in api.losses]
