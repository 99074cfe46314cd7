"""Packages made of small descriptions for one test, imported as a user would."""

import importlib
import sys
from pathlib import Path
from textwrap import dedent

from toolmint.generator import Config, compile, write
from toolmint.runtime import Toolset


def generated(folder: Path, text: str, *, package: str) -> type[Toolset]:
    """The toolset of the package that a description makes.

    `text` is the description after `openapi` and `info`, in YAML. `package` must be another one
    in each test: Python imports a name once.
    """
    source = folder / "api.yaml"
    source.write_text(f"openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\n{dedent(text)}", "utf-8")
    return imported(Config(source=str(source), output=str(folder / package)))


def imported(config: Config) -> type[Toolset]:
    """The toolset of the package that a config means; its name must be another one in each test."""
    write(compile(config), config.output)
    folder, package = str(Path(config.output).parent), Path(config.output).name
    sys.path.insert(0, folder)
    try:
        found: type[Toolset] = importlib.import_module(package).TOOLSET
    finally:
        sys.path.remove(folder)
    return found
