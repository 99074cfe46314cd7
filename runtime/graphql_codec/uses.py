"""Which variables a document uses, and the document without those that it no longer does."""

from collections.abc import Iterator

from ..wire.values import is_array, is_object
from .nodes import Body, FieldNode, OperationNode, SpreadNode, VariableUse
from .syntax import parse


def variables_in(value: object) -> Iterator[str]:
    """The variables inside a value."""
    if isinstance(value, VariableUse):
        yield value.name
    elif is_array(value):
        for item in value:
            yield from variables_in(item)
    elif is_object(value):
        for item in value.values():
            yield from variables_in(item)


def pruned(text: str) -> tuple[str, frozenset[str]]:
    """A document of ours that declares only what it uses, and the names that had to go.

    Servers refuse a variable that is declared and not used (GraphQL, 5.8.4).
    """
    operation = parse(text).operations[0]
    used = set(_uses(operation.body))
    gone = frozenset(one.name for one in operation.variables) - used
    return (_without(text, operation, gone) if gone else text), gone


def _uses(body: Body) -> Iterator[str]:
    for one in body.selections:
        for directive in one.directives:
            yield from variables_in(directive.arguments)
        if isinstance(one, FieldNode):
            yield from variables_in(one.arguments)
        if not isinstance(one, SpreadNode) and one.body is not None:
            yield from _uses(one.body)


def _without(text: str, operation: OperationNode, gone: frozenset[str]) -> str:
    declared = operation.variables
    kept = [text[one.start : one.end] for one in declared if one.name not in gone]
    start, end = declared[0].start, declared[-1].end
    if not kept:
        return text[: text.rindex("(", 0, start)] + text[text.index(")", end) + 1 :]
    between = text[declared[0].end : declared[1].start]
    return text[:start] + between.join(kept) + text[end:]
