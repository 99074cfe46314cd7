"""Lowers a schema to the subset of strict modes, so that all it takes can still be sent.

A strict mode only lets the model write what the schema says. So a schema is lowered where every
value that it takes has a counterpart that the lowered one takes, and is refused otherwise.
What only narrows (a longest length, a default) may go: it is told in the description, and the
full schema is checked in any case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..shown.closure import Node, is_node, target
from ..wire.values import is_array, is_object
from .alike import Alike
from .composed import merged
from .export import Changes, Undo
from .facts import ANNOTATIONS, is_map, kinds, nullable, takes_null, told, typed_as, without_demands
from .undo import Branch, branches, entries, items, members

CLOSED = "only the members that are described can be sent"
TOLD = "keywords that strict mode does not take are told in the description"
LEFT_OUT = "optional arguments are asked for, and null leaves them out"
ENTRIES = "a map is sent as a list of keys and values"
ONE_OF = "oneOf is sent as anyOf"
MERGED = "allOf is merged"
BARE = "what stands beside a $ref is left out"
DEMANDS = "which members are needed together is left out"
REMARKS = "examples and other remarks are left out"
ONE_VALUE = "const is sent as an enum of one"
TYPED = "the type beside alternatives is told in each of them"


class CannotBeStrict(Exception):
    """A schema takes what no strict schema can say; `pointer` is where."""

    def __init__(self, pointer: str, reason: str) -> None:
        super().__init__(reason)
        self.pointer = pointer
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What one provider's strict mode takes beside types, members, items, anyOf and $defs."""

    narrowing: frozenset[str]
    formats: frozenset[str]
    optional: bool  # members may be left out of `required`
    recursion: bool
    least_items: int | None = None  # the largest `minItems` taken


def lower(
    schema: Node, rules: Rules, tool: str, changes: Changes
) -> tuple[dict[str, Any], Undo | None]:
    """The strict schema, and how to undo it. Raises `CannotBeStrict`."""
    return _Lowering(schema.get("$defs", {}), rules, tool, changes).whole(schema)


def is_remark(keyword: str) -> bool:
    """Whether a keyword says nothing of which values are taken, nor is told to a model."""
    return keyword in _TALKING or keyword.startswith("x-")


_TALKING_WORDS = """
$comment deprecated discriminator example examples externalDocs readOnly writeOnly xml
"""
_TALKING = frozenset(_TALKING_WORDS.split())
_TOLD_WORDS = """
contentEncoding contentMediaType default dependentRequired exclusiveMaximum exclusiveMinimum format
maxItems maxLength maxProperties maximum minItems minLength minProperties minimum multipleOf not
pattern propertyNames uniqueItems
"""
_TOLD = frozenset(_TOLD_WORDS.split())
_STRUCTURE = frozenset(
    ("additionalProperties", "anyOf", "const", "enum", "items", "properties", "required", "type")
)
# Neither assertions nor references nor long counts, which grammars cannot hold.
_PLAIN_PATTERN = re.compile(
    r"(?:[^\\({]|\\[dwsDWS./^$*+?()\[\]{}|\\-]|\((?!\?)|\{\d{0,2}(?:,\d{0,2})?\})*"
)


