"""What the reader of a keyword is: it takes the keyword's value and adds what it means."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from ...model.nodes import Schema
from ...plain import kind
from ...pointers import Place
from .findings import Findings

Out: TypeAlias = dict[str, Any]


class Reader(Protocol):
    """What these readers ask of the one that reads whole schemas."""

    findings: Findings

    def read(self, schema: Any, place: Place) -> Schema: ...
    def read_parts(self, schema: Mapping[str, Any], parts: Any, place: Place) -> list[Schema]: ...
    def refer(self, reference: Any, place: Place) -> Out: ...
    def repaired(self, keyword: str, value: Any, place: Place, out: Out) -> None: ...
    def pattern(self, pattern: str, place: Place) -> str | None: ...
    def hides(self, member: Any, place: Place) -> bool: ...
    def hidden(self, schema: Mapping[str, Any], place: Place) -> frozenset[str]: ...


Structure: TypeAlias = Callable[[Reader, Mapping[str, Any], Any, Place, Out], None]
"""Reads one keyword of a schema at a place, and adds to what was read of the schema so far."""


def drop(reader: Reader, keyword: str, value: Any, place: Place) -> None:
    """Tell of a value that the keyword cannot have."""
    if value is not None:
        reader.findings.lose((place, keyword), f"`{keyword}` is {kind(value)}; it is dropped")
