"""Keywords of a schema that hold schemas, data or names: one reader each, and their order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ...model.nodes import Schema
from ...plain import is_array, is_object, is_writable, kind, ordered
from ...pointers import Place
from .findings import Findings
from .keywords import FITS, fitting_enumeration

Out: TypeAlias = dict[str, Any]


class Reader(Protocol):
    """What these readers ask of the one that reads whole schemas."""

    findings: Findings

    def read(self, schema: Any, place: Place) -> Schema: ...
    def read_parts(self, schema: Mapping[str, Any], parts: Any, place: Place) -> list[Schema]: ...
    def refer(self, reference: Any, place: Place) -> Out: ...
    def repaired(self, keyword: str, value: Any, place: Place, out: Out) -> None: ...
    def pattern(self, pattern: str, place: Place) -> str | None: ...
    def hides(self, member: Any, place: Place) -> bool: ...
    def hidden(self, schema: Mapping[str, Any], place: Place) -> frozenset[str]: ...


Structure: TypeAlias = Callable[[Reader, Mapping[str, Any], Any, Place, Out], None]


# ── schemas ─────────────────────────────────────────────────────────────────────────


def _one(keyword: str) -> Structure:
    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if isinstance(value, str) and value.lower() in ("true", "false"):
            reader.findings.warn((place, keyword), f"`{keyword}` is quoted; it is read as {value}")
            value = value.lower() == "true"
        out[keyword] = reader.read(value, (place, keyword))

    return read


def _several(keyword: str) -> Structure:
    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        here = (place, keyword)
        if is_object(value):
            reader.findings.warn(here, f"`{keyword}` is an object; it is read as a list of one")
            value = [value]
        if not is_array(value):
            _drop(reader, keyword, value, place)
        elif keyword == "allOf" and value:
            out[keyword] = reader.read_parts(schema, value, here)
        elif value:
            out[keyword] = [reader.read(one, (here, index)) for index, one in enumerate(value)]

    return read


def _named(keyword: str) -> Structure:
    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if not is_object(value):
            return _drop(reader, keyword, value, place)
        here = (place, keyword)
        out[keyword] = {name: reader.read(value[name], (here, name)) for name in sorted(value)}
        return None

    return read


def _pattern_properties(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    if not is_object(value):
        return _drop(reader, "patternProperties", value, place)
    here = (place, "patternProperties")
    read: Out = {}
    for name in sorted(value):
        pattern = reader.pattern(name, (here, name))
        if pattern is not None:
            read[pattern] = reader.read(value[name], (here, name))
    out["patternProperties"] = read
    return None


def _items(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """A list is the tuple of draft 7, which 2020-12 calls `prefixItems`."""
    if not is_array(value):
        return _one("items")(reader, schema, value, place, out)
    here = (place, "items")
    if value:
        out["prefixItems"] = [reader.read(one, (here, index)) for index, one in enumerate(value)]
    if "additionalItems" in schema:
        out["items"] = reader.read(schema["additionalItems"], (place, "additionalItems"))
    return None


def _dependencies(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """Draft 7's keyword, which 2020-12 split in two."""
    if not is_object(value):
        return _drop(reader, "dependencies", value, place)
    names = {key: one for key, one in value.items() if is_array(one)}
    schemas = {key: one for key, one in value.items() if not is_array(one)}
    if names and "dependentRequired" not in schema:
        _dependent_required(reader, schema, names, place, out)
    if schemas and "dependentSchemas" not in schema:
        _named("dependentSchemas")(reader, schema, schemas, place, out)
    return None


