"""`toolmint run`: a model with a package's tools in the terminal, asking before it changes things."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGINT, Signals
from typing import Any

import pytest

from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from tests.behaviour.providers import events
from toolmint.generator.demo.desk import Desk, Problem, example
from toolmint.generator.demo.server import serve

from .command_line import Toolmint, runner

DESK = Path(sys.modules["toolmint.generator.demo"].__path__[0]) / "desk.yaml"
GONE = "Ticket 1 is gone."


def chunk(finish: str, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finish}
    return {"id": "r", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


def calls(*named: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    told = [
        {
            "index": index,
            "id": f"call_{name}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for index, (name, arguments) in enumerate(named)
    ]
    return chunk("tool_calls", tool_calls=told)


class Provider:
    """Speaks Chat Completions: a turn for each request, the last one again and again."""

    def __init__(self, *turns: dict[str, Any]) -> None:
        self.turns = list(turns)
        self.asked: list[dict[str, Any]] = []

    def answer(self, request: Seen) -> Answer:
        self.asked.append(json.loads(request.body))
        turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        if self.asked[-1].get("stream"):
            return events([turn, "[DONE]"])
        [choice] = turn["choices"]
        whole = {"index": 0, "message": choice["delta"], "finish_reason": choice["finish_reason"]}
        return Answer.of({**turn, "object": "chat.completion", "choices": [whole]})

    @property
    def offered(self) -> list[list[str]]:
        """The tools' names of each request."""
        return [[tool["function"]["name"] for tool in one.get("tools", [])] for one in self.asked]


@pytest.fixture
def toolmint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Toolmint:
    """The command line beside a generated desk_tools."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESK_TOKEN", "desk-secret")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    toolmint = runner(capsys)
    assert toolmint("generate", str(DESK), "-o", "desk_tools").status == 0
    return toolmint


@pytest.fixture
def desk() -> Desk:
    return example()


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    """A ticket desk that is really there."""
    with serve(desk, "desk-secret") as address:
        yield address


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as started:
        yield started


def words(server: Loopback, address: str, *more: str) -> tuple[str, ...]:
    model = ("--model", "openai-chat:m", "--model-url", f"{server.url}/v1")
    return ("run", "desk_tools", *model, "--base-url", address, *more, "Clean up.")


def deleting() -> Provider:
    return Provider(
        calls(("get_ticket", {"number": 1})),
        calls(("delete_ticket", {"number": 1})),
        chunk("stop", content=GONE),
    )


def is_there(desk: Desk, number: int) -> bool:
    try:
        desk.get(number)
    except Problem:
        return False
    return True


def test_what_happens_goes_to_stderr_and_the_answer_to_stdout(
    toolmint: Toolmint, server: Loopback, address: str
) -> None:
    provider = Provider(calls(("list_agents", {})), chunk("stop", content="Two agents."))
    server.answer = provider.answer
    ran = toolmint(*words(server, address))
    assert (ran.status, ran.out) == (0, "Two agents.\n")
    assert [line.split()[0] for line in ran.err.splitlines()] == [
        "describe",
        "decide",
        "execute",
        "observe",
        "describe",
    ]
    assert "execute   list_agents: ok\nobserve   untrusted [" in ran.err
    assert "desk-secret" not in ran.err


def test_without_a_terminal_consequential_calls_are_denied(
    toolmint: Toolmint, server: Loopback, address: str, desk: Desk
) -> None:
    provider = deleting()
    server.answer = provider.answer
    ran = toolmint(*words(server, address))
    assert ran.status == 0
    assert "execute   delete_ticket: denied by the person at the terminal" in ran.err
    assert is_there(desk, 1)


@pytest.mark.usefixtures("toolmint")
@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("y\n", False),
        (" YES \n", False),
        ("n\n", True),
        ("\n", True),
        ("yes please\n", True),
        ("\x04", True),  # the end of the input
    ],
)
def test_the_person_at_the_terminal_decides(
    server: Loopback, address: str, desk: Desk, typed: str, left: bool
) -> None:
    provider = deleting()
    server.answer = provider.answer
    status, shown = at_a_terminal(words(server, address), typed)
    assert status == 0
    assert "delete_ticket: it destroys or takes away something" in shown
    assert '"number": 1' in shown
    assert GONE in shown
    assert "desk-secret" not in shown
    assert is_there(desk, 1) is left


@pytest.mark.usefixtures("toolmint")
def test_whoever_interrupts_at_a_question_ends_the_run_at_once(
    server: Loopback, address: str, desk: Desk
) -> None:
    provider = deleting()
    server.answer = provider.answer
    status, shown = at_a_terminal(words(server, address), SIGINT)
    assert (status, is_there(desk, 1), len(provider.asked)) == (130, True, 2)
    assert shown.endswith("Allow this call? [y/N] ")


def at_a_terminal(command: tuple[str, ...], typed: str | Signals) -> tuple[int, str]:
    """The status of a command whose person types when asked, and all that the terminal showed."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "toolmint", *command], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown, has_typed = b"", False
    while True:
        try:
            read = os.read(ours, 1024)
        except OSError:  # Linux says so when the other end is closed
            break
        if not read:
            break
        shown += read
        if not has_typed and b"[y/N]" in shown:
            has_typed = True
            if isinstance(typed, str):
                os.write(ours, typed.encode())
            else:
                running.send_signal(typed)
    status = running.wait(timeout=30)
    os.close(ours)
    return status, shown.decode()


