"""Schema Objects of OpenAPI 3.x read as JSON Schema 2020-12, for requests or for results."""

from collections.abc import Callable, Mapping
from typing import Any

from ...model.nodes import Schema
from ...plain import is_object, kind
from ...pointers import Place
from ...reading.foreign import shown, within
from ...schema_check import usable_pattern
from .definitions import PREFIX, Names
from .discriminators import tagged
from .findings import Findings
from .hiding import Direction, Hiding
from .keywords import DROP, FITS, repair
from .nullable import nullable
from .reached import Part
from .references import BrokenReference, References, Target
from .structure import Out
from .structures import RANK, STRUCTURES

_DEEPEST = 100
_NO_SCHEMAS = frozenset(
    (
        *("responses", "parameters", "examples", "requestBodies", "headers", "links"),
        *("securitySchemes", "callbacks", "pathItems", "mediaTypes"),
    )
)
_ANNOTATING = frozenset(
    (
        *("title", "description", "default", "example", "examples", "deprecated", "xml"),
        *("nullable", "readOnly", "writeOnly"),
    )
)
"""What counts beside a `$ref` in 3.0, where the standard says that nothing does."""


class SchemaReader:
    """Reads the schemas of one direction; what is referenced becomes a definition, read once.

    `siblings` says that keywords beside `$ref` count (3.1). Keys come out in one order,
    whatever order they had.
    """

    def __init__(
        self,
        references: References,
        names: Names,
        findings: Findings,
        direction: Direction,
        *,
        siblings: bool,
    ) -> None:
        self.findings = findings
        self._references = references
        self._names = names
        self._siblings = siblings
        self._direction: Direction = direction
        self._hiding = Hiding(references, direction)
        self._hidden_above: frozenset[str] = frozenset()
        self._depth = 0
        self._pending: dict[str, Target] = {}
        self._met: set[str] = set()
        self._definitions: dict[str, Schema] = {}
        self._defined: dict[str, str] = {}
        self._patterns: dict[str, str | None] = {}

    @property
    def modern(self) -> bool:
        """The document is of 3.1 or later, so its schemas are JSON Schema 2020-12."""
        return self._siblings

    def read(self, schema: Any, place: Place) -> Schema:
        """A schema of the document in the words of 2020-12; references become `#/$defs/…`."""
        if schema is True or schema is False:
            return schema
        if not is_object(schema):
            return self._no_schema(schema, place)
        if self._depth >= _DEEPEST:
            self.findings.lose(place, f"it is nested more than {_DEEPEST} deep; the rest is open")
            return {}
        self._depth += 1
        try:
            return self._referring(schema, place) if "$ref" in schema else self._own(schema, place)
        finally:
            self._depth -= 1

    def definition(self, name: str) -> Schema:
        """A definition by its name, read now if it was only referred to so far."""
        target = self._pending.pop(name, None)
        if target is not None:
            depth, self._depth = self._depth, 0
            above, self._hidden_above = self._hidden_above, frozenset()
            with self.findings.within(self._part(name)):
                self._definitions[name] = self.read(target.value, target.pointer)
            self._depth, self._hidden_above = depth, above
        return self._definitions.get(name, {})

    def vary(self, name: str, suffix: str, change: Callable[[Schema], Schema]) -> str:
        """The name of a changed copy of a definition, which may refer to itself."""
        varied = f"{name}.{suffix}"
        if varied not in self._definitions:
            self._definitions[varied] = {}
            self._definitions[varied] = change(self.definition(name))
        return varied

    def followed(self, schema: Schema) -> Schema:
        """The read schema itself, or the definition that it names and nothing else."""
        seen: set[str] = set()
        while is_object(schema) and len(schema) == 1:
            reference = schema.get("$ref")
            if not isinstance(reference, str) or reference in seen:
                break
            seen.add(reference)
            schema = self.definition(reference.removeprefix(PREFIX))
        return schema

    def definitions(self) -> dict[str, Schema]:
        """Every definition that was referred to, all read."""
        while self._pending:
            self.definition(next(iter(self._pending)))
        return self._definitions

    # ── for the readers of keywords ─────────────────────────────────────────────────

    def repaired(self, keyword: str, value: Any, place: Place, out: Out) -> None:
        """Set what can be made of a value that does not fit its keyword, and tell it."""
        done = repair(keyword, value)
        if done.value is not DROP:
            out[keyword] = done.value
        for key, carried in done.beside:
            out.setdefault(key, carried)
        if done.told:
            tell = self.findings.lose if done.lossy else self.findings.warn
            tell((place, keyword), done.told)

    def pattern(self, pattern: str, place: Place) -> str | None:
        """The pattern as the engine takes it, or None, with a loss."""
        if pattern not in self._patterns:
            self._patterns[pattern] = usable_pattern(pattern)
        usable = self._patterns[pattern]
        if usable is None:
            self.findings.lose(place, f"no engine takes the pattern {pattern!r}; it is dropped")
        return usable

    def hides(self, member: Any, place: Place) -> bool:
        """Whether a member does not travel in this direction."""
        return self._hiding.hides(member, place)

    def hidden(self, schema: Mapping[str, Any], place: Place) -> frozenset[str]:
        """Names of members that do not travel, here or in what this schema is a part of."""
        return self._hidden_above | self._hiding.names(schema, place)

    def read_parts(self, schema: Mapping[str, Any], parts: Any, place: Place) -> list[Schema]:
        """The branches of an `allOf`: what one of them hides no other may require."""
        above, self._hidden_above = self._hidden_above, self.hidden(schema, place)
        try:
            return [self.read(part, (place, index)) for index, part in enumerate(parts)]
        finally:
            self._hidden_above = above

    def refer(self, reference: Any, place: Place) -> Out:
        """A `$ref` to the definition of what is referenced; open, with a loss, if it is lost."""
        name = self._define(reference, place)
        return {} if name is None else {"$ref": PREFIX + name}

    # ── one schema ──────────────────────────────────────────────────────────────────

    def _no_schema(self, schema: Any, place: Place) -> Schema:
        if schema is None:
            self.findings.warn(place, "the schema is empty; any value is taken")
        else:
            self.findings.lose(place, f"the schema is {kind(schema)}; any value is taken")
        return {}

    def _referring(self, schema: Mapping[str, Any], place: Place) -> Schema:
        refers = self.refer(schema["$ref"], place)
        if len(schema) == 1:
            return refers
        beside = {
            key: value
            for key, value in schema.items()
            if key != "$ref" and (self._siblings or key in _ANNOTATING)
        }
        return self._own(beside, place, refers)

    def _own(self, schema: Mapping[str, Any], place: Place, start: Out | None = None) -> Out:
        """The keywords of a schema, each read by its kind, in one order."""
        out: Out = start or {}
        known = [keyword for keyword in schema if keyword in RANK]
        if len(known) > 1:
            known.sort(key=RANK.__getitem__)
        for keyword in known:
            value = schema[keyword]
            structure = STRUCTURES.get(keyword)
            if structure is not None:
                structure(self, schema, value, place, out)
            elif FITS[keyword](value):
                out[keyword] = value
            else:
                self.repaired(keyword, value, place, out)
        if "discriminator" in schema:
            out = tagged(self._references, schema, place, out)
        return nullable(out) if _is_nullable(schema) else out

    def _define(self, reference: Any, place: Place) -> str | None:
        if not isinstance(reference, str):
            self.findings.lose(place, f"`$ref` is {kind(reference)}; any value is taken")
            return None
        key = self._references.key(reference, place)
        name = self._defined.get(key)
        if name is not None:
            self.findings.reach(self._part(name))
            return name
        try:
            target = self._references.resolve(reference, place)
            _refuse_other_objects(target)
        except BrokenReference as problem:
            self.findings.lose(place, f"{problem}; any value is taken")
            return None
        name = self._names.name(target.pointer)
        self.findings.reach(self._part(name))
        if name not in self._met:
            self._met.add(name)
            self._pending[name] = target
        if self._references.is_settled(key):
            self._defined[key] = name
        return name

    def _part(self, name: str) -> Part:
        return self._direction, name


def _is_nullable(schema: Mapping[str, Any]) -> bool:
    """3.0's `nullable`, and `x-nullable`, which everybody writes in 2.0."""
    return schema.get("nullable") is True or schema.get("x-nullable") is True


def _refuse_other_objects(target: Target) -> None:
    """A schema cannot be a response: its words would be read as no keywords at all."""
    path = within(target.pointer)
    other = len(path) == 3 and path[0] == "components" and path[1] in _NO_SCHEMAS
    if other or not (is_object(target.value) or isinstance(target.value, bool)):
        raise BrokenReference(f"{shown(target.pointer)!r} is no schema")
