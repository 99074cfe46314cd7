"""The one rule for what a model is shown of an input schema.

The full schema validates; the advertised one is the full one minus the committed cuts.
Cuts only ever loosen it, so whatever the full schema takes can still be sent.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from .closure import LISTED, NAMED, SINGLE, Definitions, Node, is_node, target
from .sentences import brief

ANNOTATIONS = frozenset(
    (
        "$comment",
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "externalDocs",
        "readOnly",
        "title",
        "writeOnly",
        "xml",
    )
)
"""Keywords that a cut may take away without changing what is valid; so is every `x-…`."""
WHOLE = "*"
"""Below a `description`: the cut leaves nothing of it."""
_FARTHEST = 20
"""How many steps inside a schema, and from one to the next, are looked at for what a stub says."""
TRIMMED = "Cut short: call describe_type for the rest."
_DISTRUSTED = frozenset(
    ("else", "if", "maxContains", "not", "then", "unevaluatedItems", "unevaluatedProperties")
)
# ^ they refuse what a schema matches, so a schema below them must not grow wider


def advertise(full: Node, cuts: Sequence[str] = ()) -> dict[str, Any]:
    """A closed schema (`$defs` inside) without what `cuts` point to; `full` stays as it is.

    Each cut is a JSON pointer (RFC 6901) into `full`, and means by what it ends at:

    - a schema: it becomes open, keeps its type, and says that `describe_type` explains it;
    - `description` of a schema: its first sentence stays; `description/*` takes that too;
    - another annotation, or `enum`: it goes.

    One that leads nowhere changes nothing. Members that an optional body needs together
    (`dependentRequired`) are asked for. Definitions that nothing needs any more go.
    """
    shown = asked(full)
    opened = False
    for pointer in cuts:
        tokens = split(pointer)
        with suppress(_Nowhere):
            shown = _cut(shown, tokens, "schema", full.get("$defs", {}))
            opened = opened or _opens(tokens)
    return _reachable(relaxed(shown) if opened else shown)


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
    kinds = _types(node, definitions, {})
    if kinds:
        opened["type"] = kinds[0] if len(kinds) == 1 else kinds
    if "array" in kinds:
        opened["items"] = {}  # some providers refuse an array that does not say it
    known = brief(_description(node, definitions))
    opened["description"] = f"{known} ({TRIMMED})" if known else TRIMMED
    return opened


def relaxed(node: Any) -> Any:
    """A schema without what may fail because a schema inside it became open.

    Alternatives may then overlap (`oneOf` is read as `anyOf`, or goes beside one), and what
    says when *not* to match cannot be trusted.
    """
    if not is_node(node):
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
    alternatives = loose.pop("oneOf", None)
    if alternatives is not None:
        loose.setdefault("anyOf", alternatives)
    return loose


def split(pointer: str) -> list[str]:
    """The unescaped tokens of a JSON pointer."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def join(tokens: Sequence[str]) -> str:
    """The JSON pointer of unescaped tokens."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


class _Nowhere(Exception):
    """A pointer leads to nothing that may be cut."""


def _cut(value: Any, tokens: Sequence[str], place: str, definitions: Mapping[str, Any]) -> Any:
    """The value without what stands at `tokens`; only what lies on the way is copied."""
    if not tokens:
        raise _Nowhere
    token, *rest = tokens
    key = _key(value, token)
    after = _step(place, token)
    if after == "data" and token == "description" and rest == [WHOLE]:
        return {name: one for name, one in value.items() if name != token}
    if rest and after != "data":
        return _with(value, key, _cut(value[key], rest, after, definitions))
    if after == "schema":
        return _with(value, key, stub(value[key], definitions))
    if after == "data" and not rest:
        return _without(value, token)
    raise _Nowhere


def _key(value: Any, token: str) -> Any:
    """How a container calls what a token names."""
    if is_node(value) and token in value:
        return token
    if isinstance(value, list | tuple) and token.isdecimal():
        index = int(token)
        if index < len(cast("Sequence[Any]", value)):
            return index
    raise _Nowhere


def _with(value: Any, key: Any, child: Any) -> Any:
    copied: Any = dict(value) if is_node(value) else list(value)
    copied[key] = child
    return copied


def _without(node: Node, keyword: str) -> dict[str, Any]:
    text = node[keyword]
    if keyword == "description" and (short := brief(text)) != text:
        return {**node, keyword: short}
    if keyword not in ANNOTATIONS and keyword != "enum" and not keyword.startswith("x-"):
        raise _Nowhere
    return {name: value for name, value in node.items() if name != keyword}


def _step(place: str, token: str) -> str:
    """What stands below a schema, a collection of schemas, or data, at a token."""
    if place == "collection":
        return "schema"
    if place == "schema" and token in NAMED | LISTED:
        return "collection"
    return "schema" if place == "schema" and token in SINGLE else "data"


def _opens(tokens: Sequence[str]) -> bool:
    """Whether a cut widens what is valid."""
    place = "schema"
    for token in tokens:
        place = _step(place, token)
    return place == "schema" or (place == "data" and tokens[-1] == "enum")


def _types(
    node: Any, definitions: Mapping[str, Any], known: dict[str, list[str]], depth: int = 0
) -> list[str]:
    """The JSON types a schema takes; empty when that cannot be told, or only far away.

    `known` are those of definitions that were asked for; none while they are looked at.
    """
    if not is_node(node) or depth > _FARTHEST:
        return []
    kinds = node.get("type")
    if kinds:
        return [kinds] if isinstance(kinds, str) else list(kinds)
    name = target(node)
    if name is not None:
        if name not in known:
            known[name] = []
            known[name] = _types(definitions.get(name), definitions, known, depth + 1)
        return known[name]
    if "properties" in node:
        return ["object"]
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = [_types(child, definitions, known, depth + 1) for child in node.get(keyword, ())]
        if keyword == "allOf":
            branches = [branch for branch in branches if branch][:1]
        if branches and all(branches):
            return list(dict.fromkeys(kind for branch in branches for kind in branch))
    return []


def _description(node: Any, definitions: Mapping[str, Any]) -> str:
    for _ in range(_FARTHEST):  # a chain of references may be a ring
        if not is_node(node):
            break
        text = node.get("description")
        if isinstance(text, str):
            return text
        name = target(node)
        node = definitions.get(name) if name is not None else None
    return ""


def _reachable(schema: dict[str, Any]) -> dict[str, Any]:
    definitions: Mapping[str, Any] | None = schema.pop("$defs", None)
    return Definitions(definitions).close(schema) if definitions else schema
