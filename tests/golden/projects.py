"""The projects under `fixtures/`: what a user has, and the package it must give."""

import importlib
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from toolmint.generator import Config, Files, Options, compile, configurations
from toolmint.runtime import Toolset

FIXTURES = Path(__file__).parents[2] / "fixtures"


@dataclass(frozen=True, slots=True)
class Project:
    """One folder of `fixtures/` that holds a `toolmint.toml`."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def config(self) -> Config:
        (config,) = configurations(Options(), start=self.folder)
        return config

    @property
    def package(self) -> Path:
        """The committed package."""
        return Path(self.config.output).resolve()

    def toolset(self, **keywords: Any) -> Toolset:
        """A toolset of the committed package, imported as a user would."""
        if (parent := str(self.package.parent)) not in sys.path:
            sys.path.append(parent)
        made = importlib.import_module(self.package.name).TOOLSET(**keywords)
        assert isinstance(made, Toolset)
        return made


OPENAPI = tuple(Project(file.parent) for file in sorted(FIXTURES.glob("*/toolmint.toml")))
GRAPHQL = tuple(Project(file.parent) for file in sorted(FIXTURES.glob("graphql/*/toolmint.toml")))
PROJECTS = (*OPENAPI, *GRAPHQL)
EXAMPLES = tuple(file.parent for file in sorted(FIXTURES.parent.glob("examples/*/toolmint.toml")))


@cache
def compiled(project: Project) -> Files:
    """What the project gives now; compiled once a test run."""
    return compile(project.config)
