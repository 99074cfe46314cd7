"""Files among the variables of a call, as the GraphQL multipart request has them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..wire.refusal import pointer_to
from ..wire.values import is_array, is_object


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
