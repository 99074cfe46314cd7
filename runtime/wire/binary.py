"""Binary values: `{filename?, content_type?, data_base64}`, and the bytes they stand for."""

from base64 import b64decode, b64encode
from binascii import Error
from dataclasses import dataclass
from typing import Any

from .refusal import Unwritable
from .values import is_object


@dataclass(frozen=True, slots=True)
class File:
    """Bytes, and what their owner says of them."""

    data: bytes
    filename: str | None = None
    content_type: str | None = None


def read_file(value: Any) -> File:
    """The file that an argument holds; a bare string is its base64 (`contentEncoding`)."""
    if isinstance(value, str):
        return File(_bytes(value))
    if not is_object(value):
        raise Unwritable("must be {filename?, content_type?, data_base64}")
    return File(
        _bytes(value.get("data_base64")), _text(value, "filename"), _text(value, "content_type")
    )


def file_block(file: File) -> dict[str, str]:
    """A file as data: the same shape that an argument has."""
    block = {"data_base64": b64encode(file.data).decode("ascii")}
    if file.content_type:
        block = {"content_type": file.content_type, **block}
    return {"filename": file.filename, **block} if file.filename else block


def _bytes(value: Any) -> bytes:
    if not isinstance(value, str):
        raise Unwritable("needs data_base64, a string")
    try:
        return b64decode(value, validate=True)
    except (Error, ValueError) as error:
        raise Unwritable(f"data_base64 is not valid base64: {error}") from error


def _text(value: Any, name: str) -> str | None:
    text = value.get(name)
    if text is None or isinstance(text, str):
        return text
    raise Unwritable(f"{name} must be a string")
