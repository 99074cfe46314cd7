"""Documents as graphql-core parses and judges them, and what it has against them in our words."""

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import graphql as core
from graphql.language import ast


class SchemaError(Exception):
    """A text that is no schema, with the line it fails at where that is known."""

    def __init__(self, text: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(text)
        self.file = file
        self.line = line


@dataclass(frozen=True, slots=True)
class Fault:
    """What graphql-core has against a schema or a document, and where."""

    text: str
    file: str | None
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of SDL or of operation documents, and the file it came from."""

    file: str
    body: str


STRICTLY: dict[str, Any] = {
    name: False
    for name in ("allow_empty_selection_sets",)  # later versions take `{ }`, servers do not
    if name in signature(core.parse).parameters
}
_TOGETHER = 64  # documents judged at once; one that is faulty makes each be judged alone


class Core:
    """A schema as graphql-core holds it: it judges documents."""

    def __init__(self, schema: core.GraphQLSchema) -> None:
        self._schema = schema
        self._valid: set[str] = set()

    def judge_together(self, documents: Sequence[str]) -> None:
        """Judge many documents at a time, which takes half as long; `faults` then knows the valid.

        They must hold no named fragments, and operations that all have different names: what
        else graphql-core asks of a document, it asks of each operation by itself.
        """
        for start in range(0, len(documents), _TOGETHER):
            texts = documents[start : start + _TOGETHER]
            try:
                whole = core.concat_ast([_unplaced(text) for text in texts])
            except core.GraphQLError:
                continue
            if not core.validate(self._schema, whole):
                self._valid.update(texts)

    def faults(self, document: str) -> list[Fault]:
        """What makes a document invalid against the schema; empty for a valid one."""
        if document in self._valid:
            return []
        try:
            # Places are only worth their time where there is something to tell of them.
            if not core.validate(self._schema, _unplaced(document)):
                return []
            return self.faults_of(core.parse(document, **STRICTLY))
        except core.GraphQLError as error:
            return [fault_of(error)]

    def faults_of(self, parsed: ast.DocumentNode) -> list[Fault]:
        """The same for a document that was parsed."""
        return [fault_of(error) for error in core.validate(self._schema, parsed)]


def _unplaced(document: str) -> ast.DocumentNode:
    """A document's syntax tree without places. Raises GraphQLError."""
    return core.parse(document, no_location=True, **STRICTLY)


def parsed(text: Text) -> ast.DocumentNode:
    """A document's syntax tree. Raises SchemaError."""
    try:
        return core.parse(core.Source(text.body, text.file), **STRICTLY)
    except core.GraphQLError as error:
        raise unreadable(error) from None
    except RecursionError:
        raise SchemaError("is nested too deeply to be a schema", text.file) from None


def unreadable(error: core.GraphQLError) -> SchemaError:
    """What could not be parsed, or built."""
    fault = fault_of(error)
    return SchemaError(fault.text, fault.file, fault.lines[0] if fault.lines else None)


def fault_of(error: core.GraphQLError) -> Fault:
    """An error as a fault, with the lines of what it is about."""
    places = {node.loc.start_token.line: None for node in error.nodes or () if node.loc}
    lines = tuple(places) or tuple(place.line for place in error.locations or ())
    return Fault(error.message.rstrip("."), error.source.name if error.source else None, lines)


# ── a schema of our own ─────────────────────────────────────────────────────────────
