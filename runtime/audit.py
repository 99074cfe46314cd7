"""The audit log: one JSON line for each call, written when its outcome is known.

A line says who called what, who allowed it and what came of it. A call that pauses for an
answer has a line of that before, which names no outcome. Of the arguments a line holds a
digest, of credentials nothing.
"""

import json
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeAlias, cast

from .canonical import digest
from .clock import Clock, SystemClock
from .errors import Outcome

Sink: TypeAlias = str | os.PathLike[str] | Callable[[Mapping[str, Any]], object]
"""A file that is only ever appended to, or a function that is given each record."""

LONGEST_NAME = 200  # characters of a name that a model or a caller made up
_log = logging.getLogger("toolmint.audit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One call, or its pause: `decision` is then "asked", and there is no outcome yet.

    `decided_by` is the policy, approver or rule that took the decision.
    """

    tool: str
    arguments: Mapping[str, Any] | None  # None: they were no object
    outcome: Outcome | None  # None: it waits for the answer to a question
    attempts: int
    run: str = ""
    call: str = ""
    principal: str = ""
    decision: str = "allowed"
    decided_by: str = "policy"
    status: int | None = None
    elapsed: float | None = None  # seconds
    source: str = ""  # of a result that no request of this call brought


class Recording(Protocol):
    """Who makes calls and wants to know how each was recorded: a run, of its own calls."""

    def take(self, record: Record, *, hide: Callable[[str], str], is_kept: bool) -> None:
        """Take the record of a call. `is_kept`: a toolset's own audit has it."""
        ...


class Audit:
    """Writes records to `sink`; safe for parallel calls, threads and processes.

    Each line goes out in one write to a file opened for appending (made readable for its
    owner only), so that lines never mix. `arguments=True` adds the arguments, without what
    looks like a secret. A sink that fails is logged and never changes an outcome.
    """

    def __init__(
        self,
        sink: Sink,
        *,
        arguments: bool = False,
        clock: Clock | None = None,
    ) -> None:
        if not callable(sink) and not isinstance(cast(object, sink), str | os.PathLike):
            raise TypeError("audit= takes a file's path, a function or an Audit")
        self._arguments = arguments
        self._clock = clock or SystemClock()
        self._lock = Lock()
        self._call = sink if callable(sink) else None
        self._path = None if callable(sink) else Path(sink)
        self._file: int | None = None

    def record(self, record: Record, *, hide: Callable[[str], str]) -> None:
        """Add one call to the log; it is on its way to the disk when this returns.

        `hide` keeps the credentials of the caller out of it.
        """
        entry = self._entry(_hidden(record, hide), hide)
        try:
            if self._call is not None:
                with self._lock:
                    self._call(entry)
            else:
                self._write(entry)
        except Exception:  # noqa: BLE001 - a sink may fail in any way; the call is over
            _log.exception(
                "the audit log cannot be written; the call of %r is not in it", entry["tool"]
            )

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()

    def close(self) -> None:
        """Close the file; a later record opens it again."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _entry(self, record: Record, hide: Callable[[str], str]) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "time": _stamp(self._clock.now()),
            "run": record.run[:LONGEST_NAME],
            "call": record.call[:LONGEST_NAME],
            "principal": record.principal[:LONGEST_NAME],
            "tool": record.tool[:LONGEST_NAME],
            "arguments_digest": _digest(record.arguments),
            "decision": record.decision,
            "decided_by": record.decided_by[:LONGEST_NAME],
            "outcome": record.outcome,
            "attempts": record.attempts,
            "status": record.status,
            "elapsed": None if record.elapsed is None else round(record.elapsed, 6),
            "source": record.source,
        }
        kept = {name: value for name, value in entry.items() if value not in (None, "")}
        if self._arguments and record.arguments is not None:
            from .shown.redact import hide_in, hide_secret_looking

            try:
                kept["arguments"] = hide_in(hide_secret_looking(record.arguments), hide)
            except RecursionError:
                kept["arguments"] = _UNSHOWN
        return kept

    def _write(self, entry: Mapping[str, Any]) -> None:
        line = (_line(entry) + "\n").encode("ascii")
        with self._lock:
            if self._file is None:
                assert self._path is not None
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
                self._file = os.open(self._path, flags, 0o600)
            while line:  # one write, but for a full disk or a signal
                line = line[os.write(self._file, line) :]


def audit_of(given: Audit | Sink | None, clock: Clock) -> Audit | None:
    """What a setting means."""
    return given if given is None or isinstance(given, Audit) else Audit(given, clock=clock)


def _hidden(record: Record, hide: Callable[[str], str]) -> Record:
    """The record with no credential in a name that a model, a caller or a policy made up."""
    if not (record.call or record.run or record.principal or record.outcome == "unknown_tool"):
        return record  # all that it names is the program's own
    named = f"{record.tool}\n{record.call}\n{record.run}\n{record.principal}\n{record.decided_by}"
    if hide(named) == named:
        return record
    return replace(
        record,
        tool=hide(record.tool),
        call=hide(record.call),
        run=hide(record.run),
        principal=hide(record.principal),
        decided_by=hide(record.decided_by),
    )


def _stamp(seconds: float) -> str:
    whole, rest = divmod(int(seconds * 1000), 1000)
    return f"{_second(whole)}.{rest:03d}+00:00"


@lru_cache(maxsize=8)  # many calls end in one second
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _digest(arguments: Mapping[str, Any] | None) -> str | None:
    """None for arguments that are no JSON, which no tool ran with."""
    try:
        return None if arguments is None else digest(arguments)
    except (TypeError, ValueError, RecursionError):
        return None


def _line(entry: Mapping[str, Any]) -> str:
    """The entry as one line of JSON, without arguments that are none."""
    try:
        return _encode(entry)
    except (TypeError, ValueError, RecursionError):
        return _encode({**entry, "arguments": _UNSHOWN})


_UNSHOWN = "<no JSON>"


def _type_name(value: object) -> str:
    return f"<{type(value).__name__}>"


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=_type_name).encode
