"""The scripts in `examples/agent/`, on loopback servers, with a model that says what it is told."""

import asyncio
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.behaviour.agents import call, offered, outcomes, script
from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from tests.behaviour.test_cli_run import Provider, calls, chunk
from toolmint.generator import Options, check, compile, configurations
from toolmint.generator.demo.desk import Desk as Tickets
from toolmint.generator.demo.desk import example
from toolmint.generator.demo.server import serve

FOLDER = Path(__file__).parents[2] / "examples" / "agent"
TOKEN = "secret-1"


def mailbox(request: Seen) -> Answer:
    """A mailbox with one message and one contact."""
    if request.target.endswith("/contacts"):
        return Answer.of([{"name": "Lin", "email": "lin@customer.example"}])
    message = {"id": 1, "sender": "Lin", "body": "Where is my money?"}
    return Answer.of([message] if request.method == "GET" else message)


@pytest.fixture
def tickets() -> Tickets:
    return example()


@pytest.fixture
def desk_url(tickets: Tickets) -> Iterator[str]:
    with serve(tickets, TOKEN) as address:
        yield address


@pytest.fixture
def mail() -> Iterator[Loopback]:
    with loopback() as started:
        started.answer = mailbox
        yield started


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a script of the folder, as running it there would."""
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])

    def imported(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield imported
    for name in [name for name in sys.modules if name.partition(".")[0] in _NAMES]:
        del sys.modules[name]


_NAMES = {path.stem for path in FOLDER.iterdir() if path.is_dir() or path.suffix == ".py"}


def toolsets(load: Any, desk_url: str, mail: Loopback) -> tuple[Any, Any]:
    desk = load("desk_tools").Desk(credentials={"token": TOKEN}, base_url=desk_url)
    return desk, load("mail_tools").Mail(credentials={"token": TOKEN}, base_url=mail.url)


def test_the_packages_are_what_toolmint_writes() -> None:
    for config in configurations(Options(), start=FOLDER):
        assert list(check(compile(config), config.output)) == []


def test_two_packages(
    load: Any, desk_url: str, mail: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, mailer = toolsets(load, desk_url, mail)
    model = script([call("list_messages"), call("get_ticket", number=2)], "It waits for Grace.")
    result = asyncio.run(load("two_packages").main(model, desk, mailer, "What does Lin want?"))
    assert (result.reason, result.text) == ("done", "It waits for Grace.")
    assert sorted(outcomes(result)) == [("get_ticket", "ok"), ("list_messages", "ok")]
    assert offered(model.requests)[0] == [*desk.names(), *mailer.names()]
    assert capsys.readouterr().out.splitlines()[-1] == "end       done: It waits for Grace."


def test_two_packages_without_a_person_at_the_terminal_send_nothing(
    load: Any, desk_url: str, mail: Loopback
) -> None:
    desk, mailer = toolsets(load, desk_url, mail)
    model = script([call("send_message", recipient="Lin", body="Hi")], "It was not allowed.")
    result = asyncio.run(load("two_packages").main(model, desk, mailer, "Write to Lin."))
    assert outcomes(result) == [("send_message", "denied")]
    assert mail.seen == []


def test_the_gate_pattern(load: Any, desk_url: str, mail: Loopback) -> None:
    desk, _ = toolsets(load, desk_url, mail)
    asked: list[str] = []

    def person(question: Any) -> bool:
        asked.append(f"{question.tool} {json.dumps(question.arguments)}")
        return False

    model = script(
        [call("refund", number=2, euros=8)],  # before the ticket was read
        [call("get_ticket", number=2)],
        [call("refund", number=2, euros=8)],  # routine
        [call("refund", number=2, euros=800)],  # a person's to decide
        [call("add_comment", number=2, text="8 euros are on their way.")],
        [call("delete_ticket", number=2)],
        "Settled.",
    )
    result = asyncio.run(load("gate_pattern").main(model, desk, person))
    assert outcomes(result) == [
        ("refund", "denied"),
        ("get_ticket", "ok"),
        ("refund", "ok"),
        ("refund", "denied"),
        ("add_comment", "ok"),
        ("delete_ticket", "denied"),
    ]
    assert asked == ['refund {"number": 2, "euros": 800}', 'delete_ticket {"number": 2}']


def test_the_loader_pattern(load: Any, desk_url: str, mail: Loopback) -> None:
    desk, mailer = toolsets(load, desk_url, mail)
    model = script(
        [call("load_tickets_tools")],
        [call("get_ticket", number=2)],
        [call("start_answering")],
        "I would write: it waits for Grace.",
    )
    result = asyncio.run(load("loader_pattern").main(model, desk, mailer))
    assert {outcome for _, outcome in outcomes(result)} == {"ok"}
    small = ["load_agents_tools", "load_tickets_tools", "start_answering"]
    tickets = [tool.name for tool in desk.select(tags="tickets")]
    assert offered(model.requests) == [
        small,
        [*small, *tickets],
        [*small, *tickets],
        ["load_agents_tools", "start_answering", "send_message"],
    ]


def test_resume_after_approval_in_another_process(
    tickets: Tickets, desk_url: str, tmp_path: Path
) -> None:
    provider = Provider(
        calls(("get_ticket", {"number": 1})),
        calls(("delete_ticket", {"number": 1})),
        chunk("stop", content="Ticket 1 is gone."),
    )
    with loopback() as server:
        server.answer = provider.answer
        shared = {"APPROVAL_KEY": "5a" * 32}
        full = {
            **shared,
            "MODEL": "openai-chat:m",
            "MODEL_URL": f"{server.url}/v1",
            "DESK_URL": desk_url,
            "DESK_TOKEN": TOKEN,
        }
        assert ran(tmp_path, full, "start", "Delete ticket 1.") == [
            "get_ticket ok",
            "approval: Waiting for approval: delete_ticket.",
        ]
        assert 1 in tickets.tickets
        assert ran(tmp_path, shared, "approve", "ada") == [
            'delete_ticket {"number": 1} it destroys or takes away something'
        ]
        assert 1 in tickets.tickets
        gone = ["delete_ticket ok", "done: Ticket 1 is gone."]
        assert ran(tmp_path, full, "resume") == gone
        assert 1 not in tickets.tickets
        replayed = ["delete_ticket denied", "done: Ticket 1 is gone."]
        assert ran(tmp_path, full, "resume") == replayed
    kept = "".join(path.read_text() for path in tmp_path.glob("*.json"))
    assert "5a" * 32 not in kept
    assert TOKEN not in kept


def ran(folder: Path, environment: dict[str, str], *words: str) -> list[str]:
    """What a command printed, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / "resume_elsewhere.py"), *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()
