"""The other documents that a description refers to: each is read once, and only where it may be.

Files are read below the description's folder, or below folders that the user allows;
addresses only when the user allows them, and never private ones.
"""

import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

from ..errors import InputError
from ..load import MAXIMUM_BYTES, Document, Part, Text, parsed, read, text_of
from .addresses import is_address, is_url, joined, without_secrets
from .fetch import fetch_public


class OutOfReach(Exception):
    """A document that may not be read, or cannot be; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where references may lead besides the description's own folder."""

    folders: tuple[str, ...] = ()
    remote: bool = False  # public addresses too
    offline: bool = False  # no network, whatever else is allowed


class Library:
    """Opens documents and names each by one key.

    The description itself is `""`; a file is its path from the description's folder, the same
    on every machine; anything else its address.
    """

    def __init__(self, document: Document, reach: Reach | None = None) -> None:
        self._document = document
        self._reach = reach or Reach()
        self._local = not is_url(document.file)
        self._folder = Path(document.file).parent
        self._parts: dict[str, Part] = {}
        self._refused: dict[str, str] = {}

    @property
    def parts(self) -> Mapping[str, Part]:
        """What was read so far, by key."""
        return self._parts

    def open(self, reference: str, home: str) -> str:
        """The key of the document that a reference without a fragment names.

        `home` is the key of the document that it stands in. Raises OutOfReach, and then
        nothing was requested and no file read, when it may not be read; InputError when it
        is on the network and that is forbidden for this run.
        """
        target = self._target(reference, home)
        return self._remote(target) if is_url(target) else self._file(target, reference)

    def keep(self, part: Part) -> str:
        """The key of a file that the user named, kept with the others."""
        key = self._key(part.file) if self._local else Path(part.file).name
        self._parts[key] = part
        return key

    def file(self, key: str) -> str:
        """How a document is named in messages."""
        part = self._parts.get(key)
        return self._document.file if part is None else part.file

    def _target(self, reference: str, home: str) -> str:
        """The address or the path that a reference means."""
        try:
            parts = urlsplit(reference)
        except ValueError:
            raise OutOfReach(f"{reference!r} is no address") from None
        if parts.scheme in ("http", "https"):
            return self._beside(reference)
        if parts.scheme == "file" and parts.netloc in ("", "localhost"):
            from urllib.request import url2pathname  # brings the whole of http along

            return url2pathname(parts.path)
        if parts.scheme or parts.netloc:
            raise OutOfReach(f"{reference!r} is neither a file nor a web address")
        if is_url(home):
            return joined(home, reference)
        if not self._local:
            return joined(self._document.address or self._document.file, reference)
        return str(self._folder / posixpath.dirname(home) / unquote(parts.path))

    def _beside(self, address: str) -> str:
        """The local copy of an address below the description's own one, if there is one."""
        claimed = self._document.data.get("$self") or self._document.address
        above = claimed.rpartition("/")[0] if isinstance(claimed, str) else ""
        if self._local and above and address.startswith(f"{above}/"):
            path = self._folder / unquote(address[len(above) + 1 :])
            if os.path.isfile(path) and self._allows(path):
                return str(path)
        return address

    # ── files ───────────────────────────────────────────────────────────────────────

    def _file(self, path: str, reference: str) -> str:
        key = self._key(path)
        if self._local and os.path.realpath(path) == os.path.realpath(self._document.file):
            return ""
        if key in self._parts:
            return key
        if not self._allows(Path(path)):
            raise OutOfReach(
                f"{reference!r} is outside of the description's folder and is not read; "
                "--reference-folder allows another"
            )
        if not os.path.isfile(path):  # False for a name that no system takes, too
            raise OutOfReach(f"there is no file {reference!r}")
        return self._keep(key, str(self._folder / key), lambda: read(path))

    def _key(self, path: str) -> str:
        try:
            relative = os.path.relpath(os.path.realpath(path), os.path.realpath(self._folder))
        except (OSError, ValueError):  # a NUL, another drive
            raise OutOfReach(f"{path!r} is no path that can be read") from None
        return PurePath(relative).as_posix()

    def _allows(self, path: Path) -> bool:
        """Whether a path lies, links followed, below a folder that may be read."""
        folders = (*((self._folder,) if self._local else ()), *self._reach.folders)
        real = os.path.realpath(path)
        return any(Path(real).is_relative_to(os.path.realpath(folder)) for folder in folders)

    # ── addresses ───────────────────────────────────────────────────────────────────

    def _remote(self, address: str) -> str:
        key = without_secrets(address)
        if not is_address(key):
            raise OutOfReach(f"{key!r} is no web address")
        if key in (self._document.address, self._document.file):
            return ""
        if key in self._parts:
            return key
        if not self._reach.remote:
            raise OutOfReach(
                f"{key!r} is on the network and is not read; --allow-remote-refs allows that"
            )
        if self._reach.offline:
            raise InputError(
                f"{self._document.file}: refers to {key}, and --offline forbids to read it. "
                "Save it beside the description, and refer to that file."
            )

        def fetched() -> Text:
            return text_of(fetch_public(key, maximum_bytes=MAXIMUM_BYTES), file=key)

        return self._keep(key, key, fetched)

    # ── reading ─────────────────────────────────────────────────────────────────────

    def _keep(self, key: str, shown: str, text: Callable[[], Text]) -> str:
        """Read a document once. What is wrong with it is told by its key: locks tell it too."""
        if key in self._refused:
            raise OutOfReach(self._refused[key])
        try:
            self._parts[key] = replace(parsed(replace(text(), file=key)), file=shown)
        except InputError as error:
            self._refused[key] = str(error).removesuffix(".")
            raise OutOfReach(self._refused[key]) from None
        return key
