"""Python identifiers for what strangers named: arguments, modules and classes.

Whatever goes in, what comes out is an ASCII identifier that is no keyword, never starts
with `__` (Python mangles such names inside a class) and never clashes with a neighbour.
"""

import hashlib
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import assert_never

from .model.arguments import Argument, Member, Parameter, Variable, WholeBody
from .words import snake, words

_SELF = frozenset(("self",))  # what a generated method's body uses besides its arguments
_SYMBOLS = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte", "!": "not", "!=": "not"}
_LONGEST = 50  # characters of a module's or a class's name
_OPERATOR = re.compile(r"[<>!]=?$|^[+-](?=[0-9])")
_SIGNS = {"+": "plus", "-": "minus"}

_FILES = "models schemas toolmint toolset"  # of a generated package
_DEVICES = "aux con nul prn"  # names that no file has on Windows
_TOOLSET = """
aclose audit base_url call client close credentials describe export find graphql groups limits
names package policy prefix prepare property run select start tools variables
"""  # what a Toolset has, and the decorator of its groups: they are its attributes
OWN_MODULES = frozenset(f"{_FILES} {_DEVICES} {_TOOLSET}".split())
"""Module names that no tag may take."""


def identifier(name: str) -> str:
    """A wire name as a Python parameter: `per-page` → `per_page`, `from` → `from_`.

    Where nothing of it can be kept it is `argument`.
    """
    return _legal(_base(name))


def argument_identifiers(arguments: Sequence[Argument]) -> dict[str, str]:
    """A distinct parameter name for each argument, by its key in the input schema.

    On a clash the one spelled so keeps the name and the others get `_PLACE`; what still
    clashes gets six hex digits of its key's sha256, so that order does not matter.
    """
    bases = {argument.name: _argument_base(argument) for argument in arguments}
    chosen = {key: _legal(base) for key, base in bases.items()}
    for argument in _clashing(arguments, chosen):
        if argument.name != bases[argument.name]:
            chosen[argument.name] = _legal(f"{bases[argument.name]}_{place(argument)}")
    for argument in _clashing(arguments, chosen):
        if argument.name != chosen[argument.name]:
            chosen[argument.name] = f"{bases[argument.name]}_{_digest(argument.name)}"
    return chosen


def place(argument: Argument) -> str:
    """Where an argument travels, in one word."""
    match argument.carrier:
        case Parameter(place=where):
            return where
        case Member() | WholeBody():
            return "body"
        case Variable():
            return "variable"
        case _:
            assert_never(argument.carrier)


def class_name(text: str, fallback: str = "Group") -> str:
    """A name in PascalCase: `code-scanning` → `CodeScanning`."""
    pascal = "".join(word[0].upper() + word[1:] for word in words(text))
    if not pascal or pascal[0].isdigit():
        return fallback + pascal
    return f"{pascal}_" if keyword.iskeyword(pascal) else pascal


def package_class_name(package: str) -> str:
    """The toolset's class: `acme.github_tools` → `Github`."""
    last = package.rpartition(".")[2]
    return class_name(re.sub(r"_tools?$", "", last) or last, "Package")


def module_names(tags: Iterable[str]) -> dict[str, str]:
    """A distinct module name for each tag; operations without one are tagged `default`."""
    return _apart(tags, lambda tag: _module(tag), OWN_MODULES)


def class_names(modules: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """A distinct class for each module; one in `taken` gets `Group` behind."""
    reserved = frozenset(taken)

    def name(module: str) -> str:
        plain = class_name(module)
        return f"{plain}Group" if plain in reserved else plain

    return _apart(modules, name, reserved)


def _module(tag: str) -> str:
    name = snake(tag)
    if not name or name[0].isdigit():
        return f"group_{name}".rstrip("_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _apart(
    texts: Iterable[str], name: Callable[[str], str], reserved: frozenset[str]
) -> dict[str, str]:
    """Names that differ; those that clash or are long get a hash of their text, in any order."""
    plain = {text: name(text) for text in texts}
    counts = Counter(plain.values())
    return {
        text: named
        if counts[named] == 1 and named not in reserved and len(named) <= _LONGEST
        else f"{named[: _LONGEST - 7].rstrip('_')}_{_digest(text)}"
        for text, named in plain.items()
    }


def _argument_base(argument: Argument) -> str:
    """The snake_case of an argument, before keywords are minded; `__PLACE` stays."""
    stem, separator, where = argument.name.rpartition("__")
    if separator and stem and where == place(argument) and argument.name != _wire_name(argument):
        return f"{_base(stem)}__{where}"
    return _base(argument.name)


def _wire_name(argument: Argument) -> str:
    return "body" if isinstance(argument.carrier, WholeBody) else argument.carrier.name


def _base(name: str) -> str:
    spelled = _OPERATOR.sub(lambda found: f"_{_SYMBOLS.get(found[0]) or _SIGNS[found[0]]}_", name)
    base = snake(spelled)
    if not base:
        return "argument"
    return f"argument_{base}" if base[0].isdigit() else base


def _legal(base: str) -> str:
    return f"{base}_" if keyword.iskeyword(base) or base in _SELF else base


def _clashing(arguments: Sequence[Argument], chosen: Mapping[str, str]) -> list[Argument]:
    counts = Counter(chosen.values())
    return [argument for argument in arguments if counts[chosen[argument.name]] > 1]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
