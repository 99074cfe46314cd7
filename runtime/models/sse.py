"""Server-sent events, read byte by byte as they come (HTML standard, 9.2.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"
_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its type, "message" unless it says another, and its data."""

    name: str
    data: str


class EventReader:
    """Takes bytes however they are cut, and gives back the events that they complete.

    Lines end in CRLF, LF or CR. Comments, `id` and `retry` say nothing to us. A character that
    is no UTF-8 becomes U+FFFD.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._started = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that these bytes complete."""
        self._rest += chunk
        if not self._started:
            if len(self._rest) < len(_BOM) and _BOM.startswith(self._rest):
                return []
            self._rest = self._rest.removeprefix(_BOM)
            self._started = True
        return self._lines(at_end=False)

    def finish(self) -> list[Event]:
        """The event at the end of the stream, should the last empty line be missing."""
        return [*self._lines(at_end=True), *self._line("")]

    def _lines(self, *, at_end: bool) -> list[Event]:
        found: list[Event] = []
        start = 0
        for match in _END.finditer(self._rest):
            if match[0] == b"\r" and match.end() == len(self._rest) and not at_end:
                break  # a line feed may follow
            found += self._line(self._rest[start : match.start()].decode("utf-8", "replace"))
            start = match.end()
        self._rest = self._rest[start:]
        if at_end and self._rest:
            found += self._line(self._rest.decode("utf-8", "replace"))
            self._rest = b""
        return found

    def _line(self, line: str) -> list[Event]:
        if not line:
            return self._dispatched()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        return []

    def _dispatched(self) -> list[Event]:
        name, data = self._name or "message", self._data
        self._name, self._data = "", []
        return [Event(name, "\n".join(data))] if data else []
