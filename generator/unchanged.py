"""Tells from the lock alone that there is nothing to do: the same source, settings and files.

Reading and hashing takes a tenth of the time of compiling. Whatever is not certain here is
compiled: several files, GraphQL, anything lost, a lock of another version. `check` always is.
"""

import json
from pathlib import Path
from typing import Any

from ..runtime.version import VERSION
from . import lock
from .config import Config
from .diagnostics import Report, Trimmed
from .load import digest
from .plain import is_object


def unchanged(config: Config) -> tuple[Report, int] | None:
    """What became of the operations the last time and how many files, if nothing changed since."""
    if not _is_simple(config):
        return None
    folder = Path(config.output)
    try:
        written = json.loads((folder / lock.NAME).read_bytes())
        if _is_of(written, config) and _is_older_code(folder / lock.NAME):
            return _report(written, config) if _holds(folder, written["files"]) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # no lock, a broken one, or a source that cannot be read: compiling says which
    return None


def _is_simple(config: Config) -> bool:
    """Whether one local file and the settings decide everything."""
    settings = config.settings
    others = settings.overlays or settings.reference_folders or settings.graphql.operations
    odd = config.endpoint or config.strict or "?" in (config.document_url or "")
    return not (others or odd) and Path(config.source).is_file()


def _is_of(written: Any, config: Config) -> bool:
    source = {"name": config.label, "digest": digest(Path(config.source).read_bytes())}
    return (
        is_object(written)
        and written["toolmint"] == VERSION
        and written["source"] == source
        and written["settings"] == json.loads(json.dumps(config.decided))
        and not written["lossy"]
        and not written["left_out"]
    )


def _holds(folder: Path, files: dict[str, str]) -> bool:
    """Whether every file is what was generated."""
    return all(
        lock.is_inside(path) and lock.hash_text((folder / path).read_text("utf-8")) == known
        for path, known in files.items()
    )


def _is_older_code(written: Path) -> bool:
    """In a checkout of toolmint the version says nothing: no module may be newer than the lock."""
    root = Path(__file__).resolve().parents[1]
    if not (root / "hatch_build.py").exists():
        return True
    when = written.stat().st_mtime_ns
    return all(
        path.stat().st_mtime_ns < when
        for part in ("generator", "auth", "runtime", "templates")
        for path in (root / part).rglob("*")
        if path.suffix in (".py", ".jinja")
    )


def _report(written: Any, config: Config) -> tuple[Report, int]:
    report = Report(
        package=config.name,
        operations=written["operations"],
        tools=len(written["tools"]),
        trimmed=tuple(
            Trimmed(operation=cut["operation"], pointers=tuple(cut["pointers"]))
            for cut in written["trimmed"]
        ),
    )
    return report, len(written["files"]) + 1
