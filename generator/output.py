"""The two ends of the line: the files of a package written to disk, or compared with it.

Nothing is half-written: new text is staged beside the package and moved into place file
by file, the lock last. What the old lock does not know is not ours and stays untouched.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from .diagnostics import Report
from .errors import InputError, one_line
from .lock import NAME, Known, LockError, hash_text, is_inside, normalise, read

DriftKind: TypeAlias = Literal["missing", "changed", "edited", "stale"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """A compiled package: path below its folder → text, the lock among them."""

    files: dict[str, str]
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What `write` did; all empty when the disk already held the package."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    merged: bool = False  # the old lock had merge markers and was rebuilt
    overwritten: tuple[str, ...] = ()  # by force: what nobody can generate again


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A file that is not what the generator would write."""

    path: str
    kind: DriftKind

    def __str__(self) -> str:
        return f"{self.path}: {_MEANING[self.kind]}"


_MEANING: dict[DriftKind, str] = {
    "missing": "is not there",
    "changed": "would be written differently",
    "edited": "was edited by hand",
    "stale": "is no longer generated",
}


class EditedError(Exception):
    """Files on disk hold what nobody could generate again; `paths` names them."""

    def __init__(self, folder: Path, paths: Iterable[str], why: str) -> None:
        self.folder = folder
        self.paths = tuple(paths)
        names = ", ".join((folder / path).as_posix() for path in self.paths)
        super().__init__(
            one_line(f"{names}: {why}; nothing was written. Use --force to overwrite.")
        )


def write(files: Files, folder: str | Path, *, force: bool = False) -> Written:
    """Make the folder hold the package; touch no file that already does.

    Raises EditedError when that would destroy a hand edit or a file that is not ours,
    unless `force`; InputError when the folder cannot be written.
    """
    folder = Path(folder)
    known = _known(folder, force=force)
    disk = _on_disk(folder, {*files.files, *known.files})
    if not force:
        _refuse_strangers(folder, files, known, disk)
    destroyed = sorted({*_edits(files, known, disk), *_foreign(files, known, disk)})
    changed = sorted(
        (path for path, text in files.files.items() if not _same(disk.get(path), text)),
        key=lambda path: (path == NAME, path),
    )
    stale = sorted(path for path in known.files if path in disk and path not in files.files)
    with _one_line_for_the_disk(folder):
        _refuse_closed(folder, changed, stale)
        _publish({path: files.files[path] for path in changed}, folder)
        _remove(stale, folder)
    return Written(
        written=tuple(changed),
        removed=tuple(stale),
        merged=known.merged,
        overwritten=tuple(destroyed),
    )


def check(files: Files, folder: str | Path) -> tuple[Drift, ...]:
    """Every file whose text differs from what `write` would leave, sorted by path."""
    folder = Path(folder)
    known = _known(folder, force=True)
    disk = _on_disk(folder, {*files.files, *known.files})
    drifts = [
        Drift(path=path, kind=_kind(path, known, disk))
        for path, text in files.files.items()
        if not _same(disk.get(path), text)
    ]
    drifts += [
        Drift(path=path, kind="stale")
        for path in known.files
        if path in disk and path not in files.files
    ]
    return tuple(sorted(drifts, key=lambda drift: drift.path))


def locked(folder: str | Path) -> Known:
    """What the folder's lock knows; nothing without a readable one."""
    return _known(Path(folder), force=True)


def missing_py_typed(folder: str | Path) -> Path | None:
    """The `py.typed` that type checkers look for when the folder is nested in a package."""
    top = Path(folder).resolve()
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    marker = top / "py.typed"
    return None if top == Path(folder).resolve() or marker.exists() else marker


# ── what is on disk ─────────────────────────────────────────────────────────────────


