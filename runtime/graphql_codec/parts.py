"""Answers that come in parts: `multipart/mixed` of `@defer` and `@stream`, put together."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..wire.json_reader import read_json
from ..wire.response import ResponseProblem
from ..wire.values import is_array, is_object

_MOST = 10_000  # parts of one answer


def payloads(body: bytes, boundary: str) -> Iterator[Any]:
    """The JSON of each part. Raises ResponseProblem for a part that is none.

    A boundary counts at the start of a line only (RFC 2046, 5.1.1): most servers take `-`,
    which any text may hold.
    """
    mark = re.escape(b"--" + boundary.encode("utf-8", "replace"))
    blocks = re.split(rb"(?:\A|\r?\n)" + mark + rb"(?=--|[ \t]*\r?\n|[ \t]*\Z)", body)
    for number, block in enumerate(blocks[1:]):
        if block.startswith(b"--") or number == _MOST:
            return
        head, found, content = block.partition(b"\r\n\r\n")
        if not found:
            head, found, content = block.partition(b"\n\n")
        text = content.strip() if found else head.strip()
        if not text:
            continue
        try:
            yield read_json(text)
        except ValueError as error:
            raise ResponseProblem(f"part {number + 1} of the answer is not JSON: {error}") from None


def merged(parts: Iterable[Any]) -> dict[str, Any]:
    """The first payload with all that followed put in its place.

    Both forms in use are read: patches with a `path`, and patches with the `id` of a
    `pending` announcement.
    """
    whole: dict[str, Any] = {}
    pending: dict[str, list[Any]] = {}
    for part in parts:
        if not is_object(part):
            continue
        # Apollo wraps the payloads of subscriptions.
        payload = part["payload"] if is_object(part.get("payload")) else part
        for announced in _list(payload.get("pending")):
            pending[str(announced.get("id"))] = list(announced.get("path") or ())
        if "data" in payload and "path" not in payload and "data" not in whole:
            whole["data"] = payload["data"]
        for patch in (*_list(payload.get("incremental")), *_own_patch(payload)):
            path = patch.get("path")
            if path is None:
                path = [*pending.get(str(patch.get("id")), ()), *(patch.get("subPath") or ())]
            _apply(whole, path, patch)
            _add_errors(whole, patch)
        _add_errors(whole, {} if "path" in payload else payload)
        for done in _list(payload.get("completed")):
            _add_errors(whole, done)
        if is_object(payload.get("extensions")):
            whole["extensions"] = {**whole.get("extensions", {}), **payload["extensions"]}
    return whole


def _own_patch(payload: Any) -> Sequence[Any]:
    return [payload] if "path" in payload else []


def _list(value: Any) -> list[Any]:
    return [one for one in value if is_object(one)] if is_array(value) else []


def _apply(whole: dict[str, Any], path: Sequence[Any], patch: Any) -> None:
    """Put one patch where it belongs; one that fits nowhere is left out."""
    items = patch.get("items")
    steps = list(path)
    if is_array(items) and steps and isinstance(steps[-1], int):
        steps.pop()  # the older form says where the first item goes
    place: Any = whole.get("data")
    for step in steps:
        try:
            place = place[step]
        except (KeyError, IndexError, TypeError):
            return
    if is_array(items) and is_array(place):
        _extend(place, items)
    elif is_object(place) and is_object(patch.get("data")):
        _deepen(place, patch["data"])


def _extend(place: Any, items: Sequence[Any]) -> None:
    place.extend(items)


def _deepen(place: Any, patch: Any) -> None:
    for name, value in patch.items():
        known = place.get(name)
        if is_object(known) and is_object(value):
            _deepen(known, value)
        else:
            place[name] = value


def _add_errors(whole: dict[str, Any], payload: Any) -> None:
    errors = _list(payload.get("errors"))
    if errors:
        whole["errors"] = [*whole.get("errors", []), *errors]
