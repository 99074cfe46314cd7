"""JSON values as GraphQL writes them where a type is expected."""

import json
import re
from typing import Any

from ...plain import is_array, is_object
from .schema import Enum, InputObject, ListOf, Schema, TypeRef, named, nullable

_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")


def literal(value: Any, reference: TypeRef, schema: Schema) -> str:
    """The value as a literal of a type; what does not fit it is left to the validity gate."""
    kind = nullable(reference)
    if isinstance(kind, ListOf) and is_array(value):
        return f"[{', '.join(literal(one, kind.of, schema) for one in value)}]"
    declared = schema.types.get(named(kind))
    if isinstance(declared, Enum) and isinstance(value, str) and _NAME.fullmatch(value):
        return value
    if isinstance(declared, InputObject) and is_object(value):
        types = {field.name: field.type for field in declared.fields}
        members = (
            f"{name}: {literal(one, types[name], schema) if name in types else untyped(one)}"
            for name, one in value.items()
        )
        return f"{{{', '.join(members)}}}"
    return untyped(value)


def untyped(value: Any) -> str:
    """The value as a literal of a scalar that may hold anything."""
    if is_object(value):
        return f"{{{', '.join(f'{name}: {untyped(one)}' for name, one in value.items())}}}"
    if is_array(value):
        return f"[{', '.join(map(untyped, value))}]"
    return json.dumps(value, ensure_ascii=False)