def _dynamic_reference(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """Followed as it stands here: nobody overrides it in an API description."""
    if "$ref" not in schema:
        out.update(reader.refer(value, place))


# ── objects ─────────────────────────────────────────────────────────────────────────


def _properties(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """In the order of `required`, then sorted."""
    if not is_object(value):
        return _drop(reader, "properties", value, place)
    here = (place, "properties")
    required = schema.get("required")
    first = [name for name in required if name in value] if _are_names(required) else []
    out["properties"] = {
        name: reader.read(value[name], (here, name))
        for name in dict.fromkeys((*first, *sorted(value)))
        if not reader.hides(value[name], (here, name))
    }
    if "required" not in schema:
        _require(reader, schema, _required_of_themselves(value), place, out)
    return None


def _required(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    if is_array(value):
        names = list(dict.fromkeys(name for name in value if isinstance(name, str)))
        if not _are_names(value):
            reader.findings.lose((place, "required"), "`required` lists what is no name")
    else:
        names = []
        if not isinstance(value, bool):  # its parent reads `required: true`
            _drop(reader, "required", value, place)
    members = schema.get("properties")
    if is_object(members):
        names += [name for name in _required_of_themselves(members) if name not in names]
    _require(reader, schema, names, place, out)


def _required_of_themselves(members: Mapping[str, Any]) -> list[str]:
    """Members that say `required: true` of themselves, as in draft 3 and to this day."""
    return sorted(
        name for name, one in members.items() if is_object(one) and one.get("required") is True
    )


def _require(reader: Reader, schema: Any, names: list[str], place: Place, out: Out) -> None:
    if names:
        hidden = reader.hidden(schema, place)
        names = [name for name in names if name not in hidden]
    if names:
        out["required"] = names


def _dependent_required(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    if not is_object(value):
        return _drop(reader, "dependentRequired", value, place)
    out["dependentRequired"] = {
        key: list(dict.fromkeys(name for name in value[key] if isinstance(name, str)))
        for key in sorted(value)
        if is_array(value[key])
    }
    return None


def _are_names(value: Any) -> bool:
    return is_array(value) and all(isinstance(name, str) for name in value)


# ── strings and numbers ─────────────────────────────────────────────────────────────


def _pattern(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    if not isinstance(value, str):
        return reader.repaired("pattern", value, place, out)
    usable = reader.pattern(value, (place, "pattern"))
    if usable is not None:
        out["pattern"] = usable
    return None


def _format(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """3.0's `byte` is what 3.1 calls `contentEncoding: base64`."""
    if value == "byte":
        out["contentEncoding"] = "base64"
    elif isinstance(value, str):
        out["format"] = value
    else:
        reader.repaired("format", value, place, out)


def _bound(exclusive: str, inclusive: str) -> Structure:
    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        """`exclusiveMinimum: true` makes the `minimum` beside it exclusive (3.0)."""
        if value is True and FITS[inclusive](schema.get(inclusive)):
            out.pop(inclusive, None)
            out[exclusive] = schema[inclusive]
        elif FITS[exclusive](value):
            out[exclusive] = value
        elif not isinstance(value, bool):
            reader.repaired(exclusive, value, place, out)

    return read


# ── data ────────────────────────────────────────────────────────────────────────────


def _data(keyword: str) -> Structure:
    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if is_writable(value):
            out[keyword] = ordered(value)
        else:
            reader.findings.lose((place, keyword), _TOO_BIG.format(f"`{keyword}`"))

    return read


_TOO_BIG = "{} holds a number beyond a double; it is dropped"


def _enumeration(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
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


def _example(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    if value is None or schema.get("examples"):
        return
    if is_writable(value):
        out["examples"] = [ordered(value)]
    else:
        reader.findings.warn((place, "example"), _TOO_BIG.format("the example"))


def _examples(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """A list; documents also write the map of names that other objects have."""
    if not is_writable(value):
        reader.findings.warn((place, "examples"), _TOO_BIG.format("an example"))
    values = list_of_examples(value)
    if values:
        out["examples"] = values


def list_of_examples(value: Any) -> list[Any]:
    """The values of `examples`, a list in schemas and a map of Example Objects elsewhere."""
    if is_object(value):
        values = [
            one["value"] if is_object(one) and "value" in one else one
            for _, one in sorted(value.items())
        ]
    else:
        values = list(value) if is_array(value) else [value]
    return [ordered(one) for one in values if is_writable(one)]


def _mapping(keyword: str) -> Structure:
    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if is_object(value):
            out[keyword] = ordered(value)

    return read


def _drop(reader: Reader, keyword: str, value: Any, place: Place) -> None:
    if value is not None:
        reader.findings.lose((place, keyword), f"`{keyword}` is {kind(value)}; it is dropped")


STRUCTURES: dict[str, Structure] = {
    "format": _format,
    "pattern": _pattern,
    "enum": _enumeration,
    "const": _data("const"),
    "exclusiveMinimum": _bound("exclusiveMinimum", "minimum"),
    "exclusiveMaximum": _bound("exclusiveMaximum", "maximum"),
    "items": _items,
    "properties": _properties,
    "required": _required,
    "patternProperties": _pattern_properties,
    "dependentRequired": _dependent_required,
    "dependencies": _dependencies,
    "$dynamicRef": _dynamic_reference,
    "default": _data("default"),
    "example": _example,
    "examples": _examples,
    "xml": _mapping("xml"),
    **{
        keyword: _one(keyword)
        for keyword in (
            *("contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"),
            *("unevaluatedItems", "unevaluatedProperties", "contentSchema"),
        )
    },
    **{keyword: _several(keyword) for keyword in ("prefixItems", "allOf", "anyOf", "oneOf")},
    "dependentSchemas": _named("dependentSchemas"),
}
"""Keyword → its reader; the keywords that are missing here hold plain values (`keywords`)."""

RANK: dict[str, int] = {
    keyword: rank
    for rank, keyword in enumerate(
        (
            *("$dynamicRef", "type", "format", "contentEncoding", "contentMediaType"),
            *("contentSchema", "enum", "const", "pattern", "minLength", "maxLength"),
            *("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
            *("prefixItems", "items", "unevaluatedItems", "contains", "minContains"),
            *("maxContains", "minItems", "maxItems", "uniqueItems", "properties", "required"),
            *("patternProperties", "additionalProperties", "unevaluatedProperties"),
            *("propertyNames", "minProperties", "maxProperties", "dependentRequired"),
            *("dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "not", "if"),
            *("then", "else", "title", "description", "default", "examples", "example"),
            *("deprecated", "xml"),
        )
    )
}
"""The order in which keywords are read and come out; others mean nothing to a validator."""
