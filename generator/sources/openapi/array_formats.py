"""How arrays in a deepObject are written, which the standard leaves open."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from ...model.arguments import ArrayFormat
from ...plain import as_array, as_object
from ...pointers import Place
from .findings import Findings

HINT = "x-array-format"
"""On a parameter, an Encoding Object or the document's root: repeat, brackets or indices."""

_FORMATS: tuple[ArrayFormat, ...] = get_args(ArrayFormat)


def usual_format(root: Mapping[str, Any]) -> ArrayFormat:
    """What holds in a document where nothing nearer is said.

    A document that gives a bare array the style deepObject is of a service that reads brackets:
    nothing else could be meant by it.
    """
    hinted = _named(root.get(HINT))
    if hinted is not None:
        return hinted
    return "brackets" if any(map(_is_bare_array, _parameters(root))) else "repeat"


def array_format(
    holder: Mapping[str, Any], usual: ArrayFormat, findings: Findings, place: Place
) -> ArrayFormat:
    """What a parameter or an encoding hints at, or else the document's format."""
    hint = holder.get(HINT, usual)
    hinted = _named(hint)
    if hinted is not None:
        return hinted
    findings.lose((place, HINT), f"{hint!r} is none of {', '.join(_FORMATS)}; {usual} is used")
    return usual


def _named(hint: Any) -> ArrayFormat | None:
    return next((one for one in _FORMATS if one == hint), None)


def _is_bare_array(parameter: Any) -> bool:
    described = as_object(parameter)
    return described.get("style") == "deepObject" and (
        as_object(described.get("schema")).get("type") == "array"
    )


def _parameters(root: Mapping[str, Any]) -> Iterator[Any]:
    yield from as_object(as_object(root.get("components")).get("parameters")).values()
    for item in as_object(root.get("paths")).values():
        for holder in (item, *as_object(item).values()):
            yield from as_array(as_object(holder).get("parameters"))
