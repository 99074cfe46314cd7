"""Reading: a JSON or YAML description from a file or a URL, as plain data with its positions."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from .errors import InputError
from .model.nodes import Location
from .plain import is_object, may_hold_lone_surrogates, without_lone_surrogates
from .reading.addresses import is_url, without_secrets
from .reading.fetch import fetch

MAXIMUM_BYTES = 256 * 1024 * 1024
"""The largest description that is read: five times the largest one known."""

_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A file of a description as plain data (what `json.load` gives), and where it came from."""

    file: str  # as the user named it, without a password
    address: str | None  # absolute URL that relative servers and references resolve against
    data: Any
    digest: str  # sha256 of the text, line ends normalised
    text: str = field(repr=False)

    def line(self, pointer: str) -> int | None:
        """The line, from 1, where the value at a pointer stands, or the nearest around it.

        It reads the text anew, so it is for messages only.
        """
        from .reading import positions

        found = positions.line(self.text, pointer)
        while found is None and pointer:  # what is missing is told of where it should be
            pointer = pointer.rpartition("/")[0]
            found = positions.line(self.text, pointer)
        return found

    def error(self, pointer: str, text: str) -> InputError:
        """An error about one place of this document."""
        location = Location(file=self.file, pointer=pointer)
        return InputError.at(location, text, line=self.line(pointer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Part):
    """A whole description: the file that the user named."""

    data: Mapping[str, Any]
    origin: Callable[[str], str] = field(default=str, compare=False, repr=False)
    # ^ where what is at a pointer of `data` was written: overlays change what they find


def load(
    source: str,
    *,
    address: str | None = None,
    offline: bool = False,
    maximum_bytes: int = MAXIMUM_BYTES,
) -> Document:
    """Read a description from a file or a URL.

    `address` replaces the document's own address. The URL the user typed is always read,
    whatever network it is in. Raises InputError when there is nothing readable.
    """
    return document(read(source, offline=offline, maximum_bytes=maximum_bytes), address=address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The text of a source, before anything is known of its kind."""

    file: str  # as the user named it, without a password
    address: str | None  # where it came from
    digest: str  # sha256, line ends normalised
    text: str = field(repr=False)


def read(source: str, *, offline: bool = False, maximum_bytes: int = MAXIMUM_BYTES) -> Text:
    """The text of a file or a URL. Raises InputError when it cannot be had."""
    if not is_url(source):
        return text_of(_read(source, maximum_bytes), file=source)
    if offline:
        raise InputError(
            f"{without_secrets(source)}: is on the network, and --offline forbids it. "
            "Save the description to a file and name that."
        )
    body, final = fetch(source, maximum_bytes=maximum_bytes)
    return text_of(body, file=without_secrets(source), address=final)


def text_of(content: bytes, *, file: str, address: str | None = None) -> Text:
    """The text that bytes are. Raises InputError when they are none."""
    return Text(file=file, address=address, digest=digest(content), text=_decoded(content, file))


def digest(content: bytes) -> str:
    """What tells one text from another, whatever a checkout made of its line ends."""
    normalised = content.replace(b"\r\n", b"\n") if b"\r" in content else content
    return hashlib.sha256(normalised).hexdigest()


def parse(content: bytes, *, file: str, address: str | None = None) -> Document:
    """Read a description from its bytes. Raises InputError when they are none."""
    return document(text_of(content, file=file, address=address))


def document(source: Text, *, address: str | None = None) -> Document:
    """The description that a text is; `address` replaces its own. Raises InputError for none."""
    data = _data(source.text, source.file)
    if not is_object(data):
        what = "an array" if isinstance(data, list) else "a single value"
        raise InputError(
            f"{source.file}:1: holds {what} where a description is an object. "
            "Name the file that opens with `openapi` or `swagger`."
        )
    return Document(
        file=source.file,
        address=address or source.address,
        data=data,
        digest=source.digest,
        text=source.text,
    )


def parsed(source: Text) -> Part:
    """Any JSON or YAML. Raises InputError when the text is neither."""
    return Part(
        file=source.file,
        address=source.address,
        data=_data(source.text, source.file),
        digest=source.digest,
        text=source.text,
    )


def _read(source: str, maximum_bytes: int) -> bytes:
    path = Path(source)
    try:
        if path.is_dir():
            raise InputError(f"{source}: is a folder. Name the description's file in it.")
        with path.open("rb") as file:
            content = file.read(maximum_bytes + 1)
    except FileNotFoundError:
        raise InputError(f"{source}: there is no such file. Check the path.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{source}: cannot be read: {reason}.") from None
    if len(content) > maximum_bytes:
        raise InputError(
            f"{source}: is larger than {maximum_bytes:,} bytes. Split it, or cut it to what you use."
        )
    return content


def _decoded(content: bytes, file: str) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    else:
        encoding = "utf-8-sig" if content.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{file}:{line}: is not UTF-8 (byte 0x{content[error.start]:02x} at offset "
            f"{error.start:,}). Save it as UTF-8."
        ) from None
    if not text.strip():
        raise InputError(f"{file}: is empty. Name the file that holds the description.")
    return text


def _data(text: str, file: str) -> Any:
    if _HTML.match(text):
        raise InputError(
            f"{file}:1: is a web page or XML, not JSON or YAML. "
            "Name the address of the raw description, not of the page that shows it."
        )
    if not text.lstrip().startswith(("{", "[")):
        return _yaml(text, file)
    try:
        return _json(text, file)
    except json.JSONDecodeError as error:
        # YAML's flow style opens like JSON; what is neither is told as JSON.
        if not file.lower().endswith(".json"):
            from .reading import yaml12

            try:
                return yaml12.parse(text)
            except yaml12.YamlError:
                pass
        raise InputError(
            f"{file}:{error.lineno}: is not JSON: {error.msg} (column {error.colno}). Correct it there."
        ) from None


def _json(text: str, file: str) -> Any:
    try:
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
        return without_lone_surrogates(data) if may_hold_lone_surrogates(text) else data
    except _DuplicateKey as error:
        from .reading import positions

        line = positions.line_of_duplicate(text, error.key)
        raise InputError(
            f"{file}:{line}: the key {json.dumps(error.key)} stands twice in one object. "
            "Keep one of them."
        ) from None
    except _Constant as error:
        from .reading import positions

        line = positions.line_of_word(text, error.word)
        raise InputError(f"{file}:{line}: {error.word} is not JSON. Write a number.") from None
    except RecursionError:
        raise InputError(f"{file}: is nested too deeply to be a description.") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer with more digits than Python converts
        raise InputError(
            f"{file}: holds a number of more than 4,300 digits. Write one that means something."
        ) from None


def _yaml(text: str, file: str) -> Any:
    from .reading import yaml12

    try:
        return yaml12.parse(text)
    except yaml12.YamlError as error:
        raise InputError(f"{file}:{error.line}: {error.text}") from None


class _DuplicateKey(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _Constant(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's members, refused when a name stands twice: one of them would be lost.

    (RFC 8259, 4: names should be unique, or software disagrees about what is meant.)
    """
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKey(key)
            seen.add(key)
    return members


def _refuse_constant(word: str) -> NoReturn:
    raise _Constant(word)
