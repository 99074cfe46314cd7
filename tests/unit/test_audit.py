"""The log holds every call once, and nothing that must stay secret."""

import json
import stat
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.clock import ManualClock
from toolmint.runtime.audit import Audit, Record
from toolmint.runtime.canonical import digest

ARGUMENTS = {"owner": "octo", "token": "s3cr3t-value", "note": "plain"}
CALL = Record(
    tool="issues_create",
    arguments=ARGUMENTS,
    outcome="ok",
    attempts=2,
    run="run 1",
    call="call 1",
    principal="alice",
    decision="approved",
    decided_by="terminal",
    status=201,
    elapsed=0.25,
)
LINE = {
    "time": "2023-11-14T22:13:20.000+00:00",
    "run": "run 1",
    "call": "call 1",
    "principal": "alice",
    "tool": "issues_create",
    "arguments_digest": digest(ARGUMENTS),
    "decision": "approved",
    "decided_by": "terminal",
    "outcome": "ok",
    "attempts": 2,
    "status": 201,
    "elapsed": 0.25,
}


def hide(text: str) -> str:
    return text.replace("s3cr3t-value", "***")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_call_is_one_line_without_argument_values(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    Audit(path, clock=ManualClock()).record(CALL, hide=hide)
    assert lines(path) == [LINE]
    assert "octo" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_arguments_are_there_when_asked_for_but_no_secret() -> None:
    seen: list[Mapping[str, Any]] = []
    Audit(seen.append, arguments=True, clock=ManualClock()).record(CALL, hide=hide)
    assert seen == [{**LINE, "arguments": {"owner": "octo", "token": "***", "note": "plain"}}]


def _circle() -> dict[str, Any]:
    inner: dict[str, Any] = {}
    inner["itself"] = inner
    return inner


@pytest.mark.parametrize("odd", [{"a": float("nan")}, {("a", 1): 2}, _circle()])
def test_arguments_that_are_no_json_cost_no_line(tmp_path: Path, odd: dict[Any, Any]) -> None:
    path = tmp_path / "audit.jsonl"
    record = Record(tool="issues_create", arguments=odd, outcome="invalid_arguments", attempts=0)
    Audit(path, arguments=True, clock=ManualClock()).record(record, hide=hide)
    (line,) = lines(path)
    assert (line["outcome"], line["arguments"]) == ("invalid_arguments", "<no JSON>")


def test_a_log_is_only_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"earlier":true}\n')
    first, second = (Audit(path, clock=ManualClock()) for _ in range(2))
    first.record(CALL, hide=hide)
    second.record(CALL, hide=hide)
    first.close()
    first.record(CALL, hide=hide)
    assert lines(path) == [{"earlier": True}, LINE, LINE, LINE]


def test_parallel_calls_never_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audits = [Audit(path, clock=ManualClock()) for _ in range(2)]

    def write(number: int) -> None:
        record = Record(tool=f"tool {number}", arguments={}, outcome="ok", attempts=1)
        audits[number % 2].record(record, hide=hide)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(500)))
    assert sorted(line["tool"] for line in lines(path)) == sorted(f"tool {n}" for n in range(500))


def test_a_made_up_name_stays_one_short_line(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    name = 'x\n{"outcome":"ok"}\u2028' + "y" * 10_000
    record = Record(tool=name, arguments={"a": b"?"}, outcome="unknown_tool", attempts=0)
    Audit(path, clock=ManualClock()).record(record, hide=hide)
    (line,) = lines(path)
    assert (line["tool"], "arguments_digest" in line) == (name[:200], False)


def test_a_sink_that_fails_does_not_fail_the_call(caplog: pytest.LogCaptureFixture) -> None:
    def full(_: Mapping[str, Any]) -> None:
        raise OSError("disk full")

    Audit(full).record(CALL, hide=hide)
    assert "the call of 'issues_create' is not in it" in caplog.text
