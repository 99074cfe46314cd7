"""`toolmint demo`: the whole story with nothing but this install."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ..demo.story import Role, Screen, tell

_LOOKS: Mapping[Role, Mapping[str, Any]] = {
    "title": {"fg": "blue", "bold": True},
    "quiet": {"dim": True},
    "request": {"fg": "cyan"},
    "answer": {"fg": "green"},
    "refusal": {"fg": "red"},
}


@click.command("demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("toolmint-demo"),
    show_default=True,
    metavar="DIR",
    help="Where the demo leaves its description and its package.",
)
def command(output: Path) -> None:
    """Generate a package, serve its API on loopback, and call it."""
    tell(output, Screen(say=click.echo, paint=lambda text, role: click.style(text, **_LOOKS[role])))
