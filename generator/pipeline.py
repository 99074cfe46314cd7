"""The straight line from a description to the files of a package. It writes nothing."""

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..runtime.version import COMPATIBILITY, VERSION
from . import fingerprints, lock
from .config import Config, source_label
from .diagnostics import Report, report
from .errors import InputError, describe
from .load import Document, load
from .model import Catalogue, Location
from .output import Files, staged
from .progress import Progress, silent
from .shape import shape
from .sources.openapi import LowerOptions, lower
from .targets.python import Settings, generate


def compile(config: Config, progress: Progress = silent) -> Files:
    """The package that a config means: every file's text, and what became of each operation.

    The disk is read for the source only; a `format` command works in a temporary folder.
    Raises InputError for a source that cannot be read or means nothing.
    """
    progress("read")
    document = load(config.source, address=config.document_url, offline=config.offline)
    progress("lower")
    api = lower(document, _lower_options(config))
    progress("shape")
    catalogue = shape(api, config.settings)
    progress("print")
    files = generate(catalogue, _target_settings(config))
    if config.settings.format:
        files = formatted(files, config.settings.format, Path(config.output))
    made = report(catalogue, config.name, place_teller(document))
    return Files(
        files={**files, lock.NAME: _lock(files, config, document, catalogue, made)}, report=made
    )


def _lower_options(config: Config) -> LowerOptions:
    tools = config.settings.tools.items()
    return LowerOptions(
        media_types={name: tool.media_type for name, tool in tools if tool.media_type}
    )


def _target_settings(config: Config) -> Settings:
    return Settings(package=config.name, source=config.label, class_name=config.settings.class_name)


def _lock(
    files: dict[str, str], config: Config, document: Document, catalogue: Catalogue, made: Report
) -> str:
    return lock.render(
        lock.Manifest(
            version=VERSION,
            compatibility=COMPATIBILITY,
            source=config.label,
            digest=document.digest,
            settings=_decided(config),
            files=files,
            tools=_tools(catalogue),
            lists=made.lists(),
        )
    )


def _decided(config: Config) -> dict[str, Any]:
    """What the user decided about the package, from the file or the command line."""
    decided = {"package": config.name, **config.settings.as_data()}
    if config.document_url:
        decided["document_url"] = source_label(config.document_url)
    return decided


def _tools(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    digests = fingerprints.fingerprints(catalogue)
    return {
        tool.name: {"operation": tool.operation.key, **digests[tool.name]}
        for tool in catalogue.tools
    }


def formatted(files: dict[str, str], command: str, output: Path) -> dict[str, str]:
    """The files after a team's own formatter, run on a copy beside the output.

    Beside it, because formatters look for their settings in the folders above.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with staged(files, output.parent) as folder:
        words = [*shlex.split(command), str(folder)]
        try:
            subprocess.run(words, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", "") or str(error)
            raise InputError(f"format = {command!r} failed: {' '.join(said.split())}") from error
        return {path: (folder / path).read_text("utf-8") for path in files}


_QUICKLY_READ = 1_000_000  # characters: finding a line reads the text again


def place_teller(document: Document) -> Callable[[Location], str]:
    """How places are told: those in the document with their lines, unless it is a giant."""

    def place(location: Location) -> str:
        if location.file == document.file and len(document.text) < _QUICKLY_READ:
            return document.describe(location)
        return describe(location)

    return place
