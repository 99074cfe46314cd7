"""Tools for Gemini: function declarations whose parameters are a JSON Schema.

Source: `FunctionDeclaration` of the API reference; the keywords are those that it lists as
supported where it takes a JSON Schema. There is no strict mode to ask for tool by tool. What is
left out only widens a schema, is told in its description where it is short, and is checked in
any case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..shown.closure import Node, is_node, target
from .composed import merged
from .export import Changes, Described, Export, Undo, then
from .facts import kinds, told, typed_as, without_demands
from .names import GEMINI_ARGUMENT, back, renamed, taken
from .root import as_object
from .strict import BARE, DEMANDS, MERGED, ONE_OF, ONE_VALUE, REMARKS, TYPED, is_remark

LEFT_OUT = "keywords that Gemini does not take are left out, and told where they are short"
WIDENED = "alternatives or combinations that Gemini cannot say are shown as anything of their type"
NOTHING = "what takes no value is shown as anything"
ITEMS = "items may be anything, which must be said"
NULL = "null among values is an alternative of its own"
UNROLLED = "a recursion that never ends is shown as any object"

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}")
_KEPT = frozenset(
    ("title", "description", "minItems", "maxItems", "minimum", "maximum", "propertyOrdering")
)
_FORMATS = frozenset(("date-time", "date", "time", "int32", "int64", "float", "double"))
_HANDLED = _KEPT | {
    "additionalProperties",
    "anyOf",
    "const",
    "enum",
    "format",
    "items",
    "prefixItems",
    "properties",
    "required",
    "type",
}


def export(tools: Sequence[Described]) -> Export:
    """The tools as the one element that `tools` of a request then has; none for no tools."""
    changes = Changes()
    sent = taken((tool.name for tool in tools), _NAME, 64)
    undo: dict[str, Undo] = {}
    declarations: list[dict[str, Any]] = []
    for tool in tools:
        if sent[tool.name] != tool.name:
            changes.add(tool.name, f"is called {sent[tool.name]}")
        schema, way_back = _parameters(tool, changes)
        if way_back is not None:
            undo[tool.name] = way_back
        declarations.append(
            {
                "name": sent[tool.name],
                "description": tool.description,
                "parametersJsonSchema": schema,
            }
        )
    payload = [{"functionDeclarations": declarations}] if declarations else []
    return Export(payload, changes.all(), sent, undo)


def _parameters(tool: Described, changes: Changes) -> tuple[dict[str, Any], Undo | None]:
    schema, unwrap = as_object(tool.advertised_schema)
    if unwrap is not None:
        changes.add(tool.name, "the whole input is one argument, since it is no plain object")
    lowered = _Lowering(schema.get("$defs", {}), tool.name, changes).whole(schema)
    shown, moved = renamed(lowered, GEMINI_ARGUMENT)
    for name, other in moved.items():
        changes.add(tool.name, f"the argument {name} is called {other}")
    return shown, then(back(moved), unwrap)


class _Lowering:
    def __init__(self, definitions: Mapping[str, Any], tool: str, changes: Changes) -> None:
        self._definitions = definitions
        self._tool = tool
        self._changes = changes
        self._lowered: dict[str, Any] = {}
        self._open: dict[str, int] = {}  # definition → optional members above it
        self._optional = 0  # optional members above the schema at hand

    def whole(self, schema: Node) -> dict[str, Any]:
        root = self._schema({key: schema[key] for key in schema if key != "$defs"}, "")
        if self._lowered:
            root["$defs"] = dict(sorted(self._lowered.items()))
        return root

    def _note(self, text: str, pointer: str) -> None:
        self._changes.add(self._tool, text, pointer)

    def _schema(self, node: Any, pointer: str) -> dict[str, Any]:
        if not is_node(node):
            if node is False:
                self._note(NOTHING, pointer)
            return {}
        name = target(node)
        if name is not None and name in self._definitions:
            return self._reference(name, node, pointer)
        node = self._combined(node, pointer)
        if "$ref" in node:
            return self._schema(node, pointer)
        shown = {key: node[key] for key in node if key in _KEPT}
        if "type" in node:
            shown["type"] = node["type"]
        if "anyOf" in node:
            shown["anyOf"] = [
                self._schema(typed_as(child, node), f"{pointer}/anyOf/{index}")
                for index, child in enumerate(node["anyOf"])
            ]
            if shown.pop("type", None) is not None:
                self._note(TYPED, pointer)
        else:
            self._below(node, shown, pointer)
        self._values(node, shown, pointer)
        self._tell(node, shown, pointer)
        return shown

    def _reference(self, name: str, node: Node, pointer: str) -> dict[str, Any]:
        if set(node) - {"$ref"}:
            self._note(BARE, pointer)
        if self._open.get(name) == self._optional:
            self._note(UNROLLED, pointer)
            return {"type": "object"}
        if name not in self._lowered and name not in self._open:
            self._open[name] = self._optional
            place = f"/$defs/{_escaped(name)}"
            self._lowered[name] = self._schema(self._definitions[name], place)
            del self._open[name]
        return {"$ref": f"#/$defs/{name}"}

    def _combined(self, node: Node, pointer: str) -> Node:
        """The schema with anyOf as the only combination, and that alone."""
        if "allOf" in node:
            whole = merged(node, self._definitions)
            self._note(WIDENED if whole is None else MERGED, pointer)
            node = _but(node, "allOf") if whole is None else whole
        if "oneOf" in node:
            self._note(ONE_OF, pointer)
            choices = node["oneOf"]
            node = _but(node, "oneOf")
            node = node if "anyOf" in node else {**node, "anyOf": choices}
        if (plainer := without_demands(node)) is not node:
            self._note(DEMANDS, pointer)
            node = plainer
        if "anyOf" in node and ("properties" in node or "items" in node):
            self._note(WIDENED, pointer)
            node = _but(node, "anyOf")
        return node

    def _below(self, node: Node, shown: dict[str, Any], pointer: str) -> None:
        required = set(node.get("required", ()))
        if "properties" in node:
            shown["properties"] = {}
            for name, child in node["properties"].items():
                self._optional += name not in required
                place = f"{pointer}/properties/{_escaped(name)}"
                shown["properties"][name] = self._schema(child, place)
                self._optional -= name not in required
        if required & set(node.get("properties", ())):
            shown["required"] = [name for name in node["required"] if name in shown["properties"]]
        if "items" in node:
            shown["items"] = self._schema(node["items"], f"{pointer}/items")
        elif "array" in kinds(node) and "prefixItems" not in node:
            self._note(ITEMS, pointer)
            shown["items"] = {}
        if "prefixItems" in node:
            shown["prefixItems"] = [
                self._schema(child, f"{pointer}/prefixItems/{index}")
                for index, child in enumerate(node["prefixItems"])
            ]
        others = node.get("additionalProperties")
        if is_node(others):
            shown["additionalProperties"] = self._schema(others, f"{pointer}/additionalProperties")
        elif others is not None and "patternProperties" not in node:
            shown["additionalProperties"] = others

    def _values(self, node: Node, shown: dict[str, Any], pointer: str) -> None:
        values = [node["const"]] if "const" in node else list(node.get("enum", ()))
        if values and "type" not in shown and (stated := kinds(node)):
            shown["type"] = stated[0] if len(stated) == 1 else stated
        kept = [value for value in values if value is not None]
        if not kept or any(type(value) not in (str, int, float) for value in kept):
            return
        if "const" in node:
            self._note(ONE_VALUE, pointer)
        if len(kept) == len(values):
            shown["enum"] = kept
            return
        self._note(NULL, pointer)
        types = [kind for kind in kinds(shown) if kind != "null"]
        del shown["type"]
        chosen = {"type": types[0] if len(types) == 1 else types, "enum": kept}
        shown["anyOf"] = [chosen, {"type": "null"}]

    def _tell(self, node: Node, shown: dict[str, Any], pointer: str) -> None:
        if node.get("format") in _FORMATS:
            shown["format"] = node["format"]
        if any(map(is_remark, node)):
            self._note(REMARKS, pointer)
        gone = [key for key in node if key not in _HANDLED and not is_remark(key)]
        gone += ["format"] if "format" in node and "format" not in shown else []
        if "enum" not in shown and "anyOf" not in shown:
            gone += [key for key in ("const", "enum") if key in node]
        if not gone:
            return
        self._note(LEFT_OUT, pointer)
        notes = [note for key in sorted(gone) if (note := told(node, key))]
        if notes:
            text = str(shown.get("description", "")).rstrip()
            shown["description"] = f"{text} ({'; '.join(notes)})".lstrip()


def _but(node: Node, keyword: str) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key != keyword}


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
