"""The one rule for what a model is shown of an input schema.

The full schema validates; the advertised one is the full one minus the committed cuts.
Cuts only ever loosen it, so whatever the full schema takes can still be sent.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .closure import LISTED, NAMED, SINGLE, Definitions, Node, target
from .sentences import brief

ANNOTATIONS = frozenset(
    ("$comment", "default", "deprecated", "description", "example", "examples", "externalDocs")
    + ("readOnly", "title", "writeOnly", "xml")
)
"""Keywords that a cut may take away without changing what is valid; so is every `x-…`."""
TRIMMED = "Cut short: call describe_type for the rest."
_DISTRUSTED = ("else", "if", "maxContains", "not", "then", "unevaluatedItems")
_DISTRUSTED += ("unevaluatedProperties",)
# ^ they refuse what a schema matches, so a schema below them must not grow wider


def advertise(full: Node, cuts: Sequence[str] = ()) -> dict[str, Any]:
    """A closed schema (`$defs` inside) without what `cuts` point to; `full` stays as it is.

    Each cut is a JSON pointer (RFC 6901) into `full`, and means by what it ends at:

    - a schema: it becomes open, keeps its type, and says that `describe_type` explains it;
    - `description` of a schema: its first sentence stays; a second cut takes that too;
    - another annotation, or `enum`: it goes.

    One that leads nowhere changes nothing. Members that an optional body needs together
    (`dependentRequired`) are asked for. Definitions that nothing needs any more go.
    """
    editor = _Editor(asked(full))
    for pointer in cuts:
        editor.cut(pointer)
    return _reachable(relaxed(editor.root) if editor.opened else editor.root)


def asked(schema: Node) -> dict[str, Any]:
    """A schema whose flattened optional body is asked for: `dependentRequired` → `required`."""
    asking = dict(schema)
    together = asking.pop("dependentRequired", None)
    if together:
        names = [*schema.get("required", ()), *(n for group in together.values() for n in group)]
        asking["required"] = list(dict.fromkeys(names))
    return asking


def stub(node: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """What stands for a schema that was cut: open, but of its type, and briefly described."""
    opened: dict[str, Any] = {}
    kinds = _types(node, definitions, frozenset())
    if kinds:
        opened["type"] = kinds[0] if len(kinds) == 1 else kinds
    if "array" in kinds:
        opened["items"] = {}  # some providers refuse an array that does not say it
    known = brief(_description(node, definitions))
    opened["description"] = f"{known} {TRIMMED}" if known else TRIMMED
    return opened


def relaxed(node: Any) -> Any:
    """A schema without what may fail because a schema inside it became open.

    Alternatives may then overlap (`oneOf` is read as `anyOf`), and what says when *not*
    to match cannot be trusted.
    """
    if not isinstance(node, Mapping):
        return node
    loose: dict[str, Any] = {}
    for keyword, value in node.items():
        if keyword in _DISTRUSTED:
            continue
        if keyword in NAMED:
            loose[keyword] = {name: relaxed(child) for name, child in value.items()}
        elif keyword in LISTED:
            loose[keyword] = [relaxed(child) for child in value]
        else:
            loose[keyword] = relaxed(value) if keyword in SINGLE else value
    return _overlapping(loose)


def split(pointer: str) -> list[str]:
    """The unescaped tokens of a JSON pointer."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def join(tokens: Sequence[str]) -> str:
    """The JSON pointer of unescaped tokens."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


class _Editor:
    """Cuts a schema, copying only what lies on the way to a cut."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self.opened = False
        self._definitions: Mapping[str, Any] = root.get("$defs", {})
        self._copied: dict[int, Any] = {id(root): root}

    def cut(self, pointer: str) -> None:
        tokens = split(pointer)
        places = list(_places(tokens))
        if not tokens or "data" in places[:-1] or not self._leads_somewhere(tokens):
            return
        holder: Any = self.root
        for token in tokens[:-1]:
            holder = self._own(holder, token)
        self._apply(holder, tokens[-1], places[-1])

    def _leads_somewhere(self, tokens: Sequence[str]) -> bool:
        node: Any = self.root
        for token in tokens:
            if isinstance(node, Mapping) and token in node:
                node = node[token]
            elif isinstance(node, list) and token.isdigit() and int(token) < len(node):
                node = node[int(token)]
            else:
                return False
        return True

    def _own(self, holder: Any, token: str) -> Any:
        """The container at `token`, copied the first time it is entered."""
        key = int(token) if isinstance(holder, list) else token
        child = holder[key]
        if id(child) not in self._copied:
            child = list(child) if isinstance(child, list) else dict(child)
            holder[key] = self._copied[id(child)] = child
        return child

    def _apply(self, holder: Any, token: str, place: str) -> None:
        key = int(token) if isinstance(holder, list) else token
        if place == "schema":
            holder[key] = stub(holder[key], self._definitions)
            self.opened = True
        elif place == "data":
            self._remove(holder, token)

    def _remove(self, node: dict[str, Any], keyword: str) -> None:
        if keyword == "description" and (short := brief(node[keyword])) != node[keyword]:
            node[keyword] = short
        elif keyword in ANNOTATIONS or keyword.startswith("x-"):
            del node[keyword]
        elif keyword == "enum":
            del node[keyword]
            self.opened = True


def _places(tokens: Sequence[str]) -> Iterator[str]:
    """What stands at each token of a pointer: a schema, a collection of schemas, or data."""
    place = "schema"
    for token in tokens:
        if place == "collection":
            place = "schema"
        elif place == "schema" and token in NAMED | LISTED:
            place = "collection"
        elif place != "schema" or token not in SINGLE:
            place = "data"
        yield place


def _types(node: Any, definitions: Mapping[str, Any], seen: frozenset[str]) -> list[str]:
    """The JSON types a schema takes; empty when that cannot be told."""
    if not isinstance(node, Mapping):
        return []
    kinds = node.get("type")
    if kinds:
        return [kinds] if isinstance(kinds, str) else list(kinds)
    name = target(node)
    if name is not None and name not in seen:
        return _types(definitions.get(name), definitions, seen | {name})
    if "properties" in node:
        return ["object"]
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = [_types(child, definitions, seen) for child in node.get(keyword, ())]
        if keyword == "allOf":
            branches = [branch for branch in branches if branch][:1]
        if branches and all(branches):
            return list(dict.fromkeys(kind for branch in branches for kind in branch))
    return []


def _description(node: Any, definitions: Mapping[str, Any]) -> str:
    for _ in range(8):  # a chain of references may be a ring
        if not isinstance(node, Mapping):
            break
        text = node.get("description")
        if isinstance(text, str):
            return text
        name = target(node)
        node = definitions.get(name) if name is not None else None
    return ""


def _overlapping(node: dict[str, Any]) -> dict[str, Any]:
    alternatives = node.pop("oneOf", None)
    if alternatives is None:
        return node
    if "anyOf" not in node:
        return {**node, "anyOf": alternatives}
    return {**node, "allOf": [*node.get("allOf", ()), {"anyOf": alternatives}]}


def _reachable(schema: dict[str, Any]) -> dict[str, Any]:
    definitions: Mapping[str, Any] | None = schema.pop("$defs", None)
    return Definitions(definitions).close(schema) if definitions else schema
