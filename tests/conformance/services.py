"""A package for every description of the suite, generated and imported as a user would."""

import importlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolmint.generator import Config, compile, write
from toolmint.runtime import Toolset

from .suite import descriptions


@dataclass(frozen=True, slots=True)
class Service:
    """One description as a package, and the version that it is of."""

    toolset: type[Toolset]
    version: str


def services(folder: Path, work: Path) -> Mapping[str, Sequence[Service]]:
    """Suite → its services. The packages lie in `work`, which becomes importable."""
    sys.path.append(str(work))
    return {
        suite: [_service(path, suite, work) for path in paths]
        for suite, paths in descriptions(folder).items()
    }


def _service(path: Path, suite: str, work: Path) -> Service:
    name = re.sub(r"\W", "_", f"suite_{suite}_{path.stem.removeprefix('openapi')}").rstrip("_")
    output = work / name
    write(compile(Config(source=str(path), output=str(output))), output)
    made: type[Toolset] = importlib.import_module(name).TOOLSET
    return Service(made, made.package.version)
