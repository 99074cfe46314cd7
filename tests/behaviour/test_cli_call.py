"""`toolmint tools`, `describe` and `call`: a package from the terminal, over real HTTP."""

import json
import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmint.generator.demo.desk import example
from toolmint.generator.demo.server import serve

from .command_line import PETSTORE, Toolmint, runner


@pytest.fixture
def toolmint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Toolmint:
    """The command line beside a generated pets_tools and desk_tools."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PETS_BEARER_AUTH", "pet-secret")
    monkeypatch.setenv("DESK_TOKEN", "desk-secret")
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    toolmint = runner(capsys)
    assert toolmint("generate", "petstore.yaml", "-o", "pets_tools").status == 0
    desk = Path(sys.modules["toolmint.generator.demo"].__path__[0]) / "desk.yaml"
    assert toolmint("generate", str(desk), "-o", "desk_tools").status == 0
    return toolmint


@pytest.fixture
def address() -> Iterator[str]:
    """A ticket desk that is really there."""
    with serve(example(), "desk-secret") as address:
        yield address


def test_the_catalogue_is_a_table(toolmint: Toolmint) -> None:
    ran = toolmint("tools", "pets_tools")
    assert ran.status == 0
    assert [line.split()[:-1] for line in ran.out.splitlines()] == [
        ["tool", "call", "effect", "gate", "auth", "usable", "limit"],
        ["create_pet", "POST", "/pets", "writes", "asks", "bearerAuth", "yes", "-"],
        [
            *("delete_pet", "DELETE", "/pets/{id}", "destroys"),
            *("asks,", "best", "after", "list_pets", "bearerAuth", "yes", "-"),
        ],
        ["list_pets", "GET", "/pets", "reads", "-", "bearerAuth", "yes", "-"],
    ]


def test_the_catalogue_is_json_on_request(toolmint: Toolmint) -> None:
    tools = json.loads(toolmint("tools", "./pets_tools", "--json").out)
    assert [tool["name"] for tool in tools] == ["create_pet", "delete_pet", "list_pets"]
    assert {key: tools[1][key] for key in ("call", "effect", "gate", "auth", "limit")} == {
        "call": "DELETE /pets/{id}",
        "effect": "destroys",
        "gate": {
            "approval": "consequential",
            "requires": [],
            "suggested": ["list_pets"],
            "reads": [],
        },
        "auth": [{"bearerAuth": []}],
        "limit": None,
    }


def test_a_description_for_a_model_is_json(toolmint: Toolmint) -> None:
    sent = json.loads(toolmint("describe", "pets_tools", "--for", "anthropic").out)
    assert [tool["name"] for tool in sent] == ["create_pet", "delete_pet", "list_pets"]


def test_a_description_says_what_the_export_changed(toolmint: Toolmint) -> None:
    ran = toolmint("describe", "pets_tools", "--for", "openai")
    assert [tool["function"]["strict"] for tool in json.loads(ran.out)] == [False, True, True]
    refused, lowered = ran.err.splitlines()
    assert refused == (
        "create_pet: not strict: /properties/tag may be left out and may be null: "
        "two different things"
    )
    assert lowered == (
        "list_pets: optional arguments are asked for, and null leaves them out: "
        "/properties/limit, /properties/_fields"
    )
    plain = toolmint("describe", "pets_tools", "--for", "openai", "--no-strict")
    assert plain.err == ""
    assert not any(tool["function"]["strict"] for tool in json.loads(plain.out))


def test_a_dry_run_prints_the_exact_request_without_its_secret(toolmint: Toolmint) -> None:
    ran = toolmint("call", "pets_tools", "create_pet", "name=Rex", "tag:=null", "--dry-run")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "POST https://petstore.example/v1/pets"
    assert "Authorization: Bearer ***" in lines
    assert lines[-2:] == ["", '{"name":"Rex","tag":null}']
    assert "pet-secret" not in ran.out


def test_a_dry_run_of_bad_arguments_says_why(toolmint: Toolmint) -> None:
    ran = toolmint("call", "pets_tools", "list_pets", "limit=1000", "--dry-run")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("toolmint: invalid_arguments: ")
    assert "/limit" in ran.err


def test_a_reading_call_prints_its_result(toolmint: Toolmint, address: str) -> None:
    ran = toolmint("call", "desk_tools", "list_tickets", "status=open", "--base-url", address)
    assert (ran.status, ran.err) == (0, "")
    assert [ticket["title"] for ticket in json.loads(ran.out)] == ["Cannot log in"]


def test_parts_of_a_result_are_asked_for_as_a_model_would(toolmint: Toolmint, address: str) -> None:
    words = ("call", "desk_tools", "list_tickets", "status=open", "--base-url", address)
    ran = toolmint(*words, "_fields=title", "_fields=number")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == [{"number": 1, "title": "Cannot log in"}]
    ran = toolmint("call", "desk_tools", "delete_ticket", "number=1", "_fields=title")
    assert ran.err.startswith("toolmint: _fields: no such argument")


def test_a_consequential_call_waits_for_a_yes(toolmint: Toolmint, address: str) -> None:
    words = ("call", "desk_tools", "delete_ticket", "number=1", "--base-url", address)
    ran = toolmint(*words)
    assert (ran.status, ran.out, ran.err) == (
        1,
        "",
        "toolmint: denied: delete_ticket: it destroys; add --yes to send it.\n",
    )
    assert toolmint(*words, "--yes").out == "null\n"
    ran = toolmint(*words, "--yes")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("toolmint: error: ")
    assert "there is no ticket 1" in ran.err


def test_arguments_come_as_one_object_too(toolmint: Toolmint, address: str) -> None:
    lin = {"name": "Lin", "email": "lin@customer.example"}
    text = json.dumps({"title": "It smokes", "customer": lin})
    words = ("call", "desk_tools", "create_ticket", "labels=a", "labels=b", "--json", text)
    ran = toolmint(*words, "--base-url", address, "--yes")
    assert ran.status == 0, ran.err
    ticket = json.loads(ran.out)
    assert (ticket["number"], ticket["customer"], ticket["labels"]) == (3, lin, ["a", "b"])


def test_a_terminal_is_asked_with_the_request_before_it(toolmint: Toolmint, address: str) -> None:
    words = ("call", "desk_tools", "delete_ticket", "number=1", "--base-url", address)
    denied = _at_a_terminal(words, "n\n")
    assert denied[0] == 1
    assert f"DELETE {address}/tickets/1" in denied[1]
    assert "delete_ticket destroys. Send this? [y/N]: " in denied[1]
    assert "desk-secret" not in denied[1]
    assert _at_a_terminal(words, "y\n")[0] == 0


def test_a_call_that_is_interrupted_ends_quietly(toolmint: Toolmint) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        words = ("call", "desk_tools", "list_agents", "--base-url", address)
        running = subprocess.Popen(
            [sys.executable, "-m", "toolmint", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        connection, _ = server.accept()  # it is waiting for an answer now
        connection.recv(1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        connection.close()
    assert (running.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tools", "nowhere"), "nowhere: there is no such folder here"),
        (("tools", "."), "not a package that toolmint generated"),
        (("tools", "json"), "json: not a package that toolmint generated."),
        (("call", "pets_tools", "create_pt"), "create_pt: no such tool; did you mean create_pet"),
        (
            ("call", "pets_tools", "create_pet", "nam=x"),
            "nam: no such argument; did you mean name?",
        ),
        (("call", "pets_tools", "list_pets", "limit=many"), "limit: 'many' is no integer."),
        (("call", "pets_tools", "list_pets", "--json", "{"), "--json: not JSON: "),
        (("call", "pets_tools"), "Missing argument 'TOOL'."),
        (("describe", "pets_tools", "--for", "nobody"), "Invalid value for '--for'"),
        (("nothing",), "No such command 'nothing'."),
    ],
)
def test_wrong_usage_is_one_line(toolmint: Toolmint, words: tuple[str, ...], message: str) -> None:
    ran = toolmint(*words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err


def test_a_package_that_cannot_be_imported_is_one_line(toolmint: Toolmint, tmp_path: Path) -> None:
    (tmp_path / "pets_tools" / "toolset.py").write_text("syntax error\n")
    ran = toolmint("tools", "pets_tools")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "pets_tools: cannot be imported: SyntaxError" in ran.err


def test_an_import_name_is_a_package_too(
    toolmint: Toolmint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "pets_tools").rename(tmp_path / "acme" / "named_tools")
    (tmp_path / "acme" / "__init__.py").write_text("")
    assert toolmint("tools", "acme.named_tools").out == toolmint("tools", "acme/named_tools").out


def _at_a_terminal(words: tuple[str, ...], typed: str) -> tuple[int, str]:
    """The status of a command whose person types, and what the terminal showed."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "toolmint", *words], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(ours, 1024)
    os.write(ours, typed.encode())
    status = running.wait(timeout=30)
    os.close(ours)
    return status, shown.decode()
