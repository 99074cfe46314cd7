"""Booleans and texts of OpenAPI objects, read as they were meant where they are written oddly."""

from collections.abc import Mapping
from typing import Any

from ...html_text import shown
from ...plain import as_array, as_object, is_array, is_number, is_object, kind
from ...pointers import Place
from .findings import Findings

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


def switch(findings: Findings, holder: Mapping[str, Any], key: str, place: Place) -> bool | None:
    """The boolean under a key, None without one; a quoted or YAML 1.1 one with a warning."""
    value = holder.get(key)
    if value is None or isinstance(value, bool):
        return value
    spelled = str(value).strip().lower()
    if spelled in _TRUE or spelled in _FALSE:
        meant = spelled in _TRUE
        findings.warn((place, key), f"`{key}` is {value!r}; it is read as {str(meant).lower()}")
        return meant
    findings.lose((place, key), f"`{key}` is {kind(value)} and no boolean; it is dropped")
    return None


def text(findings: Findings, holder: Mapping[str, Any], key: str, place: Place) -> str:
    """The text under a key; YAML reads some, such as `1.0` or `true`, as something else."""
    value = holder.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    if _is_plain(value):
        return _spelled(value)
    findings.lose((place, key), f"`{key}` is {kind(value)} and no text; it is dropped")
    return ""


def prose(findings: Findings, holder: Mapping[str, Any], key: str, place: Place) -> str:
    """The text under a key that people read, without the HTML that some write it in."""
    return shown(text(findings, holder, key, place))


def held_object(
    findings: Findings, holder: Mapping[str, Any], key: str, place: Place
) -> Mapping[str, Any]:
    """The object under a key, empty without one; anything else is dropped with a loss."""
    value = holder.get(key)
    if value is not None and not is_object(value):
        findings.lose((place, key), f"`{key}` is {kind(value)} and no object; it is dropped")
    return as_object(value)


def strings(
    findings: Findings, holder: Mapping[str, Any], key: str, place: Place
) -> tuple[str, ...]:
    """The strings of a list, each once; a single one counts as a list of one."""
    value = holder.get(key)
    found = [value] if isinstance(value, str) else as_array(value)
    names = dict.fromkeys(_spelled(one) for one in found if _is_plain(one))
    odd = not is_array(value) or not all(map(_is_plain, value))
    if odd and not (value is None or isinstance(value, str)):
        findings.lose((place, key), f"`{key}` lists what is no name; that is dropped")
    return tuple(names)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, bool)) or is_number(value)


def _spelled(value: Any) -> str:
    """A scalar as the author wrote it, for YAML took a word for a number or a boolean."""
    return str(value).lower() if isinstance(value, bool) else str(value)