def test_a_run_can_start_with_loaders(toolmint: Toolmint, server: Loopback, address: str) -> None:
    provider = Provider(calls(("load_agents_tools", {})), chunk("stop", content="Loaded."))
    server.answer = provider.answer
    assert toolmint(*words(server, address, "--loaders")).out == "Loaded.\n"
    assert provider.offered == [
        ["load_agents_tools", "load_tickets_tools"],
        ["load_agents_tools", "load_tickets_tools", "list_agents"],
    ]


def test_packages_whose_tools_clash_go_by_their_names(toolmint: Toolmint, server: Loopback) -> None:
    assert toolmint("generate", str(DESK), "-o", "other_tools").status == 0
    provider = Provider(chunk("stop", content="Hello."))
    server.answer = provider.answer
    model = ("--model", "openai-chat:m", "--model-url", f"{server.url}/v1")
    assert toolmint("run", "desk_tools", "other_tools", *model, "Hello").out == "Hello.\n"
    assert len(provider.offered[0]) == 16
    assert {name.partition("_")[0] for name in provider.offered[0]} == {"desk", "other"}


def test_a_run_that_is_stopped_is_a_finding(
    toolmint: Toolmint, server: Loopback, address: str
) -> None:
    provider = Provider(calls(("list_agents", {})))
    server.answer = provider.answer
    ran = toolmint(*words(server, address, "--max-turns", "2"))
    assert (ran.status, ran.out) == (1, "")
    last = ran.err.splitlines()[-1]
    assert last == "toolmint: turns: The run was stopped: it has used its 2 turns."
    assert len(provider.asked) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("run", "desk_tools", "--model", "nobody:x", "Hi"), "--model: a model is openai:NAME"),
        (("run", "desk_tools", "--model", "openai-chat:x", "Hi"), "--model: openai"),
        (("run", "desk_tools", "Hi"), "Missing option '--model'"),
        (("run", "nowhere", "--model", "openai-chat:x", "Hi"), "nowhere: there is no such folder"),
        (
            ("run", "a", "b", "--base-url", "http://x", "--model", "openai-chat:x", "Hi"),
            "--base-url: goes with one package only.",
        ),
    ],
)
def test_wrong_usage_is_one_line(toolmint: Toolmint, given: tuple[str, ...], message: str) -> None:
    ran = toolmint(*given)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err
