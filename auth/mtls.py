"""Mutual TLS: a client certificate in an `ssl.SSLContext` that follows its files."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from .errors import CredentialError
from .sources import Text, keep_secret, text

if TYPE_CHECKING:
    import ssl

PathLike: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A client certificate with its key, as PEM files, and the authorities to trust.

    `key` may stand in the certificate's file; `authorities` None trusts the system's. When a
    file changes, the next connection uses the new one.
    """

    certificate: PathLike
    key: PathLike | None = None
    password: Text | None = field(default=None, repr=False)
    authorities: PathLike | None = None

    def __post_init__(self) -> None:
        keep_secret(self, "password")

    def context(self, environ: Mapping[str, str] | None = None) -> "ssl.SSLContext":
        """For `httpx.AsyncClient(verify=…)`: httpx drops a client certificate given otherwise.

        Raises `CredentialError`, without a secret, for files that cannot be used.
        """
        from .tls import FollowingContext

        context = FollowingContext.following(self.files(), lambda: self._password(environ))
        context.follow()
        return context

    def files(self) -> tuple[Path, Path | None, Path | None]:
        """Certificate, key and authorities."""
        return (
            Path(self.certificate).expanduser(),
            Path(self.key).expanduser() if self.key else None,
            Path(self.authorities).expanduser() if self.authorities else None,
        )

    def _password(self, environ: Mapping[str, str] | None) -> str:
        if self.password is None:
            raise CredentialError(f"the key of {self.certificate} needs a password: password=…")
        return text(self.password, os.environ if environ is None else environ).reveal()
