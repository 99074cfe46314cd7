"""Tokens in files that only their owner reads, for processes of one machine."""

import json
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
        self._folder = Path(folder).expanduser() if folder else default_folder()

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
        try:
            data = json.loads(self._path(key, "json").read_text("utf-8"))
            return Entry(data["generation"], data["text"])
        except FileNotFoundError:
            return None
        except OSError as error:
            path = self._path(key, "json")
            raise CredentialError(f"cannot read the token in {path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            log.warning("%s is damaged and counts as no token", self._path(key, "json"))
            return None

    def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
        """See `Store`."""
        with self.writing(key):
            if not same_generation(self.load(key), expected):
                return False
            self._replace(key, {"generation": entry.generation, "text": entry.text})
            return True

    def delete(self, key: Key, generation: int | None = None) -> bool:
        """See `Store`."""
        with self.writing(key):
            if generation is not None and not same_generation(self.load(key), generation):
                return False
            with suppress(FileNotFoundError):
                self._path(key, "json").unlink()
                return True
            return False

    def _path(self, key: Key, kind: str) -> Path:
        return self._folder / f"{key.digest()}.{kind}"

    def _replace(self, key: Key, data: dict[str, object]) -> None:
        with NamedTemporaryFile("w", dir=self._folder, delete=False, encoding="utf-8") as stream:
            try:  # the file is made with mode 0600
                json.dump(data, stream)
                stream.flush()
                os.fsync(stream.fileno())
                os.replace(stream.name, self._path(key, "json"))
            except BaseException:
                os.unlink(stream.name)
                raise

    @contextmanager
    def _locked(self, key: Key, kind: str) -> Generator[None]:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._path(key, kind), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
            yield
        finally:
            os.close(descriptor)


def default_folder() -> Path:
    """The user's own state folder (XDG; on Windows the local application data)."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "toolmint" / "tokens"
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "toolmint" / "tokens"


def _lock(descriptor: int) -> None:
    """Wait for the file's lock; closing the file frees it."""
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
