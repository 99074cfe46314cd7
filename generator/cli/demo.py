"""`toolmint demo`: the whole story with nothing but this install."""

from pathlib import Path

import click


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
    from ..demo.story import tell

    tell(output, click.echo)
