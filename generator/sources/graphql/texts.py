"""Finds the texts of a schema or of operation documents: a file, a folder, a pattern."""

import glob
from collections.abc import Sequence
from pathlib import Path

from ...errors import InputError
from ...load import read
from ..recognise import SDL_SUFFIXES, are_many
from .core import Text


def texts(source: str) -> list[Text]:
    """The SDL or documents at a path, a folder or a pattern, in the order of their names.

    Raises InputError where there is none.
    """
    if not are_many(source):
        return [_text(source, source)]
    folder = Path(source)
    if folder.is_dir():
        found = sorted(path for path in folder.rglob("*") if path.suffix in SDL_SUFFIXES)
    else:
        found = sorted(Path(name) for name in glob.glob(source, recursive=True))
        found = [path for path in found if path.is_file()]
    if not found:
        raise InputError(f"{source}: holds no {', '.join(SDL_SUFFIXES)} file. Check the path.")
    return [_text(str(path), path.name) for path in found]


def all_texts(sources: Sequence[str]) -> tuple[Text, ...]:
    """The texts of several places."""
    return tuple(text for source in sources for text in texts(source))


def _text(source: str, file: str) -> Text:
    return Text(file, read(source).text)
