"""`toolmint.lock`: the manifest of a generated package, committed beside it.

JSON, one line a file, a tool or a loss, so that merges and diffs stay readable. It holds
no absolute path and no secret, and says the same on every machine.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from .visible import visible_json

NAME = "toolmint.lock"

_MARKER = re.compile(r"^(<{7}|={7}|>{7}|\|{7})", re.MULTILINE)
_FILE_LINE = re.compile(r'^ {4}("(?:[^"\\]|\\.)*"): "([0-9a-f]{64})",?$', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything a lock says, in the order it says it."""

    version: str  # of the generator
    compatibility: int  # of the runtime the package needs
    source: str  # a file's name or an address without secrets
    digest: str  # of the source's bytes
    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    # ^ files that the source refers to, and overlays → digest of their bytes
    settings: Mapping[str, Any]
    operations: int  # in the description
    files: Mapping[str, str]  # path → text, the lock itself not among them
    tools: Mapping[str, Mapping[str, Any]]
    lists: Mapping[str, Sequence[Mapping[str, Any]]] = field(
        default_factory=dict[str, Sequence[Mapping[str, Any]]]
    )  # lossy, left_out, trimmed


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What an old lock tells about the files on disk.

    A lock with merge markers knows two hashes of a file that both sides changed.
    """

    version: str | None
    digest: str | None
    files: Mapping[str, frozenset[str]]
    merged: bool = False  # it has merge markers and must be rebuilt


class LockError(ValueError):
    """The text is not a lock."""


def hash_text(text: str) -> str:
    """SHA-256 of a text whose line ends are `\\n`, whatever a checkout made of them."""
    return sha256(normalise(text).encode("utf-8")).hexdigest()


def normalise(text: str) -> str:
    """The text with `\\n` for every line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def render(manifest: Manifest) -> str:
    """The lock's text. The same manifest gives the same bytes."""
    files = {path: hash_text(manifest.files[path]) for path in sorted(manifest.files)}
    tools = {name: manifest.tools[name] for name in sorted(manifest.tools)}
    sections = [
        _line("toolmint", manifest.version),
        _line("compatibility", manifest.compatibility),
        _line("source", _source(manifest)),
        _object("settings", manifest.settings),
        _line("operations", manifest.operations),
        _object("files", files),
        _object("tools", tools),
        *(_array(name, entries) for name, entries in manifest.lists.items()),
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _source(manifest: Manifest) -> dict[str, Any]:
    parts = {"files": dict(manifest.parts)} if manifest.parts else {}
    return {"name": manifest.source, "digest": manifest.digest, **parts}


def read(text: str) -> Known:
    """What a lock's text says of files.

    Raises LockError for a text that is no lock, or names a file outside its folder.
    """
    text = normalise(text)
    if _MARKER.search(text):
        return _read_merged(text)
    try:
        data = json.loads(text)
        known = Known(
            version=str(data["toolmint"]),
            digest=str(data["source"]["digest"]),
            files={path: frozenset([str(value)]) for path, value in data["files"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LockError("it is not the JSON that toolmint writes") from error
    return _checked(known)


def _read_merged(text: str) -> Known:
    files: dict[str, frozenset[str]] = {}
    for quoted, value in _FILE_LINE.findall(text):
        path = json.loads(quoted)
        files[path] = files.get(path, frozenset()) | {value}
    return _checked(Known(version=None, digest=None, files=files, merged=True))


def _checked(known: Known) -> Known:
    for path in known.files:
        if not is_inside(path):
            raise LockError(f"it names a file outside the package: {path!r}")
    return known


def is_inside(path: str) -> bool:
    """Whether a path of a package stays in its folder on every system."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not (
        path.startswith("/") or ".." in parts or "\\" in path or ":" in path or "\0" in path
    )


def _object(name: str, entries: Mapping[str, Any]) -> str:
    if not entries:
        return _line(name, {})
    lines = ",\n".join(f"    {_dump(key)}: {_dump(value)}" for key, value in entries.items())
    return f"  {_dump(name)}: {{\n{lines}\n  }}"


def _array(name: str, entries: Sequence[Mapping[str, Any]]) -> str:
    if not entries:
        return _line(name, [])
    lines = ",\n".join(f"    {_dump(entry)}" for entry in entries)
    return f"  {_dump(name)}: [\n{lines}\n  ]"


def _line(name: str, value: object) -> str:
    return f"  {_dump(name)}: {_dump(value)}"


def _dump(value: object) -> str:
    return visible_json(value)
