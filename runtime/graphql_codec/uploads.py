"""Files among the variables of a call, as the GraphQL multipart request has them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..wire.refusal import pointer_to
from ..wire.values import is_array, is_object

_FILE = "data_base64"  # the member that only a file has


@dataclass(frozen=True, slots=True)
class Upload:
    """One file: where it stands (`input.files.0`), and the value given for it."""

    place: str
    value: Any

    @property
    def argument(self) -> str:
        """The variable that holds it."""
        return self.place.partition(".")[0]

    @property
    def pointer(self) -> str:
        """The pointer to it in the arguments."""
        return pointer_to(*self.place.split("."))


def taken_out(
    paths: Sequence[str], variables: Mapping[str, Any]
) -> tuple[list[Upload], dict[str, Any]]:
    """The files at these paths, and the variables with null in their places."""
    kept = dict(variables)
    found: list[Upload] = []
    for path in paths:
        name, *rest = path.split(".")
        if name in kept:
            files = list(_files(kept[name], rest, name))
            found += files
            if files:
                kept[name] = _emptied(kept[name], rest)
    return found, kept


def places(schema: Mapping[str, Any]) -> Iterator[str]:
    """Where the input schema of a tool has files: `input.file`, `files.*`."""
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    holders = _holders(definitions)
    for name, below in schema.get("properties", {}).items():
        yield from _places(below, name, definitions, holders)


def _places(
    schema: Any, place: str, definitions: Mapping[str, Any], holders: frozenset[str]
) -> Iterator[str]:
    """The files below a schema; only types that hold some are followed, and none inside itself."""
    if not is_object(schema):
        return
    name = _referred(schema)
    if name in holders:
        yield from _places(definitions[name], place, definitions, holders - {name})
    for branch in schema.get("anyOf", ()):
        yield from _places(branch, place, definitions, holders)
    if "items" in schema:
        yield from _places(schema["items"], f"{place}.*", definitions, holders)
    members: Mapping[str, Any] = schema.get("properties", {})
    if _FILE in members:
        yield place
        return
    for member, below in members.items():
        yield from _places(below, f"{place}.{member}", definitions, holders)


def _holders(definitions: Mapping[str, Any]) -> frozenset[str]:
    """The types with a file somewhere below."""
    parts = {name: list(_parts(one)) for name, one in definitions.items()}
    found = {
        name
        for name, those in parts.items()
        if any(_FILE in p.get("properties", ()) for p in those)
    }
    while more := {
        name
        for name, those in parts.items()
        if name not in found and any(_referred(part) in found for part in those)
    }:
        found |= more
    return frozenset(found)


def _parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """A schema and every one inside it."""
    if is_object(schema):
        yield schema
        inner = (*schema.get("anyOf", ()), *schema.get("properties", {}).values())
        for one in (*inner, schema.get("items")):
            yield from _parts(one)


def _referred(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).removeprefix("#/$defs/")


def _files(value: Any, path: Sequence[str], place: str) -> Iterator[Upload]:
    if value is None:
        return
    if not path:
        yield Upload(place, value)
    elif path[0] == "*" and is_array(value):
        for number, item in enumerate(value):
            yield from _files(item, path[1:], f"{place}.{number}")
    elif is_object(value) and path[0] in value:
        yield from _files(value[path[0]], path[1:], f"{place}.{path[0]}")


def _emptied(value: Any, path: Sequence[str]) -> Any:
    if value is None or not path:
        return None
    if path[0] == "*" and is_array(value):
        return [_emptied(item, path[1:]) for item in value]
    if is_object(value) and path[0] in value:
        return {**value, path[0]: _emptied(value[path[0]], path[1:])}
    return value
