"""Keywords of a schema that hold schemas, or the names of members."""

from collections.abc import Mapping
from typing import Any

from ...plain import is_array, is_object
from ...pointers import Place
from .structure import Out, Reader, Structure, drop


def schema_of(keyword: str) -> Structure:
    """Reads a keyword that holds one schema."""

    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if isinstance(value, str) and value.lower() in ("true", "false"):
            reader.findings.warn((place, keyword), f"`{keyword}` is quoted; it is read as {value}")
            value = value.lower() == "true"
        out[keyword] = reader.read(value, (place, keyword))

    return read


def schemas_of(keyword: str) -> Structure:
    """Reads a keyword that holds a list of schemas."""

    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        here = (place, keyword)
        if is_object(value):
            reader.findings.warn(here, f"`{keyword}` is an object; it is read as a list of one")
            value = [value]
        if not is_array(value):
            drop(reader, keyword, value, place)
        elif keyword == "allOf" and value:
            out[keyword] = reader.read_parts(schema, value, here)
        elif value:
            out[keyword] = [reader.read(one, (here, index)) for index, one in enumerate(value)]

    return read


def schemas_by_name(keyword: str) -> Structure:
    """Reads a keyword that holds schemas by name."""

    def read(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
        if not is_object(value):
            return drop(reader, keyword, value, place)
        here = (place, keyword)
        out[keyword] = {name: reader.read(value[name], (here, name)) for name in sorted(value)}
        return None

    return read


def read_pattern_properties(
    reader: Reader, schema: Any, value: Any, place: Place, out: Out
) -> None:
    """Schemas by pattern; one that cannot be used goes."""
    if not is_object(value):
        return drop(reader, "patternProperties", value, place)
    here = (place, "patternProperties")
    read: Out = {}
    for name in sorted(value):
        pattern = reader.pattern(name, (here, name))
        if pattern is not None:
            read[pattern] = reader.read(value[name], (here, name))
    out["patternProperties"] = read
    return None


def read_items(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """A list is the tuple of draft 7, which 2020-12 calls `prefixItems`."""
    if not is_array(value):
        return schema_of("items")(reader, schema, value, place, out)
    here = (place, "items")
    if value:
        out["prefixItems"] = [reader.read(one, (here, index)) for index, one in enumerate(value)]
    if "additionalItems" in schema:
        out["items"] = reader.read(schema["additionalItems"], (place, "additionalItems"))
    return None


def read_dependencies(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """Draft 7's keyword, which 2020-12 split in two."""
    if not is_object(value):
        return drop(reader, "dependencies", value, place)
    names = {key: one for key, one in value.items() if is_array(one)}
    schemas = {key: one for key, one in value.items() if not is_array(one)}
    if names and "dependentRequired" not in schema:
        read_dependent_required(reader, schema, names, place, out)
    if schemas and "dependentSchemas" not in schema:
        schemas_by_name("dependentSchemas")(reader, schema, schemas, place, out)
    return None


def read_dynamic_reference(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """Followed as it stands here: nobody overrides it in an API description."""
    if "$ref" not in schema:
        out.update(reader.refer(value, place))


# ── objects ─────────────────────────────────────────────────────────────────────────


def read_properties(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """In the order of `required`, then sorted."""
    if not is_object(value):
        return drop(reader, "properties", value, place)
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


def read_required(reader: Reader, schema: Any, value: Any, place: Place, out: Out) -> None:
    """Names, and the members that say so of themselves."""
    if is_array(value):
        names = list(dict.fromkeys(name for name in value if isinstance(name, str)))
        if not _are_names(value):
            reader.findings.lose((place, "required"), "`required` lists what is no name")
    else:
        names = []
        if not isinstance(value, bool):  # its parent reads `required: true`
            drop(reader, "required", value, place)
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


def read_dependent_required(
    reader: Reader, schema: Any, value: Any, place: Place, out: Out
) -> None:
    """Lists of names by name."""
    if not is_object(value):
        return drop(reader, "dependentRequired", value, place)
    out["dependentRequired"] = {
        key: list(dict.fromkeys(name for name in value[key] if isinstance(name, str)))
        for key in sorted(value)
        if is_array(value[key])
    }
    return None


def _are_names(value: Any) -> bool:
    return is_array(value) and all(isinstance(name, str) for name in value)
