"""`toolmint demo` tells the whole story on one screen, and leaves something to play with."""

import re
from pathlib import Path

import pytest

from .command_line import Toolmint, runner


@pytest.fixture
def toolmint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Toolmint:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DESK_TOKEN", raising=False)
    return runner(capsys)


def test_the_story_fits_a_screen_and_shows_no_secret(toolmint: Toolmint) -> None:
    ran = toolmint("demo")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in ran.out
    titles = [line[3:16].strip() for line in lines if re.match(r"\d  [A-Z]", line)]
    assert titles == ["GENERATE", "CALL", "REFUSE", "RUN", "LOOK AROUND"]
    assert set(re.findall(r"Bearer (\S+)", ran.out)) == {"***"}


def test_the_calls_are_real(toolmint: Toolmint) -> None:
    told = toolmint("demo").out
    assert re.search(r"→ POST http://127\.0\.0\.1:\d+/v1/tickets\n", told)
    assert '← {"number": 3, "title": "The printer is on fire"' in told
    refused = [line.strip() for line in told.splitlines() if "✗" in line]
    assert refused == [
        "✗ /customer is required",
        '✗ /priority is not one of "low", "normal" or "high", got "urgent"',
        "✗ /assignee is unknown; known are title, customer, labels, priority",
    ]


def test_the_loop_is_real(toolmint: Toolmint) -> None:
    """A loader, a call that is denied, one that is granted, and the breaker, in four steps."""
    lines = [line.strip() for line in toolmint("demo").out.splitlines()]
    told = [line for line in lines if re.match(r"(describe|decide|ask|execute|observe|end) ", line)]
    assert [line.split()[0] for line in told] == [
        *("describe", "decide", "execute", "observe"),
        *("decide", "ask", "execute"),
        *("decide", "ask", "execute", "observe"),
        *("decide", "execute", "end"),
    ]
    assert [line.removeprefix("execute   ") for line in told if line.startswith("execute")] == [
        "load_tickets_tools: ok",
        "delete_ticket: denied by the_owner",
        "update_ticket: ok [the run holds: changes]",
        "update_ticket: skipped: the run ended before it: it repeated one call too often",
    ]
    assert told[10].startswith(
        'observe   untrusted {"number": 3, "title": "The printer is on fire"'
    )
    assert '"status": "solved"' in told[10]


def test_what_it_suggests_next_works(
    toolmint: Toolmint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = toolmint("demo").out
    assert "$ cd toolmint-demo\n" in told
    monkeypatch.chdir(tmp_path / "toolmint-demo")
    assert toolmint("check").out == "desk_tools: 8 tools, no drift\n"
    assert "$ DESK_TOKEN=secret toolmint call desk_tools delete_ticket number=1 --dry-run" in told
    monkeypatch.setenv("DESK_TOKEN", "secret")
    ran = toolmint("call", "desk_tools", "delete_ticket", "number=1", "--dry-run")
    assert ran.out.startswith("DELETE https://desk.example/v1/tickets/1\n")
    assert "Authorization: Bearer ***\n" in ran.out


def test_telling_it_twice_changes_nothing(toolmint: Toolmint, tmp_path: Path) -> None:
    toolmint("demo", "-o", "here")
    lock = (tmp_path / "here" / "desk_tools" / "toolmint.lock").stat().st_mtime_ns
    assert toolmint("demo", "-o", "here").status == 0
    assert (tmp_path / "here" / "desk_tools" / "toolmint.lock").stat().st_mtime_ns == lock


def test_it_keeps_a_description_that_is_not_its_own(toolmint: Toolmint, tmp_path: Path) -> None:
    (tmp_path / "toolmint-demo").mkdir()
    (tmp_path / "toolmint-demo" / "desk.yaml").write_text("mine\n")
    ran = toolmint("demo")
    assert (ran.status, ran.out, ran.err) == (
        2,
        "",
        (
            "toolmint: toolmint-demo/desk.yaml: is not the demo's; "
            "give the demo another folder with -o DIR.\n"
        ),
    )
    assert (tmp_path / "toolmint-demo" / "desk.yaml").read_text() == "mine\n"
