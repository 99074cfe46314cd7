"""What to compile: the packages of `toolmint.toml` or pyproject.toml, and command line options.

Here files are found and paths resolved; what the policy keys mean is `settings`' part.
"""

import keyword
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .errors import InputError
from .plain import is_array, is_object
from .reading.addresses import is_address, is_url, without_secrets
from .settings.policy import PackageSettings
from .settings.table import package_settings

FILE = "toolmint.toml"
_PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One package to compile. Paths are as the process can open them."""

    source: str  # a file's path or a URL
    output: str  # the package's own folder
    package: str = ""  # its import name; empty: the last part of `output`
    document_url: str | None = None  # what relative servers and references resolve against
    endpoint: str | None = None  # where a GraphQL server is
    headers: tuple[str, ...] = ()  # `Name: value`, to read a live endpoint with; never kept
    strict: bool = False  # a dirty schema is refused
    offline: bool = False  # no network, whatever the source says
    settings: PackageSettings = field(default_factory=PackageSettings)

    @property
    def name(self) -> str:
        """The import name, checked.

        Raises InputError when it is none.
        """
        name = self.package or Path(self.output).resolve().name
        if all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split(".")):
            return name
        raise InputError(
            f"{name!r} cannot be imported; name the package with --package, or choose another -o."
        )

    @property
    def address(self) -> str | None:
        """`document_url`, checked. Raises InputError when nothing resolves against it."""
        if self.document_url is None or is_address(self.document_url):
            return self.document_url
        text = (
            f"document_url is {self.document_url!r}, which is no web address; "
            "write it whole: https://api.example.com/openapi.json."
        )
        if self.settings.document_url == self.document_url:
            raise InputError.at(self.settings.location, text)
        raise InputError(f"--{text.replace('_', '-', 1)}")

    @property
    def decided(self) -> dict[str, Any]:
        """What the user decided about the package, from the file or the command line."""
        decided = {"package": self.name, **self.settings.as_data()}
        if self.document_url:
            decided["document_url"] = source_label(self.document_url)
        return decided

    @property
    def label(self) -> str:
        """The source as generated files name it: no folder, no secret, the same everywhere."""
        return source_label(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says of one package; None leaves it to the file."""

    source: str | None = None
    output: str | None = None
    package: str | None = None
    document_url: str | None = None
    endpoint: str | None = None
    headers: tuple[str, ...] = ()
    strict: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    reference_folders: tuple[str, ...] = ()
    allow_remote_refs: bool = False
    offline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A settings file and its `[[package]]` tables, as written."""

    file: Path
    packages: tuple[Any, ...]


def source_label(source: str) -> str:
    """A file's own name, or an address without user, query and fragment."""
    if not is_url(source):
        return re.split(r"[/\\]", source)[-1]
    return without_secrets(source).partition("#")[0].partition("?")[0]


# ── finding ─────────────────────────────────────────────────────────────────────────


def find(start: Path) -> Project | None:
    """The nearest settings at or above a folder; toolmint.toml goes before pyproject.toml."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return _project(folder / FILE, read_toml(folder / FILE))
        if (folder / _PYPROJECT).is_file():
            table = read_toml(folder / _PYPROJECT).get("tool", {}).get("toolmint")
            if table is not None:
                return _project(folder / _PYPROJECT, table)
    return None


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML file as plain data.

    Raises InputError with the line where it is not TOML.
    """
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{_shown(file)}: not valid TOML: {error}.") from error


def _project(file: Path, table: object) -> Project:
    prefix = "tool.toolmint." if file.name == _PYPROJECT else ""
    settings: Mapping[str, Any] = table if is_object(table) else {}
    if other := sorted(settings.keys() - {"package"}):
        raise InputError(
            f"{_shown(file)}: unknown key {prefix}{other[0]}; settings go below "
            f"[[{prefix}package]]."
        )
    packages: object = settings.get("package")
    if not is_array(packages):
        raise InputError(
            f"{_shown(file)}: no [[{prefix}package]] table; give each package one, with its source."
        )
    return Project(file=file, packages=tuple(packages))


# ── choosing ────────────────────────────────────────────────────────────────────────


