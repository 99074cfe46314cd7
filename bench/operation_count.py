"""How many operations a description has, counted without toolmint.

Only what one file says: path items are followed through local references.
"""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

_METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace"))


class _Loader(yaml.CSafeLoader):
    """Every scalar as text: the keys of paths are all that counts here."""


_Loader.yaml_implicit_resolvers = {}


def count(source: Path) -> int:
    """Operations under `paths`; a path item that leads nowhere counts as one."""
    text = source.read_text("utf-8-sig")
    opens = text.lstrip()[:1]
    data: Any = json.loads(text) if opens == "{" else yaml.load(text, _Loader)
    version = str(data.get("openapi", "2.0"))
    return sum(
        _operations(item, data, version)
        for path, item in data.get("paths", {}).items()
        if not path.startswith("x-")
    )


def _operations(item: Any, root: Any, version: str, depth: int = 0) -> int:
    if not isinstance(item, dict) or depth > 20:
        return 1
    methods = _METHODS | {"query"} if version >= "3.2" else _METHODS
    own = {key for key in item if key in methods}
    more = item.get("additionalOperations", {}) if version >= "3.2" else {}
    if isinstance(item.get("$ref"), str):
        target = _at(root, item["$ref"])
        if target is None:
            return 1
        return _operations({**target, **{key: item[key] for key in own}}, root, version, depth + 1)
    return len(own) + len(more)


def _at(root: Any, reference: str) -> Any:
    if not reference.startswith("#/"):
        return None
    for token in reference[2:].split("/"):
        key = unquote(token).replace("~1", "/").replace("~0", "~")
        try:
            root = root[int(key)] if isinstance(root, list) else root[key]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return root if isinstance(root, dict) else None
