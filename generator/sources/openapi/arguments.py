"""The argument table of an operation: every name once, and the input schema that it makes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ....runtime.shown.ours import OURS
from ...model.arguments import Argument, Parameter, WholeBody


def table(parameters: Sequence[Argument], body: Sequence[Argument]) -> tuple[Argument, ...]:
    """Parameters, then the body, under names that are unique.

    Only names that collide change, to `NAME__PLACE`; the body keeps the bare name. Those of ours
    belong to every tool.
    """
    of_body = {argument.name for argument in body}
    uses = Counter(argument.name for argument in parameters)

    def collides(argument: Argument) -> bool:
        if argument.name in OURS:
            return True
        own = isinstance(argument.carrier, Parameter)
        return own and (argument.name in of_body or uses[argument.name] > 1)

    every = (*parameters, *body)
    taken = {argument.name for argument in every if not collides(argument)}
    named: list[Argument] = []
    for argument in every:
        if collides(argument):
            name = f"{argument.name}__{_place(argument)}"
            while name in taken:
                name += "_"
            taken.add(name)
            argument = replace(argument, name=name)
        named.append(argument)
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
