"""Where secrets come from: a value, the environment, a file, a function. Identity, not scheme."""

import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeGuard, TypeVar, final

from .errors import CredentialError
from .secret import Secret


class Unavailable(CredentialError):
    """A source has nothing to give; the message is the reason."""


@final
@dataclass(frozen=True, slots=True)
class EnvironmentVariable:
    """The value of an environment variable at the moment of a call."""

    name: str

    def read(self, environ: Mapping[str, str]) -> str:
        """The variable's value; it may be empty."""
        if self.name not in environ:
            raise Unavailable(f"environment variable {self.name} is not set")
        return environ[self.name]


@final
@dataclass(frozen=True, slots=True)
class SecretFile:
    """The text of a UTF-8 file at the moment of a call, without the line break at its end."""

    path: Path

    def read(self, environ: Mapping[str, str]) -> str:
        """The file's text, so that a rotated secret is used at once."""
        try:
            text = _text(self.path.read_bytes())
        except OSError as error:
            raise Unavailable(f"cannot read {self.path}: {error.strerror}") from None
        if text is None:
            raise Unavailable(f"{self.path} is not UTF-8 text")
        return text.removesuffix("\n").removesuffix("\r")


def _text(content: bytes) -> str | None:
    """The text of a file, None where it is none: the error would hold all of the secret."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def env(name: str) -> EnvironmentVariable:
    """A secret in an environment variable, read when a call needs it."""
    return EnvironmentVariable(name)


def file(path: str | os.PathLike[str]) -> SecretFile:
    """A secret in a file, read when a call needs it."""
    return SecretFile(Path(path).expanduser())


Source: TypeAlias = EnvironmentVariable | SecretFile
"""Somewhere a secret text is read each time it is needed; `read` raises `Unavailable`."""

Text: TypeAlias = str | Secret | Source
Supplied: TypeAlias = str | Secret | Mapping[str, str] | None
Supplier: TypeAlias = Callable[[], Supplied | Awaitable[Supplied]]


@final
@dataclass(frozen=True, slots=True)
class OverHttp:
    """A credential that may also travel without TLS."""

    value: "Text | Mapping[str, Text] | Supplier" = field(repr=False)

    def __post_init__(self) -> None:
        keep_secret(self, "value")


def allow_http(value: "Text | Mapping[str, Text] | Supplier") -> OverHttp:
    """Let this credential go to an `http:` address that is not loopback, readable on the way."""
    return OverHttp(value)


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """A username and a password."""

    username: str
    password: Secret


Shown = TypeVar("Shown")


def secretly(value: Shown) -> Shown | Secret | dict[str, object]:
    """The same with plain texts as secrets, in a mapping too."""
    if isinstance(value, str):
        return Secret(value)
    if is_pair(value):
        return {key: secretly(part) for key, part in value.items()}
    return value


def keep_secret(holder: object, *names: str) -> None:
    """Put secrets in place of the plain texts that a frozen dataclass was made with.

    A copy of it as plain data (`dataclasses.asdict`, a pickle, a debugger's) would show them.
    """
    for name in names:
        object.__setattr__(holder, name, secretly(getattr(holder, name)))


def is_pair(value: object) -> TypeGuard[Mapping[str, Text]]:
    """Whether a value is meant as a username and password."""
    return isinstance(value, Mapping)


def text(value: Text, environ: Mapping[str, str]) -> Secret:
    """The secret behind a value.

    Raises `Unavailable`, and `CredentialError` for what no request can hold: a variable whose
    octets are no UTF-8 is half a text to Python, whose own errors would show all of it.
    """
    if isinstance(value, Secret):
        secret = value
    else:
        secret = Secret(value if isinstance(value, str) else value.read(environ))
    if not is_whole(secret.reveal()):
        raise CredentialError("it is not UTF-8 text: check where it comes from")
    return secret


def is_whole(characters: str) -> bool:
    """Whether a text can be encoded: it holds no half of a surrogate pair."""
    return characters.isascii() or _HALF.search(characters) is None


_HALF = re.compile("[\ud800-\udfff]")


def pair(value: Mapping[str, Text], environ: Mapping[str, str]) -> Pair:
    """A username and password from a mapping of these two; one of them may be empty."""
    username, password = text(value["username"], environ), text(value["password"], environ)
    if ":" in username.reveal():
        raise CredentialError("a username cannot hold a colon (RFC 7617)")
    if not username and not password:
        raise Unavailable("it is empty")
    return Pair(username.reveal(), password)


def split_pair(joined: Secret) -> Pair:
    """A username and password from `username:password`."""
    username, colon, password = joined.reveal().partition(":")
    if not colon and joined:
        raise CredentialError('expected {"username": …, "password": …}, or username:password')
    return pair({"username": username, "password": password}, {})