def configurations(options: Options, start: Path | None = None) -> tuple[Config, ...]:
    """The packages a command line means: those of the settings file that fit, or one of its own.

    Raises InputError when it means none, or an option for one package meets several.
    """
    project = find((start or Path.cwd()).resolve())
    found = _of_project(project, options) if project else ()
    if len(found) > 1 and (options.package or options.document_url):
        raise InputError("--package and --document-url are for one package; choose it with -o DIR.")
    if found:
        return found
    source = options.source or options.endpoint
    if source is None:
        raise InputError(_nothing_to_do(project, options))
    return (_alone(source, options),)


def _nothing_to_do(project: Project | None, options: Options) -> str:
    if project and options.output:
        return (
            f"{_shown(project.file)}: no package has output {options.output}; give its SOURCE too."
        )
    return f"nothing to compile: give SOURCE, or write a {FILE} with a [[package]]."


def _of_project(project: Project, options: Options) -> tuple[Config, ...]:
    configs = [
        _of_table(package_settings(table, _shown(project.file), f"/package/{index}"), project)
        for index, table in enumerate(project.packages)
    ]
    outputs = [str(Path(config.output).resolve()) for config in configs]
    for index, config in enumerate(configs):
        if outputs[index] in outputs[:index]:
            raise InputError.at(
                config.settings.location,
                f"{config.output} is another package's output too; give each its own.",
            )
    return tuple(
        _with_options(config, options)
        for config in configs
        if (options.source is None or _same_place(options.source, config.source))
        and (options.output is None or _same_place(options.output, config.output))
    )


def _same_place(one: str, other: str) -> bool:
    if is_url(one) or is_url(other):
        return one == other
    return Path(one).resolve() == Path(other).resolve()


def _of_table(settings: PackageSettings, project: Project) -> Config:
    folder, source = project.file.parent, settings.source or settings.endpoint
    if not source:
        raise InputError.at(settings.location, "a package has no source; name its description.")
    output = settings.output or default_output(source)
    return Config(
        source=source if is_url(source) else _shown(folder / source),
        output=_shown(folder / output),
        package=settings.package,
        document_url=settings.document_url or None,
        endpoint=settings.endpoint or None,
        settings=_found_from(folder, settings),
    )


def _found_from(folder: Path, settings: PackageSettings) -> PackageSettings:
    """The settings with the files that they name as the process can open them."""

    def found(files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_shown(folder / one) for one in files)

    graphql = replace(settings.graphql, operations=found(settings.graphql.operations))
    return replace(
        settings,
        graphql=graphql,
        overlays=found(settings.overlays),
        reference_folders=found(settings.reference_folders),
    )


def _alone(source: str, options: Options) -> Config:
    config = Config(source=source, output=default_output(source, options.package))
    return _with_options(config, options)


def _with_options(config: Config, options: Options) -> Config:
    settings = config.settings
    if options.include:
        settings = replace(settings, include=options.include)
    if options.exclude:
        settings = replace(settings, exclude=options.exclude)
    if options.overlays:
        settings = replace(settings, overlays=options.overlays)
    if options.reference_folders:
        settings = replace(settings, reference_folders=options.reference_folders)
    if options.allow_remote_refs:
        settings = replace(settings, allow_remote_refs=True)
    return replace(
        config,
        output=options.output or config.output,
        package=options.package or config.package,
        document_url=options.document_url or config.document_url,
        endpoint=options.endpoint or config.endpoint,
        headers=options.headers or config.headers,
        strict=options.strict or config.strict,
        offline=options.offline or config.offline,
        settings=settings,
    )


def default_output(source: str, package: str | None = None) -> str:
    """Where a package goes when nobody says: `specs/pet-store.yaml` → `pet_store_tools`."""
    if package:
        return package.rpartition(".")[2]
    stem = source_label(source).rstrip("/").rpartition("/")[2].split(".")[0]
    words = re.sub(r"\W+", "_", stem.lower()).strip("_") or "api"
    return f"_{words}_tools" if words[0].isdigit() else f"{words}_tools"


def _shown(path: Path) -> str:
    """A path as a person in the current directory would name it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith(os.path.join("..", "..")) else relative
