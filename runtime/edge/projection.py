"""`_fields`: dotted paths that choose the parts of a result a caller wants.

A path names members (`user.login`); it goes through arrays unseen (`labels.name` is the
name of every label), `*` is every key of a map, and a backslash keeps a dot in a name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from ..shown.ours import FIELDS
from ..validation import Problem, near_names
from ..wire.values import is_array, is_object

MOST_FIELDS = 200
LONGEST_PATH = 500
DEEPEST = 8  # only members in a row that are looked into

Path: TypeAlias = tuple[str, ...]
Tree: TypeAlias = dict[str, "Tree"]
"""The chosen members; an empty tree is everything below."""


def paths_of(fields: object) -> list[Path] | Problem:
    """The paths in a `_fields` argument, or what is wrong with it."""
    given = [fields] if isinstance(fields, str) else fields
    if not is_array(given) or not all(isinstance(field, str) for field in given):
        return _problem("must be a list of dotted paths")
    if len(given) > MOST_FIELDS or any(len(field) > LONGEST_PATH for field in given):
        return _problem(f"takes at most {MOST_FIELDS} paths of {LONGEST_PATH} characters")
    paths = [_split(field) for field in given]
    if any(not part for path in paths for part in path):
        return _problem("has an empty path, or one with an empty part")
    return paths


def check(paths: Sequence[Path], schema: Any) -> list[Problem]:
    """The paths that no result can have by its closed output schema, with near names.

    A schema that leaves an object open (a map, free-form JSON, no schema at all) allows any
    name there.
    """
    unknown = (_unknown(path, schema, schema) for path in paths)
    return [problem for problem in unknown if problem is not None]


def has_choice(schema: Any, root: Any) -> bool:
    """Whether paths tell parts of a described result apart: there are several, or any may be.

    `root` is the closed schema, or what holds the `$defs` that `schema` refers to.
    """
    places = [schema]
    for _ in range(DEEPEST):
        objects = [node for place in places for node in _objects(place, root)]
        names = {name for node in objects for name in _properties(node)}
        if len(names) > 1 or any(_takes_any_name(node) for node in objects):
            return True
        places = [member for node in objects for member in _properties(node).values()]
    return False


def project(data: Any, paths: Sequence[Path]) -> Any:
    """The chosen parts of `data`, each where it was; what is not there is left out."""
    tree: Tree = {}
    for path in sorted(paths, key=len):
        _plant(tree, path)
    return _chosen(data, tree) if tree else data


# ── paths ───────────────────────────────────────────────────────────────────────────

_PART = re.compile(r"((?:\\.|[^.\\])*)(?:\.|$)|(\\)$")


def _split(field: str) -> Path:
    parts: list[str] = []
    position = 0
    text = field.removeprefix("$.")
    while True:
        match = _PART.match(text, position)
        if match is None:
            return (*parts, "")
        parts.append(re.sub(r"\\(.)", r"\1", match[1] or ""))
        if not match[0].endswith(".") or match.end(1) == len(text):
            return tuple(part.removesuffix("[]") for part in parts)
        position = match.end()


def _plant(tree: Tree, path: Path) -> None:
    """Add a path, unless a shorter one already takes everything there."""
    for depth, part in enumerate(path):
        if part in tree and not tree[part]:
            return
        tree = tree.setdefault(part, {})
        if depth == len(path) - 1:
            tree.clear()


def _chosen(data: Any, tree: Tree) -> Any:
    if not tree:
        return data
    if is_array(data):
        return [_chosen(item, tree) for item in data]
    if not is_object(data):
        return data
    every = tree.get("*")
    kept: dict[str, Any] = {}
    for name, value in data.items():
        branch = tree.get(name, every)
        if branch is not None:
            kept[name] = _chosen(value, branch)
    return kept


# ── the schema ──────────────────────────────────────────────────────────────────────


def _unknown(path: Path, schema: Any, root: Any) -> Problem | None:
    """The first part of a path that its place does not have."""
    places = [schema]
    for depth, part in enumerate(path):
        objects = [node for place in places for node in _objects(place, root)]
        below = [inner for node in objects for inner in _members(node, part)]
        if not below:
            return _missing(path, depth, objects)
        places = below
    return None


def _objects(schema: Any, root: Any) -> Iterator[Mapping[str, Any]]:
    """Every schema that may describe the object at a place: through references, unions, arrays."""
    waiting: list[Any] = [schema]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node is True:
            yield {}
        if not is_object(node) or id(node) in seen:
            continue
        seen.add(id(node))
        inner = list(_inside(node, root))
        waiting.extend(inner)
        if not inner or "properties" in node or "additionalProperties" in node:
            yield node


def _inside(node: Mapping[str, Any], root: Any) -> Iterator[Any]:
    reference = node.get("$ref")
    if isinstance(reference, str):
        yield _referred(reference, root)
    for keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
        if is_array(node.get(keyword)):
            yield from node[keyword]
    for keyword in ("items", "then", "else"):
        if keyword in node:
            yield node[keyword]


def _referred(reference: str, root: Any) -> Any:
    """A schema of the closed document; one that is not there describes nothing."""
    place: Any = root
    if not reference.startswith("#"):
        return True
    for part in reference.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not is_object(place) or name not in place:
            return True
        place = place[name]
    return place


def _members(node: Mapping[str, Any], name: str) -> list[Any]:
    """The schemas of a member; none when the object cannot have it."""
    properties = _properties(node)
    if name == "*":
        return [*properties.values(), *_others(node)]
    if name in properties:
        return [properties[name]]
    return _others(node)


def _others(node: Mapping[str, Any]) -> list[Any]:
    """The schemas of members that are not named: of a map, or of an object left open."""
    patterns = node.get("patternProperties")
    others: list[Any] = list(cast("Mapping[str, Any]", patterns).values()) if patterns else []
    rest = node.get("additionalProperties", node.get("unevaluatedProperties"))
    if rest is None:
        types = node.get("type", "object")
        may_be_object = "object" in types if isinstance(types, list | str) else True
        rest = may_be_object and not _says_members(node) and not others
    return others if rest is False else [*others, rest]


def _takes_any_name(node: Mapping[str, Any]) -> bool:
    """Whether a schema describes an object, and leaves its members' names open."""
    return not _OF_OBJECTS.isdisjoint(node) and bool(_others(node))


_OF_OBJECTS = frozenset(
    ("type", "additionalProperties", "patternProperties", "unevaluatedProperties")
)


def _says_members(node: Mapping[str, Any]) -> bool:
    """Whether a schema says what an object there holds, so that other names are mistakes."""
    return bool({"properties", "enum", "const"} & node.keys())


def _properties(node: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = node.get("properties")
    return properties if is_object(properties) else {}


def _missing(path: Path, depth: int, objects: Sequence[Mapping[str, Any]]) -> Problem:
    known = sorted({name for node in objects for name in _properties(node)})
    shown = ".".join(path)[:LONGEST_PATH]
    where = f"in {'.'.join(path[:depth])}" if depth else "in the result"
    near = near_names(path[depth], known)
    if near:
        hint = f"; did you mean {' or '.join(near)}?"
    elif known:
        hint = f"; there are {', '.join(known[:12])}{', …' if len(known) > 12 else ''}"
    else:
        hint = ", which has no parts"
    return _problem(f"{shown}: there is no {path[depth]!r} {where}{hint}")


def _problem(reason: str) -> Problem:
    return Problem(f"/{FIELDS}", FIELDS, reason)
