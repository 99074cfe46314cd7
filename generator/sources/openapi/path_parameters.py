"""Path parameters and the path's template, made to agree with each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.arguments import Argument, Parameter
from ...pointers import Place
from .findings import Findings
from .parameters import Declared
from .paths import PathKey, plain_variable, renamed


@dataclass(frozen=True, slots=True)
class Agreed:
    """A template whose variables are exactly the path parameters among the arguments."""

    template: str
    arguments: list[Argument]


def agree(findings: Findings, path: PathKey, declared: Sequence[Declared], place: Place) -> Agreed:
    """Add strings for undeclared variables, drop parameters that the path lacks, with losses."""
    names = [one.argument.name for one in declared if one.key[1] == "path"]
    spelled, reserved = _spelled(path.variables, frozenset(names))
    wanted = list(dict.fromkeys(spelled.get(variable, variable) for variable in path.variables))
    arguments: list[Argument] = []
    for one in declared:
        if one.key[1] != "path":
            arguments.append(one.argument)
        elif one.argument.name in wanted:
            arguments.append(_keeping(one.argument, reserved))
        else:
            arguments += _elsewhere(findings, one.argument, path, place)
    for name in wanted:
        if name not in names:
            findings.lose(place, f"the path's {{{name}}} is not declared; it is taken for a string")
            arguments.append(_string(findings, name, place))
    return Agreed(renamed(path.path, spelled), arguments)


def _spelled(
    variables: Sequence[str], names: frozenset[str]
) -> tuple[Mapping[str, str], frozenset[str]]:
    """Variables in RFC 6570's spelling → declared names, and those that keep their slashes."""
    spelled: dict[str, str] = {}
    reserved: set[str] = set()
    for variable in variables:
        plain, keeps = plain_variable(variable)
        if variable not in names and plain in names:
            spelled[variable] = plain
            if keeps:
                reserved.add(plain)
    return spelled, frozenset(reserved)


def _keeping(argument: Argument, reserved: frozenset[str]) -> Argument:
    if argument.name not in reserved or not isinstance(argument.carrier, Parameter):
        return argument
    return replace(argument, carrier=replace(argument.carrier, allow_reserved=True))


def _elsewhere(
    findings: Findings, argument: Argument, path: PathKey, place: Place
) -> list[Argument]:
    """A path parameter that the path does not have: it may stand in the key's query."""
    key = dict(path.in_query).get(argument.name)
    if key is not None:
        carrier = Parameter(name=key, place="query", style="form", explode=True)
        return [replace(argument, carrier=carrier)]
    findings.lose(
        place, f"the path has no {{{argument.name}}}; the path parameter of that name is dropped"
    )
    return []


def _string(findings: Findings, name: str, place: Place) -> Argument:
    return Argument(
        name=name,
        carrier=Parameter(name=name, place="path", style="simple", explode=False),
        required=True,
        schema={"type": "string"},
        location=findings.location(place),
    )
