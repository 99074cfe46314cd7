"""Tokens in files that only their owner reads, for processes of one machine."""

import logging
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from ..errors import CredentialError
from . import Entry, Key, same_generation

log = logging.getLogger("toolmint.auth")


class FileStore:
    """One file a token (mode 0600, replaced in one step) in a folder of mode 0700.

    A lock file beside it makes processes renew one after another; the system frees it when its
    holder dies.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        try:
            self._folder = Path(folder).expanduser() if folder else default_folder()
        except RuntimeError as error:  # nobody of that name, or without a home
            raise CredentialError(f"there is no folder for tokens: {error}") from None

    def __repr__(self) -> str:
        return f"FileStore({str(self._folder)!r})"

    @contextmanager
    def lock(self, key: Key) -> Generator[None]:
        """See `Store`."""
        with self._locked(key, "renewing"):
            yield

    @contextmanager
    def writing(self, key: Key) -> Generator[None]:
        """Keep others from writing this key's entry meanwhile."""
        with self._locked(key, "writing"):
            yield

    def load(self, key: Key) -> Entry | None:
        """See `Store`."""
        path = self._path(key, "json")
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise _unusable(path, error) from None
        entry = Entry.parse(content.decode("utf-8", "replace"))
        if entry is None:
            log.warning("%s is damaged and counts as no token", path)
        return entry

    def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
        """See `Store`."""
        with self.writing(key):
            if not same_generation(self.load(key), expected):
                return False
            with self._usable():
                self._replace(key, entry.dump())
            return True

    def delete(self, key: Key, generation: int | None = None) -> bool:
        """See `Store`."""
        with self.writing(key):
            if generation is not None and not same_generation(self.load(key), generation):
                return False
            with self._usable(), suppress(FileNotFoundError):
                self._path(key, "json").unlink()
                return True
            return False

    def _path(self, key: Key, kind: str) -> Path:
        return self._folder / f"{key.digest()}.{kind}"

    def _replace(self, key: Key, text: str) -> None:
        with NamedTemporaryFile("w", dir=self._folder, delete=False, encoding="utf-8") as stream:
            try:  # the file is made with mode 0600
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
                os.replace(stream.name, self._path(key, "json"))
            except BaseException:
                os.unlink(stream.name)
                raise

    @contextmanager
    def _locked(self, key: Key, kind: str) -> Generator[None]:
        with self._usable():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._path(key, kind), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            with self._usable():
                _lock(descriptor)
            yield
        finally:
            _unlock(descriptor)

    @contextmanager
    def _usable(self) -> Generator[None]:
        """Say which folder it is when the system cannot do what is inside."""
        try:
            yield
        except (OSError, ValueError) as error:
            raise _unusable(self._folder, error) from None


def _unusable(path: Path, error: OSError | ValueError) -> CredentialError:
    reason = getattr(error, "strerror", None) or "it is no path"
    return CredentialError(
        f"tokens cannot be kept in {path}: {reason}. Give another store, or set "
        "TOOLMINT_TOKEN_STORE=memory"
    )


def default_folder() -> Path:
    """The user's own state folder (XDG; on Windows the local application data)."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "toolmint" / "tokens"
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "toolmint" / "tokens"


def _lock(descriptor: int) -> None:
    """Wait for the file's lock; the system frees it when its holder dies."""
    if sys.platform == "win32":
        import msvcrt
        from time import sleep

        while True:  # LK_LOCK gives up after ten seconds
            with suppress(OSError):
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
                return
            sleep(0.05)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _unlock(descriptor: int) -> None:
    """Free the lock and close the file: closing alone leaves it to a process forked meanwhile."""
    try:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)
