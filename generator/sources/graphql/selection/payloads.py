"""What a mutation gives back: its errors, and the thing it is about."""

import re
from collections.abc import Iterable

from ..schema import Composite, Field, Interface, Object, Schema, Union, is_list
from .ranking import reference_fields

ERROR_FIELDS = ("message", "field", "code", "path")
"""What is asked of an error, in this order."""

_ERRORS = re.compile(r"(?:[a-z]\w*(?<!Or)E|e)rrors?", re.ASCII)  # `orderOrError` is a result
_PAYLOAD = re.compile(
    r"(?:Payload|Result|Response|Output|Success|Mutation)$|_(?:payload|result|response|output)$"
)


def is_payload(schema: Schema, kind: Composite) -> bool:
    """Whether a mutation's type is only a wrapper of what it made."""
    if not isinstance(kind, Object):
        return False
    return bool(_PAYLOAD.search(kind.name) or "clientMutationId" in kind.fields) or bool(
        error_fields(schema, kind)
    )


def error_fields(schema: Schema, kind: Composite) -> list[Field]:
    """The fields that tell what the caller did wrong (`userErrors`, `errors`, …)."""
    return [
        field
        for field in schema.fields(kind).values()
        if _ERRORS.fullmatch(field.name)
        and not field.required
        and field.deprecated is None
        and (is_list(field.type) or schema.composite(field.type) is not None)
    ]


def subject(schema: Schema, mutation: Field, fields: Iterable[Field]) -> Field | None:
    """The field that holds what a mutation is about: named in its name, else the first.

    An edge stands for what it leads to only where that is not given itself.
    """
    found = list(fields)
    told = mutation.name.lower()
    named = [field for field in found if field.name.lower() in told] or [
        field for field in found if field.name.lower().removesuffix("edge") in told
    ]
    if named:
        return max(named, key=lambda field: len(field.name))
    single = [field for field in found if not is_list(field.type)]
    results = [one for one in single if isinstance(schema.composite(one.type), Interface | Union)]
    return next(iter([*results, *single, *found]), None)


def error_leaves(schema: Schema, kind: Composite) -> list[Field]:
    """What an error says, as far as its type has it; else what names it."""
    fields = schema.fields(kind)
    told = [
        fields[name]
        for name in ERROR_FIELDS
        if name in fields
        and schema.composite(fields[name].type) is None
        and not fields[name].required
    ]
    return told or reference_fields(schema, kind)
