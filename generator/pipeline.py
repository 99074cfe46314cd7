"""The straight line from a description to the files of a package. It writes nothing."""

from pathlib import Path
from typing import Any

from ..runtime.version import COMPATIBILITY, VERSION
from . import fingerprints, lock
from .config import Config
from .description import Description, read
from .diagnostics import Report, report
from .errors import InputError
from .model.catalogue import Catalogue
from .output import Files, staged
from .progress import Progress, silent
from .shape import shape
from .targets.python import Settings, generate


def compile(config: Config, progress: Progress = silent) -> Files:
    """The package that a config means: every file's text, and what became of each operation.

    The disk is read for the source only; a `format` command works in a temporary folder.
    Raises InputError for a source that cannot be read or means nothing.
    """
    described = read(config, progress)
    progress("shape")
    catalogue = shape(described.api, config.settings)
    progress("print")
    files = generate(catalogue, _target_settings(config))
    if config.settings.format:
        files = formatted(files, config.settings.format, Path(config.output))
    source = catalogue.api.location.file
    made = report(catalogue, config.name, described.place, source)
    manifest = _lock(files, config, described, catalogue, made)
    return Files(files={**files, lock.NAME: manifest}, report=made)


def _target_settings(config: Config) -> Settings:
    return Settings(
        package=config.name,
        source=config.label,
        class_name=config.settings.class_name,
        result_tokens=config.settings.result_tokens,
    )


def _lock(
    files: dict[str, str], config: Config, read: Description, catalogue: Catalogue, made: Report
) -> str:
    return lock.render(
        lock.Manifest(
            version=VERSION,
            compatibility=COMPATIBILITY,
            source=config.label,
            digest=read.digest,
            parts=read.parts,
            settings=config.decided,
            operations=made.operations,
            files=files,
            tools=_tools(catalogue),
            lists=made.lists(),
        )
    )


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
    import shlex
    import subprocess

    output.parent.mkdir(parents=True, exist_ok=True)
    with staged(files, output.parent) as folder:
        words = [*shlex.split(command), str(folder)]
        try:
            subprocess.run(words, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", "") or str(error)
            raise InputError(f"format = {command!r} failed: {' '.join(said.split())}") from error
        return {path: (folder / path).read_text("utf-8") for path in files}
