"""The tracker's package, generated for a test run under settings of its own."""

import importlib
import sys
from pathlib import Path

from toolmint.generator import Config, compile, write
from toolmint.generator.settings import GraphQLSettings, PackageSettings
from toolmint.runtime import Toolset

from .graphql_server import SDL


def tracker_package(
    folder: Path, name: str, settings: PackageSettings | None = None, sdl: str = SDL
) -> type[Toolset]:
    """The toolset of the package; `name` must be another one in each test."""
    (folder / "tracker.graphql").write_text(sdl, "utf-8")
    config = Config(
        source=str(folder / "tracker.graphql"),
        output=str(folder / name),
        settings=settings or PackageSettings(),
    )
    write(compile(config), config.output)
    sys.path.insert(0, str(folder))
    try:
        found: type[Toolset] = importlib.import_module(name).TOOLSET
    finally:
        sys.path.remove(str(folder))
    return found


def spoken(graphql: GraphQLSettings) -> PackageSettings:
    """Settings that only say how the server is spoken to."""
    return PackageSettings(graphql=graphql)
