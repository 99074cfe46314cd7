"""A short digest for each side of a tool, so that a lock's diff shows what kind of change came.

Digests are of canonical JSON: the order of object keys never counts, and neither do fields of
the model that say the usual, so that a field which a newer toolmint adds changes no lock.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from .model.catalogue import Catalogue, Tool
from .model.nodes import Schema
from .plain import is_object


def fingerprints(catalogue: Catalogue) -> dict[str, dict[str, str]]:
    """Tool name → digest of its input, output, request, policy and text."""
    given = _Closures(catalogue.api.definitions.input)
    results = _Closures(catalogue.api.definitions.output)
    return {tool.name: _sides(catalogue, tool, given, results) for tool in catalogue.tools}


def _sides(
    catalogue: Catalogue, tool: Tool, given: "_Closures", results: "_Closures"
) -> dict[str, str]:
    operation, api = tool.operation, catalogue.api
    return {
        "input": given.digest(operation.input_schema),
        "output": results.digest(operation.output_schema),
        "request": digest(
            [
                operation.call,
                [(argument.name, argument.carrier) for argument in operation.arguments],
                api.servers,
                api.security if operation.security is None else operation.security,
                operation.credentials,
                operation.idempotency_key,
            ]
        ),
        "policy": digest(
            [
                [getattr(tool.effects, hint) for hint in _HINTS],
                tool.gate,
                tool.rate_limit or catalogue.rate_limit,
            ]
        ),
        "text": digest([tool.description, operation.tags, operation.deprecated]),
    }


_HINTS = ("read_only", "destructive", "idempotent", "open_world")


def digest(value: object) -> str:
    """Sixteen hex digits that stand for a value made of plain data and model nodes."""
    return _short(_text(value))


def _short(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _as_json(node: object) -> object:
    """What `json` does not write by itself: model nodes, and mappings that are no dict."""
    if is_dataclass(node) and not isinstance(node, type):
        told = ((name, usual, getattr(node, name)) for name, usual in _parts(node.__class__))
        return {name: value for name, usual, value in told if value != usual}
    if is_object(node):
        return dict(node)
    raise TypeError(f"no digest is made of {type(node).__name__}")


_text = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_as_json
).encode


@cache
def _parts(kind: Any) -> tuple[tuple[str, object], ...]:
    """The fields of a node, each with what it usually holds."""
    return tuple((part.name, _usual(part)) for part in fields(kind))


def _usual(part: Field[Any]) -> object:
    return part.default if part.default_factory is MISSING else part.default_factory()


class _Closures:
    """Digests of schemas together with the definitions they reach; each is read once."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._known: dict[str, tuple[str, frozenset[str]]] = {}
        self._beneath: dict[frozenset[str], str] = {}

    def digest(self, schema: Schema | None) -> str:
        text = _text(schema)
        return _short(f"[{text},{self._reached_text(_mentioned(text))}]")

    def _reached_text(self, names: frozenset[str]) -> str:
        """The digests of what these definitions reach, in JSON; many results name the same few."""
        if names not in self._beneath:
            reached = sorted(self._reached(names))
            self._beneath[names] = _text([(name, self._definition(name)[0]) for name in reached])
        return self._beneath[names]

    def _reached(self, names: Iterable[str]) -> set[str]:
        reached: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in reached and name in self._definitions:
                reached.add(name)
                waiting.extend(self._definition(name)[1])
        return reached

    def _definition(self, name: str) -> tuple[str, frozenset[str]]:
        if name not in self._known:
            text = _text(self._definitions[name])
            self._known[name] = _short(text), _mentioned(text)
        return self._known[name]


def _mentioned(text: str) -> frozenset[str]:
    """The definitions that a schema names, out of its JSON: to walk through it takes longer."""
    return frozenset(_REFERENCE.findall(text))


_REFERENCE = re.compile(r'"\$ref":"#/\$defs/([^"\\]+)"')
