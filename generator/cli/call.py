"""`toolmint call`: one tool, from the terminal, through the generated package."""

import json
import sys
from collections.abc import Mapping
from typing import Any

import click

from ...auth import acting_for
from ...runtime import Proposal, Tool, ToolError, ToolResult, Toolset
from ...runtime.shown.ours import offering
from ...runtime.validation import did_you_mean
from ..errors import InputError, one_line
from .arguments import read_arguments
from .ending import Finding
from .gate import AtTerminal
from .package import toolset_class
from .request import request_text


@click.command("call")
@click.argument("package")
@click.argument("tool")
@click.argument("arguments", nargs=-1, metavar="[ARG=VALUE | ARG:=JSON]...")
@click.option("--json", "text", metavar="JSON", help="All arguments as one object; - reads stdin.")
@click.option("--base-url", metavar="URL", help="Replaces every server, base path included.")
@click.option("--principal", default="", metavar="NAME", help="On whose behalf; see toolmint auth.")
@click.option(
    "--dry-run", is_flag=True, help="Print the exact request, secrets redacted; send nothing."
)
@click.option("--yes", is_flag=True, help="Do not ask before a consequential call.")
def command(
    package: str,
    tool: str,
    arguments: tuple[str, ...],
    text: str | None,
    base_url: str | None,
    principal: str,
    dry_run: bool,
    yes: bool,
) -> None:
    """Run TOOL of PACKAGE, a folder or an import name, and print its result as JSON."""

    def shown(asked: Proposal) -> str:
        return _request(toolset, asked.tool.name, asked.arguments)

    toolset = toolset_class(package)(base_url=base_url, policy=AtTerminal(shown, yes=yes))
    chosen = _tool(toolset, tool)
    text = sys.stdin.read() if text == "-" else text
    takes = offering(chosen.input_schema, chosen.offers)
    given = read_arguments(arguments, text, takes)
    if dry_run:
        click.echo(_request(toolset, chosen.name, given))
        return
    with acting_for(principal):
        result = run(toolset, chosen, given)
    if not result.success:
        raise Finding(_failure(result.outcome, result.error))
    click.echo(json.dumps(result.data, indent=2, ensure_ascii=False))


def run(toolset: Toolset, tool: Tool, arguments: Mapping[str, Any]) -> ToolResult:
    """The call's outcome; the connections are closed behind it."""
    import asyncio

    async def once() -> ToolResult:
        async with toolset:
            return await toolset.call(tool.name, arguments)

    return asyncio.run(once())


def _tool(toolset: Toolset, name: str) -> Tool:
    if name in toolset.names():
        return toolset[name]
    hint = did_you_mean(name, toolset.names()) or "; toolmint tools lists them."
    raise InputError(f"{name}: no such tool{hint}")


def _request(toolset: Toolset, tool: str, arguments: Mapping[str, Any]) -> str:
    try:
        return request_text(toolset.prepare(tool, arguments))
    except ToolError as error:
        raise Finding(_failure(error.outcome, error)) from error


def _failure(outcome: str, error: ToolError | None) -> str:
    message = " ".join(error.message.split()) if error else "no reason given"
    return one_line(f"{outcome}: {message}")
