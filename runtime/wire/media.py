"""Media types: reading `type/subtype; name=value`, and the families that share a codec."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

_PARAMETER = re.compile(r""";\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]*)""")
_SENDABLE = re.compile(r"[\x21-\x7e][\x20-\x7e]*")
_JSON_LINES = frozenset(
    f"application/{name}"
    for name in ("jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines", "ndjson",
                 "x-ndjson", "json-seq", "stream+json", "x-json-stream")
)  # fmt: skip
_TEXT = frozenset(
    f"application/{name}"
    for name in ("xml", "javascript", "ecmascript", "yaml", "x-yaml", "graphql", "sql", "toml",
                 "x-www-form-urlencoded", "x-sh")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MediaType:
    """A media type: `essence` in lower case without parameters, "" where none was given."""

    essence: str
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_json(self) -> bool:
        """One JSON document."""
        return not self.is_json_lines and (
            self.essence in ("application/json", "text/json", "application/x-json")
            or self.essence.endswith("+json")
        )

    @property
    def is_json_lines(self) -> bool:
        """A JSON document a line, or a record (RFC 7464)."""
        return self.essence in _JSON_LINES or self.essence.endswith("+json-seq")

    @property
    def is_events(self) -> bool:
        """Server-sent events."""
        return self.essence == "text/event-stream"

    @property
    def is_stream(self) -> bool:
        """Records one after the other, which may never end."""
        return self.is_events or self.is_json_lines

    @property
    def is_xml(self) -> bool:
        """An XML document."""
        return self.essence in ("application/xml", "text/xml") or self.essence.endswith("+xml")

    @property
    def is_text(self) -> bool:
        """Something a person could read."""
        return (
            self.essence.startswith("text/")
            or self.essence in _TEXT
            or self.essence.endswith(("+xml", "+yaml"))
        )

    @property
    def is_range(self) -> bool:
        """A range such as `image/*`, which a request cannot send."""
        return "*" in self.essence

    def covers(self, other: str) -> bool:
        """This type or range takes in the other type."""
        essence = media_type(other).essence
        if not self.is_range:
            return essence == self.essence
        return self.essence == "*/*" or essence.startswith(self.essence.partition("*")[0])


@lru_cache(maxsize=512)
def media_type(text: str) -> MediaType:
    """Read a media type; parameter names in lower case, quotes of values undone."""
    essence = text.partition(";")[0].strip().lower()
    return MediaType(essence, header_parameters(text))


def header_parameters(text: str) -> dict[str, str]:
    """The `; name=value` parameters of a header's value."""
    return {name.lower(): _unquoted(value) for name, value in _PARAMETER.findall(text)}


def is_sendable(text: str) -> bool:
    """The media type can stand in a header: printable ASCII, no line break."""
    return _SENDABLE.fullmatch(text) is not None


def _unquoted(value: str) -> str:
    if not value.startswith('"'):
        return value
    return re.sub(r"\\(.)", r"\1", value[1:-1])
