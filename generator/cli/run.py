"""`toolmint run`: a model with the tools of packages, in the terminal."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Any

import click

from ...runtime import (
    Agent,
    Budget,
    Ended,
    Model,
    ModelError,
    RunResult,
    TerminalApprover,
    Toolset,
    loaders,
)
from ...runtime.agent.run_context import Source
from ...runtime.agent.transcript import lines
from ...runtime.models import model_named
from ...runtime.shown.visible import visible
from ..errors import InputError, one_line
from .ending import Finding
from .package import toolset_class

MANY = 40  # tools; with more of them a run starts with loaders


@click.command("run")
@click.argument("packages", nargs=-1, required=True, metavar="PACKAGE...")
@click.argument("prompt")
@click.option("--model", required=True, metavar="PROVIDER:NAME", help="Such as openai:gpt-5.")
@click.option("--model-url", metavar="URL", help="A server that speaks the provider's API.")
@click.option("--base-url", metavar="URL", help="Replaces every server of the one PACKAGE.")
@click.option("--instructions", default="", metavar="TEXT", help="What the model is told first.")
@click.option("--max-turns", default=10, show_default=True, type=click.IntRange(min=1))
@click.option("--max-calls", type=click.IntRange(min=0), help="Tool calls at most.")
@click.option("--max-seconds", type=click.FloatRange(min=0), help="Time at most.")
@click.option(
    "--loaders/--no-loaders",
    "start_small",
    default=None,
    help=f"Start with tools that load others; by itself with more than {MANY} tools.",
)
def command(
    packages: tuple[str, ...],
    prompt: str,
    model: str,
    model_url: str | None,
    base_url: str | None,
    instructions: str,
    max_turns: int,
    max_calls: int | None,
    max_seconds: float | None,
    start_small: bool | None,
) -> None:
    """Let a model work with the tools of PACKAGE..., folders or import names, on PROMPT.

    It asks at the terminal before consequential calls; elsewhere they are denied. What happens
    goes to stderr, the answer to stdout. The model's key is read from its provider's variable.
    """
    if base_url is not None and len(packages) > 1:
        raise InputError("--base-url: goes with one package only.")
    toolsets = _toolsets(packages, base_url)
    agent = Agent(
        _model(model, model_url),
        _offered(toolsets, start_small),
        instructions=instructions,
        max_turns=max_turns,
        budget=Budget(calls=max_calls, seconds=max_seconds),
        approve=TerminalApprover(),
    )
    result = asyncio.run(_told(agent, prompt, toolsets))
    if result.reason != "done":
        raise Finding(one_line(f"{result.reason}: {result.text}"))


async def _told(agent: Agent, prompt: str, toolsets: Sequence[Toolset]) -> RunResult:
    """Tell the run step by step; the connections are closed behind it."""
    async with AsyncExitStack() as stack:
        for toolset in toolsets:
            await stack.enter_async_context(toolset)
        steps = await stack.enter_async_context(aclosing(agent.stream(prompt)))
        async for step in steps:
            if isinstance(step, Ended):
                if step.result.reason == "done":
                    click.echo(visible(step.result.text))
                return step.result
            for line in lines(step):
                click.echo(line, err=True)
    raise AssertionError("a run ends with a step that says so")


def _model(name: str, address: str | None) -> Model:
    settings: dict[str, Any] = {} if address is None else {"base_url": address}
    try:
        return model_named(name, **settings)
    except (ValueError, ModelError) as error:
        raise InputError(f"--model: {error}") from error


def _toolsets(packages: Sequence[str], base_url: str | None) -> list[Toolset]:
    """One toolset each; where their tools' names clash, each goes by its package's name."""
    kinds = [toolset_class(package) for package in packages]
    made = [kind(base_url=base_url) for kind in kinds]
    names = [name for toolset in made for name in toolset.names()]
    if len(names) == len(set(names)):
        return made
    return [kind(base_url=base_url, prefix=f"{_short(kind)}_") for kind in kinds]


def _short(kind: type[Toolset]) -> str:
    return kind.package.name.rpartition(".")[2].removesuffix("_tools")


def _offered(toolsets: Sequence[Toolset], start_small: bool | None) -> Source:
    if start_small is None:
        start_small = sum(map(len, toolsets)) > MANY
    if not start_small:
        return toolsets
    return [loader for toolset in toolsets for loader in loaders(toolset)]
