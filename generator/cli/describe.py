"""`toolmint describe`: the tools as a model is sent them."""

import json
from typing import get_args

import click

from ...runtime import Provider
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
def command(package: str, provider: Provider) -> None:
    """Print what a model is sent about the tools of PACKAGE, a folder or an import name."""
    described = toolset_class(package)(credentials={}).describe(provider)
    click.echo(json.dumps(described, indent=2, ensure_ascii=False))
