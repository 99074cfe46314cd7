"""The options that `generate` and `check` share: which packages, compiled how."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

import click

from ..config import Config, Options, configurations
from ..progress import Progress

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The packages to compile, and how strictly and loudly."""

    configs: tuple[Config, ...]
    strict: bool
    as_json: bool
    jobs: int


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.argument("source", required=False),
    click.option("-o", "--output", metavar="DIR", help="The package's own folder."),
    click.option(
        "--package", metavar="NAME", help="Its import name; the last part of DIR if not given."
    ),
    click.option(
        "--document-url",
        metavar="URL",
        help="What relative servers and references resolve against.",
    ),
    click.option(
        "--endpoint",
        metavar="URL",
        help="Where a GraphQL server is; without SOURCE its schema is read from there.",
    ),
    click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="'NAME: VALUE'",
        help="Sent when a live endpoint is read; kept nowhere.",
    ),
    click.option(
        "--include",
        multiple=True,
        metavar="PATTERN",
        help="Only these operations: tag:NAME, METHOD /path/**, operationId.",
    ),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Not these operations."),
    click.option(
        "--overlay",
        "overlays",
        multiple=True,
        metavar="FILE",
        help="An OpenAPI overlay: changes to the description, made before it is read.",
    ),
    click.option(
        "--reference-folder",
        "reference_folders",
        multiple=True,
        metavar="DIR",
        help="References may lead to files below it, besides the description's own folder.",
    ),
    click.option(
        "--allow-remote-refs",
        is_flag=True,
        help="References may lead to public web addresses.",
    ),
    click.option("--strict", is_flag=True, help="A loss is a failure."),
    click.option("--offline", is_flag=True, help="Use no network."),
    click.option(
        "--json", "as_json", is_flag=True, help="Print the report as JSON, one line a package."
    ),
    click.option(
        "--jobs", type=click.IntRange(1), metavar="N", help="How many packages to compile at once."
    ),
)


def options(command: Command) -> Command:
    """Add the shared options to a command."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


def select(*, as_json: bool, jobs: int | None, **chosen: Any) -> Selection:
    """What the shared options mean in the current directory."""
    import os

    said = Options(**chosen)
    configs = configurations(said)
    return Selection(
        configs=configs,
        strict=said.strict,
        as_json=as_json,
        jobs=min(jobs or os.cpu_count() or 1, len(configs)),
    )


def of_package(config: Config, progress: Progress) -> Progress:
    """The same progress, saying of each step which package it is about."""
    return lambda step: progress(f"{config.name}: {step} {config.label}")
