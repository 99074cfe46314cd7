"""Path parameters and the path's template, made to agree with each other."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from ...model.arguments import Argument, Parameter
from ...pointers import Place
from .findings import Findings
from .parameters import Declared, Key
from .paths import PathKey, plain_variable, renamed


@dataclass(frozen=True, slots=True)
class Agreed:
    """A template whose variables are exactly the path parameters among the arguments."""

    template: str
    arguments: list[Argument]


def agree(findings: Findings, path: PathKey, declared: Sequence[Declared], place: Place) -> Agreed:
    """Add strings for undeclared variables, drop parameters that the path lacks, with losses."""
    keys = {one.key for one in declared}
    names = {name for name, where in keys if where == "path"}
    spelled, reserved = _spelled(path.variables, names)
    wanted = list(dict.fromkeys(spelled.get(variable, variable) for variable in path.variables))
    arguments: list[Argument] = []
    for one in declared:
        if one.key[1] != "path":
            arguments.append(one.argument)
        elif one.argument.name in wanted:
            arguments.append(_keeping(one.argument, reserved))
        else:
            arguments += _elsewhere(findings, one.argument, path, keys, place)
    for name in wanted:
        if name not in names:
            arguments.append(_string(findings, name, place))
    arguments += _asked(findings, path, keys, place)
    return Agreed(renamed(path.path, spelled), arguments)


def _spelled(
    variables: Sequence[str], names: AbstractSet[str]
) -> tuple[Mapping[str, str], frozenset[str]]:
    """Variables in RFC 6570's spelling → declared names, and those that keep their slashes."""
    spelled: dict[str, str] = {}
    reserved: set[str] = set()
    for variable in variables:
        plain, keeps = plain_variable(variable)
        if variable not in names and plain:
            spelled[variable] = plain
            if keeps:
                reserved.add(plain)
    return spelled, frozenset(reserved)


def _keeping(argument: Argument, reserved: frozenset[str]) -> Argument:
    if argument.name not in reserved or not isinstance(argument.carrier, Parameter):
        return argument
    return replace(argument, carrier=replace(argument.carrier, allow_reserved=True))


def _elsewhere(
    findings: Findings, argument: Argument, path: PathKey, declared: AbstractSet[Key], place: Place
) -> list[Argument]:
    """A path parameter that the path does not have: it may stand in the key's query."""
    key = dict(path.in_query).get(argument.name)
    if key is not None and (key, "query") not in declared:
        return [replace(argument, carrier=_in_query(key))]
    findings.lose(
        place, f"the path has no {{{argument.name}}}; the path parameter of that name is dropped"
    )
    return []


def _asked(
    findings: Findings, path: PathKey, declared: AbstractSet[Key], place: Place
) -> list[Argument]:
    """Strings for the variables of the key's query that nothing declares; losses for the rest."""
    arguments: list[Argument] = []
    for variable, key in path.in_query:
        if variable in path.variables or (variable != key and (variable, "query") in declared):
            findings.lose(place, f"the path's {key}={{{variable}}} is not sent: {_TAKEN}")
        elif not {(variable, "path"), (key, "query")} & declared:
            arguments.append(_string(findings, variable, place, query_key=key))
    for pair in path.torn:
        findings.lose(place, f"the path's {pair} is not sent: {_TORN}")
    return arguments


_TAKEN = "the variable travels under its own name already"
_TORN = "a variable is a whole value, or nothing"


def _string(
    findings: Findings, name: str, place: Place, *, query_key: str | None = None
) -> Argument:
    findings.lose(place, f"the path's {{{name}}} is not declared; it is taken for a string")
    in_path = Parameter(name=name, place="path", style="simple", explode=False)
    return Argument(
        name=name,
        carrier=in_path if query_key is None else _in_query(query_key),
        required=True,
        schema={"type": "string"},
        location=findings.location(place),
    )


def _in_query(key: str) -> Parameter:
    return Parameter(name=key, place="query", style="form", explode=True)
