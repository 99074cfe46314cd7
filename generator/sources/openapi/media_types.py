"""Media types: what kind of body each is, and which of several is taken."""

from collections.abc import Iterable

from ...model.calls import BodyKind

_JSON_LINES = frozenset(
    (
        *("application/jsonl", "application/x-ndjson", "application/ndjson"),
        *("application/jsonlines", "application/x-jsonlines", "application/json-seq"),
        *("application/x-jsonl", "application/json-lines", "application/stream+json"),
    )
)
_TEXTUAL = frozenset(
    f"application/{name}"
    for name in (
        *("yaml", "x-yaml", "javascript", "x-javascript", "ecmascript", "graphql", "sql"),
        *("toml", "x-sh", "x-httpd-php", "typescript", "rtf", "x-pem-file", "jwt", "jose"),
    )
)
_RANKS: dict[BodyKind, int] = {
    "json": 0,
    "form": 2,
    "multipart": 3,
    "text": 4,
    "xml": 5,
    "json_lines": 6,
    "binary": 7,
}
_SAMPLES = {"*/*": "application/json", "application/*": "application/json", "text/*": "text/plain"}


def essence(media_type: str) -> str:
    """Type and subtype in lower case, without parameters."""
    return media_type.partition(";")[0].strip().lower()


def body_kind(media_type: str) -> BodyKind:
    """The kind of body that a media type asks for."""
    name = essence(media_type)
    top, _, sub = name.partition("/")
    if name in _JSON_LINES or name.endswith(("+json-seq", "+jsonl")):
        return "json_lines"
    if (sub in ("json", "*") and top in ("application", "text", "*")) or name.endswith("+json"):
        return "text" if name == "text/*" else "json"
    if name == "application/x-www-form-urlencoded":
        return "form"
    if top == "multipart":
        return "multipart"
    if sub == "xml" or name.endswith("+xml"):
        return "xml"
    return "text" if top == "text" or name in _TEXTUAL or name.endswith("+yaml") else "binary"


def rank(media_type: str) -> tuple[int, str, str]:
    """Sorts media types by preference, the same in whatever order they stand."""
    kind = body_kind(media_type)
    plain = kind == "json" and not essence(media_type).endswith("+json")
    order = _RANKS[kind] + (0 if plain or kind != "json" else 1)
    if "*" in media_type:  # a range names no type: the last resort of its kind
        order = _RANKS[kind] + 1
    return order, essence(media_type), media_type


def ranked(media_types: Iterable[str]) -> list[str]:
    """Media types, the preferred one first: JSON, +json, form, multipart, text, XML, binary."""
    return sorted(media_types, key=rank)


def sendable(media_type: str, kind: BodyKind) -> str:
    """The media type as it is sent: as written; a range only of bytes, whose file knows better."""
    if "*" not in media_type or kind == "binary":
        return media_type
    return _SAMPLES.get(essence(media_type), "application/octet-stream")
