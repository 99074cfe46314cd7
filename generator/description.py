"""Reads and lowers a description of any kind: the one place that knows which kinds there are.

The libraries of a kind take a while to import, so each source is imported when it is needed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import load
from .config import Config
from .errors import describe
from .fetch import is_url
from .model import Api, Location
from .progress import Progress
from .sources.recognise import are_many, introspected, is_sdl, is_sdl_name

if TYPE_CHECKING:
    from .sources.graphql import Source

_QUICKLY_READ = 1_000_000  # characters: finding a line reads the text again


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a description means, wherever it came from."""

    api: Api
    digest: str  # of its text
    place: Callable[[Location], str]  # how a place in it is told


def read(config: Config, progress: Progress) -> Description:
    """The Api of a config's source, found by its name or by how it opens.

    Raises InputError for a source that cannot be read or means nothing.
    """
    progress("read")
    found = _schema(config)
    if found is not None:
        progress("lower")
        return _graphql(found, config)
    content = load.read(config.source, offline=config.offline)
    text = load.decoded(content.body, content.file)
    if is_sdl(text):
        from .graphql_source import fetched

        progress("lower")
        return _graphql(fetched(text, content.file, config), config)
    address = config.address or content.address
    document = load.parse(content.body, file=content.file, address=address)
    progress("lower")
    if introspected(document.data) is not None:
        from .graphql_source import told

        return _graphql(told(document.data, document.text, document.file, config), config)
    return _openapi(document, config)


def _schema(config: Config) -> "Source | None":
    """The GraphQL schema that a source is by its name alone."""
    if config.source == config.endpoint:
        from .graphql_source import live

        return live(config)
    if not is_url(config.source) and (are_many(config.source) or is_sdl_name(config.source)):
        from .graphql_source import written

        return written(config)
    return None


def _openapi(document: load.Document, config: Config) -> Description:
    from .sources import openapi

    options = openapi.LowerOptions(media_types=config.settings.media_types)
    return Description(
        api=openapi.lower(document, options), digest=document.digest, place=place_teller(document)
    )


def place_teller(document: load.Document) -> Callable[[Location], str]:
    """How places are told: those in the document with their lines, unless it is a giant."""

    def place(location: Location) -> str:
        if location.file == document.file and len(document.text) < _QUICKLY_READ:
            return document.describe(location)
        return describe(location)

    return place


def _graphql(source: "Source", config: Config) -> Description:
    from .graphql_source import lowered

    api = lowered(source, config)
    return Description(api=api, digest=source.digest, place=source.describe)
