"""Server-sent events as data (WHATWG HTML, "Interpreting an event stream")."""

import re
from collections.abc import Iterator
from typing import Any

from .json_reader import read_json

_LINE_END = re.compile(r"\r\n|\n|\r")


def events(text: str) -> Iterator[dict[str, Any]]:
    """Each event as `{event?, data, id?, retry?}`; data that is JSON is parsed.

    Only fields that were sent are there. An event without data is none. The last one counts
    even when the stream ended before its blank line.
    """
    fields: dict[str, Any] = {}
    for line in [*_LINE_END.split(text), ""]:
        if line:
            _read(line, fields)
            continue
        if "data" in fields:
            yield {**fields, "data": _value("\n".join(fields["data"]))}
        fields = {}


def _read(line: str, fields: dict[str, Any]) -> None:
    name, _, value = line.partition(":")
    value = value.removeprefix(" ")
    if name == "data":
        fields.setdefault("data", []).append(value)
    elif name == "event" or (name == "id" and "\0" not in value):
        fields[name] = value
    elif name == "retry" and value.isascii() and value.isdigit():
        fields[name] = int(value[:18])


def _value(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return text
