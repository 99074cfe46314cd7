"""Keywords of a schema that hold data: patterns, bounds, values and examples."""

from collections.abc import Sequence
from typing import Any

from ...html_text import shown
from ...plain import is_array, is_object, is_writable, ordered
from ...pointers import Place
from .keywords import FITS, fitting_enumeration
from .structure import Out, Reader, Structure


def read_pattern(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """A pattern as validators take it."""
    if not isinstance(value, str):
        return reader.repaired("pattern", value, place, out)
    usable = reader.pattern(value, (place, "pattern"))
    if usable is not None:
        out["pattern"] = usable
    return None


def read_description(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """A text that people read."""
    if isinstance(value, str):
        out["description"] = shown(value)
    else:
        reader.repaired("description", value, place, out)


def read_format(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """3.0's `byte` is what 3.1 calls `contentEncoding: base64`."""
    if value == "byte":
        out["contentEncoding"] = "base64"
    elif isinstance(value, str):
        out["format"] = value
    else:
        reader.repaired("format", value, place, out)


def bound_of(exclusive: str, inclusive: str) -> Structure:
    """Reads an exclusive bound, beside the inclusive one that 3.0 makes exclusive by it."""

    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if value is True and FITS[inclusive](schema.get(inclusive)):
            out.pop(inclusive, None)
            out[exclusive] = schema[inclusive]
        elif FITS[exclusive](value):
            out[exclusive] = value
        elif not isinstance(value, bool):
            reader.repaired(exclusive, value, place, out)

    return read


def data_of(keyword: str) -> Structure:
    """Reads a keyword that holds any value."""

    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if is_writable(value):
            out[keyword] = ordered(value)
        else:
            reader.findings.lose((place, keyword), _TOO_BIG.format(f"`{keyword}`"))

    return read


_TOO_BIG = "{} holds a number beyond a double; it is dropped"


def read_enumeration(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """Values, each once, spelled as the type has them."""
    if not is_array(value) or not value:
        return reader.repaired("enum", value, place, out)
    types = out.get("type")
    if types == "string" and all(type(one) is str for one in value):
        out["enum"] = list(dict.fromkeys(value))
        return None
    if not is_writable(value):
        return reader.findings.lose((place, "enum"), _TOO_BIG.format("`enum`"))
    values = [ordered(one) for one in value]
    spelled = fitting_enumeration(values, types)
    if spelled is not None:
        reader.findings.warn((place, "enum"), f"`enum` has no {types}; its values are read as such")
    out["enum"] = _distinct(spelled or values)
    return None


def _distinct(values: Sequence[Any]) -> list[Any]:
    if all(isinstance(value, str) for value in values):
        return list(dict.fromkeys(values))
    distinct: list[Any] = []
    for value in values:
        if not any(value == other and type(value) is type(other) for other in distinct):
            distinct.append(value)
    return distinct


def read_example(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """One example; a list beside it goes before."""
    if value is None or schema.get("examples"):
        return
    if is_writable(value):
        out["examples"] = [ordered(value)]
    else:
        reader.findings.warn((place, "example"), _TOO_BIG.format("the example"))


def read_examples(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """A list; documents also write the map of names that other objects have."""
    if not is_writable(value):
        reader.findings.warn((place, "examples"), _TOO_BIG.format("an example"))
    values = _list_of_examples(value)
    if values:
        out["examples"] = values


def _list_of_examples(value: Any) -> list[Any]:
    """The values of `examples`, a list in schemas and a map of Example Objects elsewhere."""
    if is_object(value):
        values = [
            one["value"] if is_object(one) and "value" in one else one
            for _, one in sorted(value.items())
        ]
    else:
        values = list(value) if is_array(value) else [value]
    return [ordered(one) for one in values if is_writable(one)]


def mapping_of(keyword: str) -> Structure:
    """Reads a keyword that holds an object of data."""

    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if is_object(value):
            out[keyword] = ordered(value)

    return read
