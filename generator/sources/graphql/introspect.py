"""A live endpoint's schema, by the introspection query that most servers answer."""

import json
from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from ...plain import is_array, is_object
from ...reading.addresses import without_secrets
from ...reading.fetch import ask
from ..recognise import introspected
from .load import Source, read_introspection

_OF = "kind name" + " ofType { kind name" * 9 + " }" * 9
_INPUT = "name description defaultValue %s type { " + _OF + " }"
_NEW = "isDeprecated deprecationReason"
AGES = (2025, 2021, 2018)
"""The years of the specification that are tried in turn: an older server refuses a newer query."""


def query(age: int) -> str:
    """The introspection query of the specification of 2025, 2021, or any before (2018)."""
    recent = age >= 2021
    given = "(includeDeprecated: true)" if recent else ""
    member = _INPUT % (_NEW if recent else "")
    one_of = "isOneOf" if age >= 2025 else ""
    said = "description" if recent else ""
    return (
        f"query IntrospectionQuery {{ __schema {{ {said} "
        "queryType { name } mutationType { name } "
        "subscriptionType { name } types { kind name description "
        f"{one_of} fields(includeDeprecated: true) {{ name description args{given} {{ {member} }} "
        f"type {{ {_OF} }} isDeprecated deprecationReason }} inputFields{given} {{ {member} }} "
        f"interfaces {{ {_OF} }} enumValues(includeDeprecated: true) {{ name description "
        f"isDeprecated deprecationReason }} possibleTypes {{ {_OF} }} }} "
        f"directives {{ name description locations args {{ {_INPUT % ''} }} }} }} }}"
    )


def introspect(url: str, headers: Mapping[str, str], *, strict: bool = False) -> Source:
    """The schema of a live endpoint; a server too old for the new questions gets the old ones.

    Raises InputError, with the way out, when the server does not tell its schema.
    """
    shown = without_secrets(url)
    answer: Any = None
    for age in AGES:
        answer = ask(url, {"query": query(age)}, headers)
        found = introspected(answer)
        if found is not None:
            text = json.dumps(found, sort_keys=True)
            return read_introspection(found, file=shown, text=text, strict=strict)
    raise InputError(
        f"{shown}: does not tell its schema ({_said(answer)}). Introspection may be off or need "
        "credentials: give them with --header, or name the schema's file as SOURCE."
    )


def _said(answer: Any) -> str:
    """The server's own words."""
    errors = answer.get("errors") if is_object(answer) else None
    if is_array(errors) and errors and is_object(errors[0]):
        return str(errors[0].get("message", "no reason given"))[:200]
    return "no reason given"
