"""Tools made at run time of a document that a person wrote, held against the committed schema."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..arguments import Input
from ..edge.projection import Path
from ..operation import GraphQLOperation, Operation
from ..schemas import own
from ..tool import Runner, Tool
from ..validation import Problem, Validator
from .called import called, fields, gravest, label, strictest
from .fieldmap import FieldMap
from .nodes import Body, DocumentNode, FieldNode, OperationNode
from .request import Document
from .syntax import GraphQLSyntaxError, parse
from .types import input_schema
from .uploads import places
from .validate import InvalidDocument, check

_STEP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Committed:
    """What documents are held against: the package's tools, field map and input types."""

    tools: Sequence[Tool]
    fields: FieldMap
    definitions: Mapping[str, Any]
    run: Runner  # runs the calls of what is made


class DocumentTool(Tool):
    """A tool that exists for this process only; everything about it is in its document."""

    def __init__(
        self, like: Tool, operation: GraphQLOperation, text: str, schema: Any, run: Runner
    ) -> None:
        self._become(like, operation.name, run)
        self._text = text
        self._made = operation
        self._schema: dict[str, Any] = schema

    @property
    def description(self) -> str:
        """The comment above the document, or what it calls."""
        return _comment(self._text) or ", ".join(self._made.roots)

    @property
    def input_schema(self) -> dict[str, Any]:
        """What its variables take."""
        schema: dict[str, Any] = own(self._schema)
        return schema

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """The same: nobody cut it to a budget."""
        schema: dict[str, Any] = own(self._schema)
        return schema

    @property
    def output_schema(self) -> None:
        """None is made for a document of this moment."""
        return None

    @cached_property
    def trimmed(self) -> tuple[str, ...]:
        """Nothing is."""
        return ()

    @cached_property
    def offers(self) -> tuple[str, ...]:
        """Nothing: its fields were chosen when it was written."""
        return ()

    @cached_property
    def operation(self) -> Operation:
        """How a call of it travels."""
        return self._made

    @cached_property
    def document(self) -> str:
        """The text, as it was written."""
        return self._text

    def document_for(self, paths: Sequence[Path]) -> Document:
        """The text; no server can know it by its hash."""
        return Document(self._text, known=False)

    def problems(self, arguments: object) -> list[Problem]:
        """What keeps variables from fitting."""
        return self._validator.problems(arguments)

    def result_problems(self, data: object) -> list[Problem]:
        """None: nothing is described."""
        return []

    @cached_property
    def _validator(self) -> Validator:
        return Validator(self._schema)


def tools_of(text: str, committed: Committed, prefix: str) -> Iterator[DocumentTool]:
    """A tool for each operation of a document.

    Raises ValueError for a text that is no document, and for one that the schema has no fields
    for or that calls a root field without a tool.
    """
    try:
        document = parse(text)
        if not document.operations:
            raise InvalidDocument("it holds no operation")
        used: set[str] = set()
        for node in document.operations:
            used |= check(document, node, committed.fields)
            yield _tool(text, document, node, committed, prefix)
        if unused := sorted(document.fragments.keys() - used):
            raise InvalidDocument(f"fragment {unused[0]} is not used")
    except (GraphQLSyntaxError, InvalidDocument) as error:
        raise ValueError(f"the document cannot be sent: {error}") from None


def _tool(
    text: str, document: DocumentNode, node: OperationNode, committed: Committed, prefix: str
) -> DocumentTool:
    like = called(document, node, committed.tools)
    if not like:
        raise InvalidDocument(f"{node.name} asks for nothing")
    schema = input_schema(node.variables, committed.fields, committed.definitions)
    roots = (label(node.kind, one.name) for one in fields(document, node.body))
    operation = GraphQLOperation(
        name=_name(node, prefix),
        kind=node.kind,
        called=node.name or "",
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        root=_single(node.body),
        roots=tuple(dict.fromkeys(roots)),
        arguments=tuple(Input(one.name, one.type) for one in node.variables),
        uploads=tuple(places(schema)),
        by_hand=True,
        effects=gravest([tool.effects for tool in like]),
        gate=strictest([tool.gate for tool in like]),
        tags=tuple(like[0].tags[:1]),
        operation_id=node.name,
    )
    return DocumentTool(like[0], operation, text, schema, committed.run)


def _name(node: OperationNode, prefix: str) -> str:
    words = [word.lower() for word in _STEP.split(node.name or "") if word]
    name = prefix + "_".join(words)
    if not _NAME.fullmatch(name):
        raise InvalidDocument(f"{node.name!r} names no tool")
    return name


def _single(body: Body) -> str:
    fields = [one for one in body.selections if isinstance(one, FieldNode) and not one.directives]
    return fields[0].key if len(fields) == len(body.selections) == 1 else ""


def _comment(text: str) -> str:
    """The comment lines that the text opens with."""
    lines = [line.strip() for line in text.strip().split("\n")]
    said = [line[1:].strip() for line in lines[: _length(lines)]]
    return "\n".join(said).strip()


def _length(lines: Sequence[str]) -> int:
    return next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
