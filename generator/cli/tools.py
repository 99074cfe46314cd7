"""`toolmint tools`: the catalogue of a package, as a table or as JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

from ...runtime import Tool
from ..catalogue_words import conditions, effect, effect_and_readings
from ..visible import visible_json
from .access import Access
from .package import toolset_class


@click.command("tools")
@click.argument("package")
@click.option("--json", "as_json", is_flag=True, help="Print the catalogue as JSON.")
def command(package: str, as_json: bool) -> None:
    """List the tools of PACKAGE, a folder or an import name.

    The column usable says whether the credentials in the environment are enough for a call.
    """
    tools = toolset_class(package)(credentials={})
    access = Access(tools)
    if as_json:
        told = [facts(tool, access) for tool in tools]
        click.echo(visible_json(told, indent=2))
    else:
        click.echo("\n".join(table(HEADER, [row(tool, access) for tool in tools])))


HEADER = ("tool", "call", "effect", "gate", "auth", "usable", "limit", "tokens")


def facts(tool: Tool, access: Access) -> dict[str, Any]:
    """Everything the catalogue says of a tool, as plain data."""
    limit = tool.rate_limit
    return {
        "name": tool.name,
        "call": f"{tool.method} {tool.path}",
        "operation_id": tool.operation_id,
        "description": tool.description,
        "tags": list(tool.tags),
        "effect": effect(tool.effects),
        "effects": {
            "read_only": tool.effects.read_only,
            "destructive": tool.effects.destructive,
            "idempotent": tool.effects.idempotent,
            "open_world": tool.effects.open_world,
            "reason": tool.effects.reason,
        },
        "gate": {
            "approval": tool.gate.approval,
            "requires": list(tool.gate.requires),
            "suggested": list(tool.gate.suggested),
            "reads": list(tool.gate.reads),
        },
        "auth": [
            {name: list(scopes) for name, scopes in either.items()} for either in tool.security
        ],
        "optional_auth": list(tool.optional_credentials),
        "usable": access.usable(tool),
        "missing": list(access.missing(tool)),
        "limit": limit and {"requests": limit.requests, "seconds": limit.seconds},
        "tokens": tool.tokens,
        "deprecated": tool.deprecated,
    }


def row(tool: Tool, access: Access) -> tuple[str, ...]:
    """A tool as a line of the catalogue."""
    limit = tool.rate_limit
    return (
        tool.name + (" (deprecated)" if tool.deprecated else ""),
        f"{tool.method} {tool.path}",
        effect_and_readings(tool.effects, tool.gate),
        conditions(tool.effects, tool.gate) or "-",
        auth(tool),
        access.usable(tool),
        f"{limit.requests:g}/{limit.seconds:g}s" if limit else "-",
        str(tool.tokens),
    )


def auth(tool: Tool) -> str:
    """The alternatives of credentials, and what may go along with any of them."""
    needed = " or ".join("+".join(either) or "none" for either in tool.security) or "none"
    optional = ", ".join(tool.optional_credentials)
    return f"{needed} (optional: {optional})" if optional else needed


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines with aligned columns; the last column, a number, is aligned to the right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return [
        "  ".join(
            [
                *(cell.ljust(width) for cell, width in zip(line[:-1], widths, strict=False)),
                line[-1].rjust(widths[-1]),
            ]
        ).rstrip()
        for line in lines
    ]
