"""The demo told in one screen: generate, call, refuse, run the loop, look around."""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal, TypeAlias

from ...auth import environment_variables
from ...runtime import PreparedRequest, Toolset
from ..cli.access import Access
from ..cli.call import run
from ..cli.package import toolset_class
from ..cli.request import body_text
from ..cli.tools import HEADER, row, table
from ..config import Config
from ..errors import InputError
from ..output import write
from ..pipeline import compile
from .desk import example
from .play import play
from .server import serve

_Arguments: TypeAlias = Mapping[str, Any]

Role: TypeAlias = Literal["title", "quiet", "request", "answer", "refusal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Where the story is told: how a line is shown, and how a part of one is coloured."""

    say: Callable[[str], None]
    paint: Callable[[str, Role], str]


_BUNDLED = Path(__file__).with_name("desk.yaml")
_SETTINGS = '[[package]]\nsource = "desk.yaml"\noutput = "desk_tools"\n'
_COLUMNS = ("tool", "call", "effect", "auth", "tokens")
_WIDTH = 92
_LABEL = 10  # columns of the word that a line of the run begins with
_LOOKS: Mapping[str, Role] = {"ask": "refusal", "execute": "request", "observe": "answer"}

_NEW_TICKET: _Arguments = {
    "title": "The printer is on fire",
    "customer": {"name": "Lin", "email": "lin@customer.example"},
    "priority": "high",
}
_WRONG_TICKET: _Arguments = {"title": "No paper", "priority": "urgent", "assignee": "ada"}


def tell(folder: Path, screen: Screen) -> None:
    """Make a playground in `folder`, serve its API on loopback, call it, and tell all that.

    Raises InputError when the folder holds a description that is not the demo's.
    """
    _lay_out(folder)
    package = folder / "desk_tools"
    screen.say(
        screen.paint("toolmint demo", "title") + ": an API's description becomes tools that work"
    )
    files = _generate(folder, package)
    kind = toolset_class(str(package))
    with serve(example(), token := secrets.token_hex(12)) as address:
        desk = kind(credentials={"token": token}, base_url=address)
        _tell_tools(desk, package, files, screen)
        _tell_call(desk, "create_ticket", _NEW_TICKET, screen)
        _tell_refusal(desk, screen)
        _tell_run(desk, screen)
    _tell_what_next(kind, folder, screen)


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


def _tell_tools(desk: Toolset, package: Path, files: int, screen: Screen) -> None:
    _title(
        1,
        "generate",
        f"desk.yaml → {package.as_posix()}/  ({len(desk)} tools, {files} files)",
        screen,
    )
    chosen = [HEADER.index(name) for name in _COLUMNS]
    access = Access(desk)
    rows = [[cells[column] for column in chosen] for cells in (row(tool, access) for tool in desk)]
    first, *lines = table(_COLUMNS, rows)
    screen.say(screen.paint(f"   {first}", "quiet"))
    for line in lines:
        screen.say(f"   {line}")


def _tell_call(desk: Toolset, name: str, arguments: _Arguments, screen: Screen) -> None:
    _title(2, "call", "typed in Python, checked, then real HTTP", screen)
    keywords = ", ".join(f"{key}={json.dumps(value)}" for key, value in arguments.items())
    for line in _wrapped(f"desk.tickets.{name}({keywords}).run()"):
        screen.say(f"   {line}")
    call = attrgetter(f"tickets.{name}")(desk)(**arguments)
    _tell_request(call.prepare(), screen)
    answer = json.dumps(call.run(), ensure_ascii=False)
    screen.say(screen.paint("   ← ", "answer") + _short(answer))


def _tell_refusal(desk: Toolset, screen: Screen) -> None:
    _title(3, "refuse", "a model invents arguments: nothing is sent, and it is told why", screen)
    screen.say(f'   await desk.call("create_ticket", {json.dumps(_WRONG_TICKET)})')
    result = run(desk, desk["create_ticket"], _WRONG_TICKET)
    for problem in result.error.details if result.error else ():
        assert isinstance(problem, Mapping)
        screen.say(screen.paint("   ✗ ", "refusal") + f"{problem['pointer']} {problem['reason']}")


def _tell_run(desk: Toolset, screen: Screen) -> None:
    _title(
        4, "run", "describe → decide → execute → observe: a scripted model, the real loop", screen
    )
    for line in play(desk, _WIDTH):
        label = line[:_LABEL]
        screen.say(f"   {screen.paint(label, _LOOKS.get(label.strip(), 'quiet'))}{line[_LABEL:]}")


def _tell_request(request: PreparedRequest, screen: Screen) -> None:
    shown = request.redacted()
    screen.say(screen.paint("   → ", "request") + f"{shown.method} {shown.url}")
    if request.method != "GET":
        screen.say(f"     Authorization: {shown.headers['Authorization']}")
    if shown.body is not None:
        screen.say(f"     {_short(body_text(shown.body))}")


def _tell_what_next(kind: type[Toolset], folder: Path, screen: Screen) -> None:
    [variable] = environment_variables(kind.package.name, kind.package.schemes)["token"]
    _title(
        5,
        "look around",
        f"{folder.as_posix()}/desk_tools/tickets.py is code that you commit",
        screen,
    )
    for line in (
        f"cd {folder.as_posix()}",
        f"{variable}=secret toolmint call desk_tools delete_ticket number=1 --dry-run",
        "toolmint check       # edit desk.yaml first, and see it say what differs",
        "toolmint generate YOUR_API.yaml -o your_tools",
    ):
        screen.say(f"   $ {line}")


# ── how it is set ───────────────────────────────────────────────────────────────────


def _title(number: int, name: str, text: str, screen: Screen) -> None:
    screen.say(screen.paint(f"\n{number}  {name.upper():<13}", "title") + text)


def _wrapped(text: str) -> list[str]:
    return wrap(text, _WIDTH, break_on_hyphens=False)


def _short(text: str) -> str:
    """One line of the screen, with how much was left out."""
    room = _WIDTH - 8
    return text if len(text) <= room else f"{text[:room]}… (+{len(text) - room})"
