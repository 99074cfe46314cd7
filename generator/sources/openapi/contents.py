"""Content maps: media types, the preferred one first, with what each of them holds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...plain import as_object, is_object, kind
from ...pointers import Place
from .findings import Findings
from .media_types import ranked
from .references import BrokenReference, References

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_TYPE = re.compile(rf"{_TOKEN}/{_TOKEN}[ \t]*(?:;[\x20-\x7e\t]*)?")
_SHORT = {
    "json": "application/json",
    "xml": "application/xml",
    "text": "text/plain",
    "form-data": "multipart/form-data",
    "*": "*/*",
}
"""What authors write for short: no type without a slash is anything else."""

_OF_MEDIA_TYPES = frozenset(("schema", "itemSchema", "encoding", "itemEncoding"))
_OF_SCHEMAS = frozenset(("type", "properties", "items", "allOf", "anyOf", "oneOf", "enum"))
_FIELD_NAME = re.compile(_TOKEN)


@dataclass(frozen=True, slots=True)
class Content:
    """One entry of a content map."""

    media_type: str  # as written, or what is written for short
    held: Mapping[str, Any]  # the Media Type Object
    place: Place


def contents(
    references: References, findings: Findings, content: Any, place: Place
) -> list[Content]:
    """The entries of a content map by rank; what is no media type is dropped with a loss.

    A media type is sent as written, so one that could end its header line is none.
    """
    if content is not None and not is_object(content):
        findings.lose(place, f"`content` is {kind(content)} and no object; it is dropped")
    entries = as_object(content)
    # A full name comes last and so wins over the short one that means the same.
    written = sorted(entries, key=lambda key: (key.lower() not in _SHORT, key))
    keys = {_SHORT.get(key.lower(), key): key for key in written}
    found: list[Content] = []
    for media_type in ranked(keys):
        here: Place = (place, keys[media_type])
        if _MEDIA_TYPE.fullmatch(media_type) is None:
            findings.lose(here, f"{media_type!r} is no media type; it is dropped")
            continue
        held = written_here = entries[keys[media_type]]
        own: Place = here
        try:
            if is_object(held) and "$ref" in held:  # 3.2 allows that
                held, here = references.follow(held, here)
        except BrokenReference as problem:
            findings.lose(here, f"{problem}; any value is taken")
        if is_object(held) and _is_schema(held):
            findings.warn(own, "the media type is a schema itself; it is read as its `schema`")
            held, here = {"schema": written_here}, own
        if not (is_object(held) or held is None):
            findings.lose(here, f"a media type is {kind(held)} and no object; any value is taken")
        found.append(Content(media_type, as_object(held), here))
    return found


def spelled(findings: Findings, holder: Mapping[str, Any], place: Place) -> Any:
    """The `content` of a body or response, or the `schema` in its place that 2.0 had there."""
    content = holder.get("content")
    if content is not None or not is_object(holder.get("schema")):
        return content
    findings.warn((place, "schema"), "`schema` stands outside of `content`; it is read as JSON")
    return {"application/json": {"schema": holder["schema"]}}


def _is_schema(held: Mapping[str, Any]) -> bool:
    """Whether the author left out the level between a media type and its schema."""
    return _OF_MEDIA_TYPES.isdisjoint(held) and not _OF_SCHEMAS.isdisjoint(held)


def is_field_name(name: str) -> bool:
    """Whether a header or cookie can be called so (RFC 9110, 5.1)."""
    return _FIELD_NAME.fullmatch(name) is not None
