"""The tracker's package, generated for a test run under settings of its own."""

from pathlib import Path

from toolmint.generator import Config
from toolmint.generator.settings.policy import GraphQLSettings, PackageSettings
from toolmint.runtime import Toolset

from .generated import imported
from .graphql_server import SDL


def tracker_package(
    folder: Path, name: str, settings: PackageSettings | None = None, sdl: str = SDL
) -> type[Toolset]:
    """The toolset of the package; `name` must be another one in each test."""
    (folder / "tracker.graphql").write_text(sdl, "utf-8")
    return imported(
        Config(
            source=str(folder / "tracker.graphql"),
            output=str(folder / name),
            settings=settings or PackageSettings(),
        )
    )


def spoken(graphql: GraphQLSettings) -> PackageSettings:
    """Settings that only say how the server is spoken to."""
    return PackageSettings(graphql=graphql)
