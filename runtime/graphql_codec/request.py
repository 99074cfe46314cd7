"""From a document and valid arguments to the exact request: a pure function, nothing sent."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...auth.request import Outgoing
from ..arguments import Encoding, argument_name
from ..operation import GraphQLOperation
from ..package import GraphQL
from ..wire.multipart import parts, write_multipart
from ..wire.percent import encode
from ..wire.refusal import RequestProblem, blaming
from ..wire.values import json_text, utf8
from .uploads import taken_out

ACCEPT = "application/graphql-response+json, application/json;q=0.9"
_INCREMENTAL = f"multipart/mixed;deferSpec=20220824, multipart/mixed, {ACCEPT}"
_LONGEST_URL = 8000
# A server that guards against forged form posts asks for a header no form can send.
_NOT_A_FORM = {"Apollo-Require-Preflight": "true", "GraphQL-Require-Preflight": "1"}


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a call, and how it is sent."""

    text: str
    known: bool = True  # the server may know it by its hash
    with_text: bool = False  # the server said that it does not
    chosen: bool = False  # the caller chose its fields with `_fields`
    dropped: frozenset[str] = frozenset()  # the tool's variables that it has no use for
    less: frozenset[str] = frozenset()  # why it asks for less than it did at first

    @property
    def sha256(self) -> str:
        """The hash by which a server knows it."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def build(
    operation: GraphQLOperation,
    arguments: Mapping[str, Any],
    server: str,
    document: Document,
    settings: GraphQL,
) -> Outgoing:
    """The request that these validated arguments make at an endpoint.

    Raises RequestProblem for an argument that is unknown or holds no file where it should.
    """
    variables = {
        name: value
        for name, value in variables_of(operation, arguments).items()
        if name not in document.dropped
    }
    question = _question(operation, document, settings)
    files, variables = taken_out(operation.uploads, variables)
    headers = {"Accept": _accept(operation, document)}
    asked = _asked(question, variables)
    if files:
        places = {str(number): [f"variables.{one.place}"] for number, one in enumerate(files)}
        operations = {**question, "variables": variables}
        written = [*parts("operations", operations, Encoding()), *parts("map", places, Encoding())]
        for number, one in enumerate(files):
            with blaming(one.argument, one.pointer):
                written += parts(str(number), one.value, Encoding(binary=True))
        kind, body = write_multipart(written, "multipart/form-data", None)
        return Outgoing("POST", server, {**headers, **_NOT_A_FORM, "Content-Type": kind}, body)
    if settings.get and operation.kind == "query":
        url = _url(server, {**question, "variables": _text(variables)} if variables else question)
        if len(url) <= _LONGEST_URL:
            return Outgoing("GET", url, {**headers, **_NOT_A_FORM})
    return Outgoing("POST", server, {**headers, "Content-Type": "application/json"}, utf8(asked))


def variables_of(operation: GraphQLOperation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The variables as the document calls them: what is absent stays so, null is null."""
    rows = {argument_name(row): row for row in operation.arguments}
    for name in arguments:
        if name not in rows:
            raise RequestProblem(name, f"{operation.name} has no such argument")
    variables = {rows[name].name: value for name, value in arguments.items()}
    for row in operation.arguments:
        other = arguments.get(row.gives_way_to) if row.gives_way_to else None
        if other is not None and argument_name(row) not in arguments:
            variables[row.name] = None  # or the document's default would stand beside it
    return variables


def _question(operation: GraphQLOperation, document: Document, settings: GraphQL) -> dict[str, Any]:
    question: dict[str, Any] = {"operationName": operation.called}
    by_hash = settings.persisted != "no" and document.known
    if settings.persisted == "trusted" and not document.known:
        raise RequestProblem(None, "only committed documents may be sent (persisted = trusted)")
    if not by_hash or document.with_text:
        question["query"] = document.text
    if by_hash:
        stored = {"version": 1, "sha256Hash": document.sha256}
        question["extensions"] = {"persistedQuery": stored}
    return question


def _asked(question: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    """The question as JSON, its variables last."""
    text = json_text(question)
    return f'{text[:-1]},"variables":{_text(variables)}}}' if variables else text


def _text(variables: Mapping[str, Any]) -> str:
    """The variables as JSON; one that is no JSON is blamed by its name."""
    members: list[str] = []
    for name, value in variables.items():
        with blaming(name):
            members.append(f"{json_text(name)}:{json_text(value)}")
    return f"{{{','.join(members)}}}"


def _url(server: str, question: Mapping[str, Any]) -> str:
    pairs = [
        f"{name}={encode(value if isinstance(value, str) else json_text(value))}"
        for name, value in question.items()
    ]
    return f"{server}{'&' if '?' in server else '?'}{'&'.join(pairs)}"


def _accept(operation: GraphQLOperation, document: Document) -> str:
    if operation.kind == "subscription":
        return "text/event-stream"
    return _INCREMENTAL if "@defer" in document.text or "@stream" in document.text else ACCEPT
