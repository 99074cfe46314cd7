"""Keywords of a schema that hold plain values: what fits JSON Schema 2020-12, and repairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...plain import is_array, is_number, is_object, kind

TYPES = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))

ANNOTATIONS = frozenset(("title", "description", "default", "examples", "deprecated", "xml"))
"""Keywords of a read schema that never refuse a value."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A value that is usable, what was done, and whether some meaning was lost by it."""

    value: Any  # DROP: the keyword goes
    told: str
    lossy: bool = False
    beside: tuple[tuple[str, Any], ...] = ()  # further keywords that carry the meaning


DROP = object()


def _is_string(value: object) -> bool:
    return type(value) is str


def _is_type(value: object) -> bool:
    if type(value) is str:
        return value in TYPES
    return (
        is_array(value)
        and len(value) > 0
        and all(isinstance(one, str) and one in TYPES for one in value)
        and len(set(value)) == len(value)
    )


def _is_count(value: object) -> bool:
    return is_number(value) and value >= 0 and value == int(value)


def _is_factor(value: object) -> bool:
    return is_number(value) and value > 0


def _is_boolean(value: object) -> bool:
    return value is True or value is False


def _is_enumeration(value: object) -> bool:
    return is_array(value) and len(value) > 0


FITS: dict[str, Callable[[object], bool]] = {
    "type": _is_type,
    **dict.fromkeys(
        ("format", "pattern", "contentEncoding", "contentMediaType", "title", "description"),
        _is_string,
    ),
    "enum": _is_enumeration,
    **dict.fromkeys(
        (
            *("minLength", "maxLength", "minItems", "maxItems"),
            *("minProperties", "maxProperties", "minContains", "maxContains"),
        ),
        _is_count,
    ),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), is_number),
    "multipleOf": _is_factor,
    **dict.fromkeys(("uniqueItems", "deprecated"), _is_boolean),
}
"""Keyword → whether a value can stay as it is."""


def repair(keyword: str, value: Any) -> Repair:
    """What to make of a value that does not fit its keyword."""
    if keyword == "type":
        return _repair_type(value)
    fits = FITS[keyword]
    for candidate in _candidates(value):
        if fits(candidate):
            return Repair(candidate, f"`{keyword}` is {kind(value)}; it is read as {candidate!r}")
    if value is None or value == "" or (keyword == "enum" and value == []):
        return Repair(DROP, f"`{keyword}` is empty; it is ignored")
    return Repair(DROP, f"`{keyword}` cannot be {kind(value)} like this; it is dropped", True)


def _candidates(value: Any) -> Sequence[Any]:
    """What a value may have been meant to be: numbers and booleans are often quoted."""
    if isinstance(value, str):
        text = value.strip().lower()
        if text in ("true", "false"):
            return (text == "true",)
        try:
            number = float(text)
        except ValueError:
            return ()
        return (int(number),) if number.is_integer() else (number,)
    if isinstance(value, bool):
        return (str(value).lower(),)
    if is_number(value):
        return (str(value),)
    return ()


_ALIASES: dict[str, tuple[str | None, dict[str, Any]]] = {
    **dict.fromkeys(("int", "int32", "int64", "long", "short"), ("integer", {})),
    **dict.fromkeys(("float", "double", "decimal", "numeric"), ("number", {})),
    **dict.fromkeys(("str", "text", "char"), ("string", {})),
    **dict.fromkeys(("bool",), ("boolean", {})),
    **dict.fromkeys(("list", "set", "tuple"), ("array", {})),
    **dict.fromkeys(("dict", "map", "hash", "struct", "json"), ("object", {})),
    **dict.fromkeys(("none", "nil", "nulltype"), ("null", {})),
    **dict.fromkeys(("any", "mixed"), (None, {})),
    "file": ("string", {"format": "binary"}),
    "binary": ("string", {"format": "binary"}),
    "date": ("string", {"format": "date"}),
    **dict.fromkeys(("datetime", "date-time", "timestamp"), ("string", {"format": "date-time"})),
    **dict.fromkeys(("uuid", "guid"), ("string", {"format": "uuid"})),
    **dict.fromkeys(("uri", "url"), ("string", {"format": "uri"})),
    "email": ("string", {"format": "email"}),
}


def _repair_type(value: Any) -> Repair:
    if value is None:  # `type: null` of YAML without quotes
        return Repair("null", "`type` is null; it is read as 'null'")
    if value == "file":  # of 2.0 and of early 3.0 documents: no mistake worth a word
        return Repair("string", "", beside=(("format", "binary"),))
    if isinstance(value, str):
        return _named_type(value)
    if is_array(value):
        return _type_list(value)
    return Repair(DROP, f"`type` cannot be {kind(value)}; any value is taken", True)


def _named_type(name: str) -> Repair:
    lower = name.strip().lower()
    if lower in TYPES:
        return Repair(lower, f"the type {name!r} is read as {lower!r}")
    if lower not in _ALIASES:
        return Repair(DROP, f"{name!r} is no type; any value is taken", True)
    meant, beside = _ALIASES[lower]
    if meant is None:
        return Repair(DROP, f"{name!r} is no type; it is read as any value")
    return Repair(meant, f"the type {name!r} is read as {meant!r}", beside=tuple(beside.items()))


def _type_list(names: Sequence[Any]) -> Repair:
    found: dict[str, None] = {}
    lossy = False
    for name in names:
        single = name if isinstance(name, str) and name in TYPES else _repair_type(name).value
        if isinstance(single, str):
            found[single] = None
        else:
            lossy = True
    if not found or lossy:
        return Repair(DROP, "`type` lists what are no types; any value is taken", bool(names))
    types = list(found)
    return Repair(types[0] if len(types) == 1 else types, f"`type` is read as {', '.join(types)}")


def fitting_enumeration(values: Sequence[Any], types: Any) -> list[Any] | None:
    """The enumeration spelled in the type it stands beside, when none of it has that type.

    YAML makes numbers and booleans of words that were not quoted: `type: string` beside
    `enum: [1, true]` can never be met. None: leave it as it is.
    """
    if not isinstance(types, str) or any(_has_type(value, types) for value in values):
        return None
    spelled = [_spelled(value, types) for value in values]
    return spelled if all(_has_type(value, types) for value in spelled) else None


def _has_type(value: Any, name: str) -> bool:
    match name:
        case "string":
            return isinstance(value, str)
        case "integer":
            return is_number(value) and value == int(value)
        case "number":
            return is_number(value)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "object":
            return is_object(value)
        case _:
            return is_array(value)


def _spelled(value: Any, name: str) -> Any:
    if name == "string" and isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, str):
        return next((one for one in _candidates(value) if _has_type(one, name)), value)
    return value
