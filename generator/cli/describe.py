"""`toolmint describe`: the tools as a model is sent them, and what that changed."""

from typing import get_args

import click

from ...runtime import Provider
from ..errors import one_line
from ..visible import visible_json
from .package import toolset_class


@click.command("describe")
@click.argument("package")
@click.option(
    "--for",
    "provider",
    type=click.Choice(get_args(Provider)),
    default="json-schema",
    show_default=True,
    help="Who is sent it.",
)
@click.option(
    "--strict/--no-strict",
    default=True,
    show_default=True,
    help="Use the provider's strict mode where nothing is lost by it.",
)
def command(package: str, provider: Provider, strict: bool) -> None:
    """Print what a model is sent about the tools of PACKAGE, a folder or an import name.

    What had to change for the provider goes to stderr, one line a tool and change.
    """
    exported = toolset_class(package)(credentials={}).export(provider, strict=strict)
    click.echo(visible_json(exported.payload, indent=2))
    for change in exported.changes:
        click.echo(one_line(str(change)), err=True)