def _known(folder: Path, *, force: bool) -> Known:
    lock = folder / NAME
    nothing = Known(version=None, digest=None, files={})
    try:
        return read(lock.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return nothing
    except (LockError, UnicodeDecodeError) as error:
        if force:
            return nothing
        raise InputError(f"{lock}: {error}. Restore it, or rebuild it with --force.") from error
    except OSError as error:
        raise InputError(f"{lock}: cannot be read: {error.strerror}.") from error


def _on_disk(folder: Path, paths: Iterable[str]) -> dict[str, str]:
    """The text of each path that exists; a file that is no text reads as an empty one."""
    found: dict[str, str] = {}
    for path in paths:
        try:
            found[path] = (folder / path).read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except UnicodeDecodeError:
            found[path] = "\0"  # equal to no generated text
        except OSError as error:
            raise InputError(f"{folder / path}: cannot be read: {error.strerror}.") from error
    return found


def _same(disk: str | None, text: str) -> bool:
    return disk is not None and normalise(disk) == text


def _kind(path: str, known: Known, disk: dict[str, str]) -> DriftKind:
    if path not in disk:
        return "missing"
    return "edited" if _edited(path, known, disk) else "changed"


def _edited(path: str, known: Known, disk: dict[str, str]) -> bool:
    """Whether a file of ours holds what the lock never saw."""
    return path in known.files and path in disk and hash_text(disk[path]) not in known.files[path]


# ── what must not be destroyed ──────────────────────────────────────────────────────


def _refuse_strangers(folder: Path, files: Files, known: Known, disk: dict[str, str]) -> None:
    """Stop before a hand edit, or a file that the lock does not know, would be lost."""
    if edited := _edits(files, known, disk):
        # Git may have merged two generated texts: nobody can tell that from a hand edit.
        why = "neither side of the merge generated this" if known.merged else _BY_HAND
        raise EditedError(folder, sorted(edited), why)
    if foreign := _foreign(files, known, disk):
        raise EditedError(folder, sorted(foreign), "not generated by toolmint")
    if not (folder / NAME).exists() and (strangers := _strangers(folder, files)):
        raise EditedError(
            folder, strangers[:3], "the folder has no toolmint.lock and holds other files"
        )


_BY_HAND = "edited by hand since it was generated"


def _edits(files: Files, known: Known, disk: dict[str, str]) -> list[str]:
    """Files of ours that hold something else than was generated, or is now."""
    return [path for path in _threatened(files, disk) if _edited(path, known, disk)]


def _foreign(files: Files, known: Known, disk: dict[str, str]) -> list[str]:
    """Files that the lock does not know, where the package now has one."""
    return [path for path in _threatened(files, disk) if path not in known.files and path != NAME]


def _threatened(files: Files, disk: dict[str, str]) -> list[str]:
    return [path for path in disk if not _same(disk[path], files.files.get(path, "\0"))]


def _strangers(folder: Path, files: Files) -> list[str]:
    if not folder.is_dir():
        return []
    ours = {path.split("/")[0] for path in files.files} | {"__pycache__"}
    return sorted(
        entry.name
        for entry in folder.iterdir()
        if entry.name not in ours and not entry.name.startswith(".")
    )


# ── publishing ──────────────────────────────────────────────────────────────────────


_STAGE = ".toolmint-"  # begins the name of a folder that is gone when a command ends


@contextmanager
def _one_line_for_the_disk(folder: Path) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        place = error.filename or folder
        if isinstance(error, FileExistsError | NotADirectoryError):
            raise InputError(f"{place}: is no folder. Choose another one with -o.") from error
        place = folder if _STAGE in str(place) else place
        raise InputError(f"{place}: cannot be written: {error.strerror}.") from error


def _publish(texts: dict[str, str], folder: Path) -> None:
    """Stage every text beside the folder, then move each into place in the given order."""
    if not texts:
        return
    _refuse_escapes(texts, folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with staged(texts, folder.parent) as stage:
        for path in texts:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        for path in texts:
            os.replace(stage / path, folder / path)


@contextmanager
def staged(texts: dict[str, str], beside: Path) -> Generator[Path, None, None]:
    """A temporary folder in `beside` that holds the texts; it is gone afterwards."""
    stage = Path(tempfile.mkdtemp(prefix=_STAGE, dir=beside))
    try:
        for path, text in texts.items():
            target = stage / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8", newline="\n")
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _refuse_closed(folder: Path, *lists: Iterable[str]) -> None:
    """A folder that takes no files must be known before the first file is moved."""
    for parent in sorted({(folder / path).parent for paths in lists for path in paths}):
        if parent.is_dir() and not os.access(parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(parent))


def _refuse_escapes(paths: Iterable[str], folder: Path) -> None:
    """A link inside the folder must not lead our writing out of it."""
    root = folder.resolve()
    for path in paths:
        if not is_inside(path) or not (folder / path).parent.resolve().is_relative_to(root):
            raise InputError(f"{folder / path}: leads out of the package; remove the link.")


def _remove(paths: Iterable[str], folder: Path) -> None:
    _refuse_escapes(paths, folder)
    for path in paths:
        (folder / path).unlink()
        for parent in list((folder / path).relative_to(folder).parents)[:-1]:
            if not any((folder / parent).iterdir()):
                (folder / parent).rmdir()