class _Lowering:
    def __init__(
        self, definitions: Mapping[str, Any], rules: Rules, tool: str, changes: Changes
    ) -> None:
        self._definitions = definitions
        self._rules = rules
        self._tool = tool
        self._changes = changes
        self._lowered: dict[str, dict[str, Any]] = {}
        self._undo: dict[str, Undo | None] = {}
        self._open: dict[str, int] = {}  # the definitions being lowered → how deep they began
        self._level = 0  # members and items above the schema at hand

    def whole(self, schema: Node) -> tuple[dict[str, Any], Undo | None]:
        root, undo = self._schema({k: v for k, v in schema.items() if k != "$defs"}, "")
        if self._lowered:
            root["$defs"] = dict(sorted(self._lowered.items()))
        return root, undo

    def _note(self, text: str, pointer: str) -> None:
        self._changes.add(self._tool, text, pointer)

    def _schema(self, node: Any, pointer: str) -> tuple[dict[str, Any], Undo | None]:
        if not is_node(node):
            raise CannotBeStrict(pointer, "takes any value" if node is True else "takes nothing")
        name = target(node)
        if name is not None:
            return self._reference(name, node, pointer)
        if "allOf" in node:
            whole = merged(node, self._definitions)
            if whole is None:
                raise CannotBeStrict(pointer, "combines schemas by allOf")
            self._note(MERGED, pointer)
            node = whole
        if "oneOf" in node and "anyOf" not in node:
            self._note(ONE_OF, pointer)
            node = {("anyOf" if key == "oneOf" else key): value for key, value in node.items()}
        if (plainer := without_demands(node)) is not node:
            self._note(DEMANDS, pointer)
            node = plainer
        self._refuse_unknown(node, pointer)
        if any(is_remark(keyword) for keyword in node):
            self._note(REMARKS, pointer)
        if "anyOf" in node:
            return self._alternatives(node, pointer)
        return self._typed(node, pointer)

    def _below(self, node: Any, pointer: str) -> tuple[dict[str, Any], Undo | None]:
        """`_schema` of what lies inside a value."""
        self._level += 1
        lowered = self._schema(node, pointer)
        self._level -= 1
        return lowered

    def _refuse_unknown(self, node: Node, pointer: str) -> None:
        known = _STRUCTURE | ANNOTATIONS | _TOLD
        for keyword in node:
            if keyword not in known and not is_remark(keyword):
                raise CannotBeStrict(pointer, f"says {keyword}")

    def _reference(self, name: str, node: Node, pointer: str) -> tuple[dict[str, Any], Undo | None]:
        beside = set(node) - {"$ref"}
        if beside - ANNOTATIONS - _TALKING - {"default"}:
            raise CannotBeStrict(pointer, "says more beside a $ref")
        if beside:
            self._note(BARE, pointer)
        if name in self._open and not self._rules.recursion:
            raise CannotBeStrict(pointer, "is recursive")
        if self._open.get(name) == self._level:
            raise CannotBeStrict(pointer, "refers to itself and to nothing inside")
        if name not in self._lowered and name not in self._open:
            if name not in self._definitions:
                raise CannotBeStrict(pointer, f"refers to {name}, which is not there")
            self._open[name] = self._level
            place = f"/$defs/{_escaped(name)}"
            self._lowered[name], self._undo[name] = self._schema(self._definitions[name], place)
            del self._open[name]
        reference = {"$ref": f"#/$defs/{name}"}
        if name in self._open:  # what it will need is known later
            return reference, lambda value: (self._undo.get(name) or _same)(value)
        return reference, self._undo[name]

    def _alternatives(self, node: Node, pointer: str) -> tuple[dict[str, Any], Undo | None]:
        beside = set(node) - {"anyOf"} - ANNOTATIONS - _TALKING - {"default", "type"}
        if beside:
            raise CannotBeStrict(pointer, "has alternatives beside other keywords")
        if "type" in node:
            self._note(TYPED, pointer)
        lowered: list[dict[str, Any]] = []
        found: list[Branch] = []
        for index, child in enumerate(node["anyOf"]):
            shown, undo = self._schema(typed_as(child, node), f"{pointer}/anyOf/{index}")
            lowered.append(shown)
            found.append(Branch(shown, undo))
        self._require_apart(node, found, pointer)
        definitions = self._lowered
        kept = {"anyOf": lowered, **self._described(node, ("default",), pointer)}
        return kept, branches(found, definitions)

    def _require_apart(self, node: Node, found: list[Branch], pointer: str) -> None:
        compared = Alike(self._definitions, optional=self._rules.optional)
        choices = [typed_as(child, node) for child in node["anyOf"]]
        for (one, a), (other, b) in combinations(zip(choices, found, strict=True), 2):
            if (a.undo or b.undo) and compared.alike(one, other):
                raise CannotBeStrict(pointer, "has alternatives that would be sent alike")

    def _typed(self, node: Node, pointer: str) -> tuple[dict[str, Any], Undo | None]:
        types = kinds(node)
        if not types:
            raise CannotBeStrict(pointer, "has no type")
        shown: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
        undo: Undo | None = None
        if "object" in types and "array" in types:
            raise CannotBeStrict(pointer, "is an object or an array")
        if "object" in types:
            if is_map(node):
                return self._map(node, types, pointer)
            undo = self._object(node, shown, pointer)
        elif "array" in types:
            undo = self._array(node, shown, pointer)
        self._choices(node, shown, pointer)
        dropped = [key for key in _TOLD if key in node and not self._narrows(node, key, shown)]
        shown.update(self._described(node, dropped, pointer))
        return shown, undo

    def _narrows(self, node: Node, keyword: str, shown: dict[str, Any]) -> bool:
        """Keep a keyword that only narrows, where the provider takes it."""
        value, rules = node[keyword], self._rules
        kept = keyword in rules.narrowing
        if keyword == "format":
            kept = value in rules.formats
        elif keyword == "pattern":
            kept = kept and bool(_PLAIN_PATTERN.fullmatch(value))
        elif keyword == "minItems" and rules.least_items is not None:
            kept = value <= rules.least_items
        if kept:
            shown[keyword] = value
        return kept

    def _described(
        self, node: Node, dropped: list[str] | tuple[str, ...], pointer: str
    ) -> dict[str, Any]:
        """Title and description, with what else was said of the value."""
        shown = {key: node[key] for key in ("title", "description") if key in node}
        notes = [note for key in sorted(dropped) if key in node and (note := told(node, key))]
        if notes:
            self._note(TOLD, pointer)
            text = str(node.get("description", "")).rstrip()
            shown["description"] = f"{text} ({'; '.join(notes)})".lstrip()
        return shown

    def _choices(self, node: Node, shown: dict[str, Any], pointer: str) -> None:
        if "const" in node:
            self._note(ONE_VALUE, pointer)
            shown["enum"] = [node["const"]]
        elif "enum" in node:
            shown["enum"] = list(node["enum"])
        if any(is_object(value) or is_array(value) for value in shown.get("enum", ())):
            raise CannotBeStrict(pointer, "has objects or arrays among its values")

    def _array(self, node: Node, shown: dict[str, Any], pointer: str) -> Undo | None:
        if "items" not in node:
            raise CannotBeStrict(pointer, "does not say what its items are")
        shown["items"], undo = self._below(node["items"], f"{pointer}/items")
        return None if undo is None else items(undo)

    def _object(self, node: Node, shown: dict[str, Any], pointer: str) -> Undo | None:
        if node.get("additionalProperties", False) is not False:
            raise CannotBeStrict(pointer, "takes other members than those described")
        properties: Mapping[str, Any] = node.get("properties", {})
        required = set(node.get("required", ()))
        if required - set(properties):
            raise CannotBeStrict(pointer, "requires what it does not describe")
        if "additionalProperties" not in node:
            if pointer and not properties:  # it was cut, or never described
                raise CannotBeStrict(pointer, "does not say what its members are")
            self._note(CLOSED, pointer)
        below: dict[str, Undo] = {}
        left_out: set[str] = set()
        shown["properties"] = {}
        for name, child in properties.items():
            place = f"{pointer}/properties/{_escaped(name)}"
            lowered, undo = self._below(child, place)
            if name not in required and not self._rules.optional:
                self._refuse_null(child, place)
                self._note(LEFT_OUT, place)
                left_out.add(name)
                lowered = nullable(lowered)
            if undo is not None:
                below[name] = undo
            shown["properties"][name] = lowered
        shown["required"] = [n for n in properties if n in required or n in left_out]
        shown["additionalProperties"] = False
        return members(below, frozenset(left_out)) if below or left_out else None

    def _refuse_null(self, child: Any, pointer: str) -> None:
        if takes_null(child, self._definitions):
            raise CannotBeStrict(pointer, "may be left out and may be null: two different things")

    def _map(
        self, node: Node, types: list[str], pointer: str
    ) -> tuple[dict[str, Any], Undo | None]:
        place = f"{pointer}/additionalProperties"
        value, undo = self._below(node["additionalProperties"], place)
        self._note(ENTRIES, pointer)
        entry = {
            "type": "object",
            "properties": {"key": {"type": "string"}, "value": value},
            "required": ["key", "value"],
            "additionalProperties": False,
        }
        kept = ["array" if kind == "object" else kind for kind in types]
        shown = {"type": kept[0] if len(kept) == 1 else kept, "items": entry}
        dropped = [key for key in _TOLD if key in node]
        return {**shown, **self._described(node, dropped, pointer)}, entries(undo)


def _same(value: Any) -> Any:
    return value


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
