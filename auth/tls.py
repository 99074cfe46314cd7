"""An `ssl.SSLContext` that loads its files again when they change."""

import ssl
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Self

from .errors import CredentialError

Files = tuple[Path, Path | None, Path | None]


class FollowingContext(ssl.SSLContext):
    """Looks at its files before each handshake; an authority once trusted stays trusted."""

    _files: Files
    _password: Callable[[], str]
    _loaded: tuple[tuple[int, int, int], ...]
    _lock: Lock

    @classmethod
    def following(cls, files: Files, password: Callable[[], str]) -> Self:
        """A client's context: the certificate is checked, the host name too."""
        context = cls(ssl.PROTOCOL_TLS_CLIENT)
        context._files, context._password = files, password
        context._loaded, context._lock = (), Lock()
        if files[2] is None:
            context.load_default_certs()
        return context

    def follow(self) -> None:
        """Load what changed since the last time.

        Files that do not fit together, as in the middle of a rotation, leave what was loaded
        before in use; the first time they are an error.
        """
        with self._lock:
            try:
                state = tuple(map(_state, filter(None, self._files)))
                if state != self._loaded:
                    self._load_into(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
                    self._load_into(self)
                    self._loaded = state
            except CredentialError:
                if not self._loaded:
                    raise

    def _load_into(self, context: ssl.SSLContext) -> None:
        certificate, key, authorities = self._files
        refusals: list[CredentialError] = []

        def password() -> str:
            try:
                return self._password()
            except CredentialError as error:
                refusals.append(error)  # OpenSSL goes on to report an error of its own
                raise

        try:
            context.load_cert_chain(certificate, key, password)
            if authorities:
                context.load_verify_locations(authorities)
        except (OSError, ValueError) as error:  # CredentialError and ssl.SSLError among them
            named = ", ".join(str(path) for path in self._files if path)
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None)
            told = str(refusals[0]) if refusals else f"cannot load {named}: {reason or 'unusable'}"
            raise CredentialError(told) from None

    def wrap_socket(self, *args: Any, **keywords: Any) -> ssl.SSLSocket:
        """As `ssl.SSLContext`, after a look at the files."""
        self.follow()
        return super().wrap_socket(*args, **keywords)

    def wrap_bio(self, *args: Any, **keywords: Any) -> ssl.SSLObject:
        """As `ssl.SSLContext`, after a look at the files."""
        self.follow()
        return super().wrap_bio(*args, **keywords)


def _state(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise CredentialError(f"cannot read {path}: {error.strerror}") from None
    return status.st_mtime_ns, status.st_size, status.st_ino
