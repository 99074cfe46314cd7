"""The argument table of an operation: every name once, and the input schema that it makes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...model import Argument, Parameter, WholeBody

RESERVED = frozenset(("_fields", "_page"))
"""Arguments of every tool's own; what the description calls so gets its place as a suffix."""


def table(parameters: Sequence[Argument], body: Sequence[Argument]) -> tuple[Argument, ...]:
    """Parameters, then the body, under names that are unique.

    Only names that collide change, to `NAME__PLACE`; the body keeps the bare name.
    """
    kept = {argument.name for argument in body} - RESERVED
    uses = Counter(argument.name for argument in parameters)
    taken: set[str] = set()
    named: list[Argument] = []
    for argument in (*parameters, *body):
        name = argument.name
        own = isinstance(argument.carrier, Parameter)
        if name in RESERVED or (own and (name in kept or uses[name] > 1)):
            name = f"{name}__{_place(argument)}"
        while name in taken or (own and name in kept):
            name += "_"
        taken.add(name)
        named.append(argument if name == argument.name else replace(argument, name=name))
    return tuple(named)


def input_schema(arguments: Sequence[Argument], together: Sequence[str]) -> dict[str, Any]:
    """The object that the arguments make, closed to unknown names.

    `together` are members of an optional body that must all be given when any member is.
    """
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {argument.name: argument.schema for argument in arguments},
    }
    required = [argument.name for argument in arguments if argument.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    if together:
        members = [
            one.name for one in arguments if not isinstance(one.carrier, Parameter | WholeBody)
        ]
        needs = {name: [other for other in together if other != name] for name in members}
        schema["dependentRequired"] = {name: others for name, others in needs.items() if others}
        if not schema["dependentRequired"]:
            del schema["dependentRequired"]
    return schema


def _place(argument: Argument) -> str:
    return argument.carrier.place if isinstance(argument.carrier, Parameter) else "body"
