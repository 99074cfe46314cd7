"""Reads and lowers a description of any kind: the one place that knows which kinds there are.

The libraries of a kind take a while to import, so each source is imported when it is needed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import load
from .config import Config
from .errors import describe
from .model.api import Api
from .model.nodes import Location
from .progress import Progress
from .reading.addresses import is_url
from .reading.library import Library, Reach
from .sources.recognise import are_many, introspected, is_sdl, is_sdl_name

if TYPE_CHECKING:
    from .sources.graphql import Source

_QUICKLY_READ = 1_000_000  # characters: finding a line reads the text again


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a description means, wherever it came from."""

    api: Api
    digest: str  # of its text
    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    # ^ other files that were read → digest of their text
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
    source = load.read(config.source, offline=config.offline)
    if is_sdl(source.text):
        from .graphql_source import fetched

        progress("lower")
        return _graphql(fetched(source.text, source.file, config), config)
    document = load.document(source, address=config.address)
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

    settings = config.settings
    reach = Reach(
        folders=settings.reference_folders,
        remote=settings.allow_remote_refs,
        offline=config.offline,
    )
    library = Library(document, reach)
    if settings.overlays:
        from .reading.overlays import overlaid

        document = overlaid(document, settings.overlays, library.keep)
    options = openapi.LowerOptions(media_types=settings.media_types, library=library)
    api = openapi.lower(document, options)
    parts = {key: library.parts[key].digest for key in sorted(library.parts)}
    return Description(
        api=api,
        digest=document.digest,
        parts=parts,
        place=place_teller(document, *library.parts.values()),
    )


def place_teller(*parts: load.Part) -> Callable[[Location], str]:
    """How places are told: those in these files with their lines, unless one is a giant.

    No data of theirs is kept: it can be the largest thing in memory.
    """
    texts = {part.file: part.text for part in parts if len(part.text) < _QUICKLY_READ}

    def place(location: Location) -> str:
        text = texts.get(location.file)
        if text is None:
            return describe(location)
        from .reading.positions import line

        return describe(location, line=line(text, location.pointer))

    return place


def _graphql(source: "Source", config: Config) -> Description:
    from .graphql_source import lowered

    api = lowered(source, config)
    return Description(api=api, digest=source.digest, place=source.describe)
