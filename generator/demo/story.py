"""The demo told in one screen: generate, describe, call, refuse, dry-run, look around."""

import json
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

import click

from ...auth import environment_variables
from ...runtime import PreparedRequest, Toolset
from ..cli.call import run
from ..cli.package import toolset_class
from ..cli.request import body_text
from ..cli.tools import HEADER, row, table
from ..config import Config
from ..errors import InputError
from ..output import write
from ..pipeline import compile
from .desk import example
from .server import serve

Say: TypeAlias = Callable[[str], None]
_Arguments: TypeAlias = Mapping[str, Any]

_BUNDLED = Path(__file__).with_name("desk.yaml")
_SETTINGS = '[[package]]\nsource = "desk.yaml"\noutput = "desk_tools"\n'
_COLUMNS = ("tool", "call", "effect", "auth", "tokens")
_WIDTH = 92

_NEW_TICKET: _Arguments = {
    "title": "The printer is on fire",
    "customer": {"name": "Lin", "email": "lin@customer.example"},
    "priority": "high",
}
_WRONG_TICKET: _Arguments = {"title": "No paper", "priority": "urgent", "assignee": "ada"}


def tell(folder: Path, say: Say) -> None:
    """Make a playground in `folder`, serve its API on loopback, call it, and say all that.

    Raises InputError when the folder holds a description that is not the demo's.
    """
    _lay_out(folder)
    package = folder / "desk_tools"
    say(click.style("toolmint demo", bold=True) + ": an API's description becomes tools that work")
    files = _generate(folder, package)
    kind = toolset_class(str(package))
    with serve(example(), token := secrets.token_hex(12)) as address:
        desk = kind(credentials={"token": token}, base_url=address)
        _tell_tools(desk, package, files, say)
        _tell_description(desk, say)
        _tell_calls(desk, say)
        _tell_refusal(desk, say)
        _tell_dry_run(desk, say)
    _tell_what_next(kind, folder, say)


def _lay_out(folder: Path) -> None:
    """The description and its settings, so that `generate` and `check` work there afterwards."""
    for path, text in (
        (folder / "desk.yaml", _BUNDLED.read_text("utf-8")),
        (folder / "toolmint.toml", _SETTINGS),
    ):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
        elif path.read_text("utf-8") != text:
            raise InputError(
                f"{path}: is not the demo's; give the demo another folder with -o DIR."
            )


def _generate(folder: Path, package: Path) -> int:
    files = compile(Config(source=str(folder / "desk.yaml"), output=str(package)))
    write(files, package)
    return len(files.files)


# ── the parts of the story ──────────────────────────────────────────────────────────


def _tell_tools(desk: Toolset, package: Path, files: int, say: Say) -> None:
    _title(
        1, "generate", f"desk.yaml → {package.as_posix()}/  ({len(desk)} tools, {files} files)", say
    )
    chosen = [HEADER.index(name) for name in _COLUMNS]
    rows = [[cells[column] for column in chosen] for cells in map(row, desk)]
    first, *lines = table(_COLUMNS, rows)
    say(click.style(f"   {first}", dim=True))
    for line in lines:
        say(f"   {line}")


def _tell_description(desk: Toolset, say: Say) -> None:
    tool = desk["update_ticket"]
    _title(
        2, "describe", f"what a model is sent for {tool.name}: no credential, no path, no host", say
    )
    [sent] = desk.select(names=tool.name).describe("anthropic")
    for line in _wrapped(json.dumps(sent, ensure_ascii=False)):
        say(click.style(f"   {line}", dim=True))


def _tell_calls(desk: Toolset, say: Say) -> None:
    _title(3, "call", "typed in Python, checked, then real HTTP", say)
    _tell_call(desk, "create_ticket", _NEW_TICKET, say)
    _tell_call(desk, "list_tickets", {"status": ["open", "waiting"], "limit": 2}, say)


def _tell_call(desk: Toolset, name: str, arguments: _Arguments, say: Say) -> None:
    keywords = ", ".join(f"{key}={json.dumps(value)}" for key, value in arguments.items())
    for line in _wrapped(f"desk.tickets.{name}({keywords}).run()"):
        say(f"   {line}")
    call = getattr(desk.tickets, name)(**arguments)  # type: ignore[attr-defined]
    _tell_request(call.prepare(), say)
    answer = json.dumps(call.run(), ensure_ascii=False)
    say(click.style("   ← ", fg="green") + _short(answer))


def _tell_refusal(desk: Toolset, say: Say) -> None:
    _title(4, "refuse", "a model invents arguments: nothing is sent, and it is told why", say)
    say(f'   await desk.call("create_ticket", {json.dumps(_WRONG_TICKET)})')
    result = run(desk, desk["create_ticket"], _WRONG_TICKET)
    for problem in result.error.details if result.error else ():
        assert isinstance(problem, Mapping)
        say(click.style("   ✗ ", fg="red") + f"{problem['pointer']} {problem['reason']}")


def _tell_dry_run(desk: Toolset, say: Say) -> None:
    tool = desk["delete_ticket"]
    _title(5, "dry run", f"{tool.name} destroys ({tool.effects.reason}): look at it first", say)
    _tell_request(desk.prepare(tool.name, {"number": 1}), say)


def _tell_request(request: PreparedRequest, say: Say) -> None:
    shown = request.redacted()
    say(click.style("   → ", fg="cyan") + f"{shown.method} {shown.url}")
    if request.method != "GET":
        say(f"     Authorization: {shown.headers['Authorization']}")
    if shown.body is not None:
        say(f"     {_short(body_text(shown.body))}")


def _tell_what_next(kind: type[Toolset], folder: Path, say: Say) -> None:
    [variable] = environment_variables(kind.package.name, kind.package.schemes)["token"]
    _title(
        6, "look around", f"{folder.as_posix()}/desk_tools/tickets.py is code that you commit", say
    )
    for line in (
        f"cd {folder.as_posix()}",
        f"{variable}=secret toolmint call desk_tools delete_ticket number=1 --dry-run",
        "toolmint check       # edit desk.yaml first, and see it say what differs",
        "toolmint generate YOUR_API.yaml -o your_tools",
    ):
        say(f"   $ {line}")


# ── how it is set ───────────────────────────────────────────────────────────────────


def _title(number: int, name: str, text: str, say: Say) -> None:
    say(click.style(f"\n{number}  {name.upper():<13}", fg="blue", bold=True) + text)


def _wrapped(text: str) -> list[str]:
    return wrap(text, _WIDTH, break_on_hyphens=False)


def _short(text: str) -> str:
    """One line of the screen, with how much was left out."""
    room = _WIDTH - 8
    return text if len(text) <= room else f"{text[:room]}… (+{len(text) - room})"
