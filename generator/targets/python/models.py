"""models.py as printed parts: classes, TypedDict calls for odd keys, and aliases."""

import keyword
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from .expressions import (
    ANY,
    STR,
    Container,
    Expression,
    Literals,
    Reference,
    Scope,
    Union,
    direct,
    fits,
    names,
    references,
    union,
)
from .literals import docstring, string
from .modelnames import RESERVED, unique
from .texts import brief
from .types import Field, Model, Types

_TEXT = 600  # characters of a model's description in its docstring
_FIELD_TEXT = 200
_LONGEST_FIELD = 60


@dataclass(frozen=True, slots=True)
class PrintedField:
    """One key with its annotation, and its docstring or comment ("" for none)."""

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class PrintedModel:
    """One definition of models.py."""

    kind: Literal["class", "call", "alias"]
    name: str
    docstring: str
    fields: tuple[PrintedField, ...] = ()
    type: str = ""


def model_names(types: Types, definitions: Mapping[str, str]) -> dict[str, str]:
    """Class names by model key: a definition's is settled, others are named by where they stand."""
    inline = {
        key: model.context.name for key, model in types.models.items() if key not in definitions
    }
    return {**definitions, **unique(inline, frozenset(definitions.values()) | RESERVED)}


def printed_models(types: Types, scope: Scope) -> Iterator[PrintedModel]:
    """The models in the order of their names, each with what `scope` notes as used."""
    without_loops = loops(types.models)
    hideable = _HIDEABLE | set(scope.models.values())
    for key in sorted(types.models, key=lambda key: scope.models[key]):
        model = without_loops.get(key, types.models[key])
        name = scope.models[key]
        if model.type is not None:
            yield _alias(name, model, model.type, scope)
        elif _is_class(model, scope, hideable):
            yield _class(name, model, scope)
        else:
            yield _call(name, model, scope)


def loops(models: Mapping[str, Model]) -> dict[str, Model]:
    """Aliases that lead back to themselves with no container between, made Any where they do."""
    found: dict[str, Model] = {}
    for key, model in models.items():
        if model.type is None or not _reaches(key, models):
            continue
        members = model.type.members if isinstance(model.type, Union) else (model.type,)
        kept = [member for member in members if not isinstance(member, Reference)]
        found[key] = Model(model.context, model.text, (), union(kept) if kept else ANY)
    return found


def _reaches(start: str, models: Mapping[str, Model]) -> bool:
    waiting, seen = [start], set[str]()
    while waiting:
        expression = models[waiting.pop()].type
        for key in direct(expression) if expression is not None else ():
            if key == start:
                return True
            if key not in seen:
                seen.add(key)
                waiting.append(key)
    return False


# ── classes ─────────────────────────────────────────────────────────────────────────


def _is_class(model: Model, scope: Scope, hideable: frozenset[str]) -> bool:
    """Class syntax can hold the keys: all are names, and none hides a name that a type needs."""
    keys = {field.name for field in model.fields}
    if not all(_is_key(key) for key in keys):
        return False
    if keys.isdisjoint(hideable):
        return True
    needed = {"NotRequired"}.union(*(names(field.type) for field in model.fields))
    for field in model.fields:
        needed.update(scope.models[key] for key in references(field.type))
    return keys.isdisjoint(needed)


_HIDEABLE = frozenset(
    {"str", "int", "float", "bool", "list", "dict", "Any", "Literal", "Never", "NotRequired"}
)


def _is_key(name: str) -> bool:
    usable = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
    return usable and not name.startswith("__") and len(name) <= _LONGEST_FIELD


def _class(name: str, model: Model, scope: Scope) -> PrintedModel:
    fields = tuple(
        PrintedField(
            field.name,
            _annotation(field, scope),
            docstring(brief(field.text, _FIELD_TEXT), 4),
        )
        for field in model.fields
    )
    return PrintedModel("class", name, docstring(brief(model.text, _TEXT), 4), fields)


def _annotation(field: Field, scope: Scope) -> str:
    before = len(field.name) + 2
    if field.required:
        return scope.standing(field.type, 4, before)
    return scope.subscript(scope.name("NotRequired"), field.type, 4, before)


def _call(name: str, model: Model, scope: Scope) -> PrintedModel:
    """The functional form, whose types are strings because they may name later models."""
    fields = tuple(
        PrintedField(string(field.name), _quoted(field.type, field.required, scope), "")
        for field in model.fields
    )
    return PrintedModel("call", name, docstring(brief(model.text, _TEXT), 0), fields)


def _alias(name: str, model: Model, expression: Expression, scope: Scope) -> PrintedModel:
    """An alias; one that names other models holds strings, for they may come later."""
    before = len(f"{name}: TypeAlias = ")
    if references(expression):
        text = _forward(expression, before, scope)
    else:
        text = scope.standing(expression, 0, before)
    return PrintedModel("alias", name, docstring(brief(model.text, _TEXT), 0), (), text)


def _forward(expression: Expression, before: int, scope: Scope) -> str:
    """A type in one string where that fits, a union otherwise with a string for each member."""
    text = _quoted(expression, True, scope)
    if fits(text, before):
        return text
    if isinstance(expression, Union):
        lines = [f"    {_member(member, scope)},\n" for member in expression.members]
        return f"{scope.name('Union')}[\n{''.join(lines)}]"
    return f"(\n    {text}\n)" if fits(text, 4) else text


def _member(member: Expression, scope: Scope) -> str:
    if references(member):
        return _quoted(member, True, scope)
    return scope.broken(member, 4, 0, 1)


def _quoted(expression: Expression, required: bool, scope: Scope) -> str:
    text = scope.flat(_quotable(expression))
    return f'"{text}"' if required else f'"{scope.name("NotRequired")}[{text}]"'


def _quotable(expression: Expression) -> Expression:
    """The expression fit for a string annotation, where type checkers forbid escapes."""
    match expression:
        case Literals(values):
            if any("\\" in value or "'" in value or '"' in value[1:-1] for value in values):
                return STR
            return Literals(tuple(value.replace('"', "'") for value in values))
        case Container(name, item):
            return Container(name, _quotable(item))
        case Union(members):
            return union(_quotable(member) for member in members)
        case _:
            return expression
