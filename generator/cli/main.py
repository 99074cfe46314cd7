"""`toolmint`: finds the command, and turns every way it can end into a line and a status.

0 is fine, 1 a finding (drift, a failed call, a loss under --strict), 2 wrong usage or
input that cannot be read, 130 an interruption.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

import click

from .ending import FINDING, INTERRUPTED, USAGE, Finding

_COMMANDS = {
    "generate": "Compile descriptions into tool packages.",
    "check": "Say which committed files differ from what generate would write.",
    "tools": "List the tools of a package.",
    "describe": "Print what a model is sent about a package's tools.",
    "auth": "Sign in for a package, see which credentials are there, sign out.",
    "call": "Run one tool, or show the exact request it would send.",
    "run": "Let a model work with packages; it asks before consequential calls.",
    "demo": "See the whole story on this machine, with nothing but this install.",
}


class _Commands(click.Group):
    """Lists every command without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f".{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from ...runtime.version import VERSION

        click.echo(f"toolmint {VERSION}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and end.",
)
def cli() -> None:
    """Turn API descriptions into typed tool packages that you commit."""


def main() -> NoReturn:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character gets its code
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit status. Bad input ends in one line on stderr."""
    try:
        with cli.make_context("toolmint", list(arguments)) as context:
            cli.invoke(context)
        return 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except Finding as finding:
        return _say(str(finding), FINDING)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return USAGE
    except click.ClickException as error:
        return _say(_usage(error), USAGE)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINDING
    except Exception as error:
        if os.environ.get("TOOLMINT_TRACEBACK"):
            raise
        return _other(error)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    where = f" See {context.command_path} --help." if isinstance(context, click.Context) else ""
    return " ".join(error.format_message().split()) + where


def _other(error: Exception) -> int:
    from ..errors import InputError
    from ..output import EditedError

    match error:
        case EditedError():
            return _say(str(error), FINDING)
        case InputError():
            return _say(str(error), USAGE)
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return _say(f"{place}{error.strerror or error}.", USAGE)
        case _:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            return _say(
                f"a fault in toolmint: {what}. TOOLMINT_TRACEBACK=1 shows where; please report it.",
                USAGE,
            )


def _say(line: str, status: int) -> int:
    click.echo(f"toolmint: {line}" if line else "", err=True, nl=bool(line))
    return status
