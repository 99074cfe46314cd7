"""Type expressions as data, and their text as `ruff format` would break it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .literals import WIDTH, scalar, width


@dataclass(frozen=True, slots=True)
class Plain:
    """A name of Python's own: str, int, float, bool, None, Any or Never."""

    name: str


@dataclass(frozen=True, slots=True)
class Literals:
    """`Literal[…]` of printed scalars."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Container:
    """`list[item]`, or `dict[str, item]`."""

    name: str
    item: Expression


@dataclass(frozen=True, slots=True)
class Reference:
    """A model, by the key it is planned under."""

    key: str


@dataclass(frozen=True, slots=True)
class Union:
    """Two or more different members, None last."""

    members: tuple[Expression, ...]


Expression: TypeAlias = Plain | Literals | Container | Reference | Union

ANY = Plain("Any")
NEVER = Plain("Never")
NONE = Plain("None")
STR = Plain("str")
INT = Plain("int")
FLOAT = Plain("float")
BOOL = Plain("bool")

TYPING_NAMES = frozenset({"Any", "Literal", "Never", "NotRequired", "Union"})


def literals(values: Iterable[object]) -> Expression:
    """The type of a closed set of scalars; floats, which `Literal` cannot hold, widen to float."""
    printed: dict[str, None] = {}
    others: list[Expression] = []
    for value in values:
        if value is None:
            others.append(NONE)
        elif isinstance(value, float):
            others.append(FLOAT)
        else:
            printed[scalar(value)] = None
    return union([*([Literals(tuple(printed))] if printed else []), *others])


def union(members: Iterable[Expression]) -> Expression:
    """The union: flat, without repetition, literals in one `Literal`, None last.

    Any swallows the rest, float swallows int (PEP 484); no members at all are Never.
    """
    flat: dict[Expression, None] = {}
    values: dict[str, None] = {}
    for member in members:
        for part in member.members if isinstance(member, Union) else (member,):
            if isinstance(part, Literals):
                values.update(dict.fromkeys(part.values))
                part = _LITERALS_HERE
            flat[part] = None
    if ANY in flat:
        return ANY
    if FLOAT in flat:
        flat.pop(INT, None)
    if len(flat) > 1:
        flat.pop(NEVER, None)
    if NONE in flat:
        del flat[NONE]
        flat[NONE] = None
    parts = tuple(Literals(tuple(values)) if part is _LITERALS_HERE else part for part in flat)
    if not parts:
        return NEVER
    return parts[0] if len(parts) == 1 else Union(parts)


_LITERALS_HERE = Literals(())


@dataclass(slots=True)
class Scope:
    """Where expressions are printed: how names are spelled there, and which ones were used."""

    models: Mapping[str, str]  # model key → class name
    prefix: str = ""  # in front of a class name: "models."
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])
    used: set[str] = field(default_factory=set[str])

    def name(self, name: str) -> str:
        """A name of builtins, typing or the runtime, as it is spelled here."""
        self.used.add(name)
        return self.renamed.get(name, name)

    def flat(self, expression: Expression) -> str:
        """The expression on one line."""
        match expression:
            case Plain(name):
                return name if name == "None" else self.name(name)
            case Literals(values):
                return f"{self.name('Literal')}[{', '.join(values)}]"
            case Container("list", item):
                return f"{self.name('list')}[{self.flat(item)}]"
            case Container(name, item):
                return f"{self.name(name)}[{self.name('str')}, {self.flat(item)}]"
            case Reference(key):
                self.used.add("models")
                return self.prefix + self.models[key]
            case Union(members):
                return " | ".join([self.flat(member) for member in members])

    def broken(self, expression: Expression, indent: int, before: int, after: int) -> str:
        """The expression inside brackets, over several lines where one is too short.

        Its line starts at `indent` with `before` columns in front; `after` must fit behind.
        """
        flat = self.flat(expression)
        if fits(flat, indent + before, after):
            return flat
        return self.split(expression, indent, before, after)

    def split(self, expression: Expression, indent: int, before: int, after: int = 0) -> str:
        """The expression with one member of a union on each line."""
        match expression:
            case Union(members):
                last = len(members) - 1
                parts = [
                    self.broken(
                        member, indent, 2 if number else before, after if number == last else 0
                    )
                    for number, member in enumerate(members)
                ]
                return f"\n{' ' * indent}| ".join(parts)
            case Literals() | Container():
                if fits(self.flat(expression), indent + before, after):
                    return self.flat(expression)
                return self.exploded(expression, indent)
            case Plain() | Reference():
                return self.flat(expression)

    def exploded(self, expression: Literals | Container, indent: int) -> str:
        """A subscript with its arguments on lines of their own."""
        margin = " " * (indent + 4)
        if isinstance(expression, Container):
            comma = expression.name != "list"
            item = self.broken(expression.item, indent + 4, 0, 1 if comma else 0)
            first = f"{margin}{self.name('str')},\n" if comma else ""
            body = f"{first}{margin}{item}{',' if comma else ''}"
        else:
            comma = len(expression.values) > 1
            body = "\n".join(margin + value + ("," if comma else "") for value in expression.values)
        name = "Literal" if isinstance(expression, Literals) else expression.name
        return f"{self.name(name)}[\n{body}\n{' ' * indent}]"

    def standing(self, expression: Expression, indent: int, before: int) -> str:
        """The expression at the end of an assignment or a field, in parentheses where needed."""
        flat = self.flat(expression)
        if fits(flat, indent + before):
            return flat
        if isinstance(expression, Literals | Container):
            return self.exploded(expression, indent)
        margin = " " * (indent + 4)
        return f"(\n{margin}{self.broken(expression, indent + 4, 0, 0)}\n{' ' * indent})"

    def subscript(
        self, spelled: str, expression: Expression, indent: int, before: int, after: int = 0
    ) -> str:
        """`spelled[expression]` of one argument."""
        flat = f"{spelled}[{self.flat(expression)}]"
        if fits(flat, indent + before, after):
            return flat
        margin = " " * (indent + 4)
        inner = self.broken(expression, indent + 4, 0, 0)
        return f"{spelled}[\n{margin}{inner}\n{' ' * indent}]"


def fits(text: str, before: int, after: int = 0) -> bool:
    """A text fits in a line after `before` columns and ahead of `after` more."""
    return before + width(text) + after <= WIDTH


def references(expression: Expression) -> frozenset[str]:
    """The keys of all models in an expression."""
    match expression:
        case Reference(key):
            return frozenset({key})
        case Container(_, item):
            return references(item)
        case Union(members):
            return _joined(map(references, members))
        case Plain() | Literals():
            return frozenset()


def _joined(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def names(expression: Expression) -> frozenset[str]:
    """The builtins and typing names in an expression."""
    match expression:
        case Plain(name):
            return frozenset({name})
        case Literals():
            return frozenset({"Literal"})
        case Container(name, item):
            return names(item) | {name, "str"} if name == "dict" else names(item) | {name}
        case Union(members):
            return _joined(map(names, members))
        case Reference():
            return frozenset()


def direct(expression: Expression) -> tuple[str, ...]:
    """The keys that an alias of this expression stands for without a container between."""
    match expression:
        case Reference(key):
            return (key,)
        case Union(members):
            return tuple(member.key for member in members if isinstance(member, Reference))
        case Plain() | Literals() | Container():
            return ()
