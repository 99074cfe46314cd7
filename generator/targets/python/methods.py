"""One tool as a method: its decorator, signature, docstring and the arguments it passes on."""

from dataclasses import dataclass

from ...identifiers import argument_identifiers
from ...model.arguments import Argument
from ...model.catalogue import Catalogue, Tool
from .decorators import decorator, request_line
from .expressions import ANY, NONE, Expression, Scope, fits, union
from .layout import render
from .literals import WIDTH, quoted_lines, string, tidy_lines, wrap
from .modelnames import camel
from .texts import brief
from .types import Context, Types

_TEXT = 300  # characters of an argument's description in a docstring
_INDENT = 8  # of a method's body


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a method, typed but not printed."""

    argument: Argument
    identifier: str
    type: Expression


@dataclass(frozen=True, slots=True)
class Signature:
    """A tool with the types of what it takes and gives."""

    tool: Tool
    parameters: tuple[Parameter, ...]  # in signature order
    result: Expression


@dataclass(frozen=True, slots=True)
class Method:
    """The printed parts of one method."""

    name: str
    tool: str  # its name as a literal
    decorator: str
    parameters: tuple[str, ...]
    returns: str
    docstring: str
    arguments: tuple[tuple[str, str], ...]  # wire name as a literal → identifier


def signature(tool: Tool, types: Types) -> Signature:
    """The types of a tool's arguments and result."""
    operation = tool.operation
    root = Context(camel(tool.name) or "Tool", f"tool {tool.name}")
    identifiers = argument_identifiers(operation.arguments)
    parameters = tuple(
        Parameter(
            argument,
            identifiers[argument.name],
            types.type_of(argument.schema, "input", root.child(argument.name)),
        )
        for argument in ordered(operation.arguments)
    )
    return Signature(tool, parameters, _result(tool, types, root))


def ordered(arguments: tuple[Argument, ...]) -> list[Argument]:
    """Required ones first, otherwise as declared."""
    return sorted(arguments, key=lambda argument: not argument.required)


def _result(tool: Tool, types: Types, root: Context) -> Expression:
    """The type of a result's data: None where every success is empty."""
    good = [result for result in tool.operation.results if result.status.startswith("2")]
    answers = good or [result for result in tool.operation.results if result.status == "default"]
    empty = any(result.media_type is None for result in answers)
    schema = tool.operation.output_schema
    if schema is None:
        silent = bool(answers) and all(result.media_type is None for result in answers)
        return NONE if silent else ANY
    expression = types.type_of(schema, "output", root.child("result"))
    return union([expression, NONE]) if empty else expression


def method(signed: Signature, catalogue: Catalogue, scope: Scope) -> Method:
    """The parts of a method as they are printed in a module with this scope."""
    return Method(
        name=signed.tool.name,
        tool=string(signed.tool.name),
        decorator=render(decorator(signed.tool, catalogue, scope), 4, before=1),
        parameters=tuple(_parameter(parameter, scope) for parameter in signed.parameters),
        returns=_returns(signed.result, scope),
        docstring=_docstring(signed),
        arguments=tuple(
            (string(parameter.argument.name), parameter.identifier)
            for parameter in signed.parameters
        ),
    )


# ── the signature ───────────────────────────────────────────────────────────────────


def _parameter(parameter: Parameter, scope: Scope) -> str:
    """One line of a signature without its comma, or several as ruff breaks them."""
    before = len(parameter.identifier) + 2
    if parameter.argument.required:
        return f"{parameter.identifier}: {scope.broken(parameter.type, _INDENT, before, 1)}"
    flat = (
        f"{parameter.identifier}: {scope.flat(parameter.type)}"
        f" | {scope.name('Unset')} = {scope.name('UNSET')}"
    )
    end = f"| {scope.name('Unset')} = {scope.name('UNSET')}"
    if fits(flat, _INDENT, 1):
        return flat
    split = scope.split(parameter.type, _INDENT, before)
    return f"{parameter.identifier}: {split}\n{' ' * _INDENT}{end}"


def _returns(result: Expression, scope: Scope) -> str:
    """The return annotation, which stands after `    ) -> ` and before a colon."""
    return scope.subscript(scope.name("Call"), result, 4, 5, 1)


# ── the docstring ───────────────────────────────────────────────────────────────────


def _docstring(signed: Signature) -> str:
    columns = WIDTH - _INDENT
    lines = [part for line in tidy_lines(signed.tool.description) for part in wrap(line, columns)]
    where = " ".join(request_line(signed.tool).split())
    if lines != [where]:
        lines = [*lines, "", where] if lines else [where]
    explained = [part for parameter in signed.parameters for part in _explained(parameter, columns)]
    if explained:
        lines += ["", "Args:", *explained]
    return quoted_lines(lines, _INDENT)


def _explained(parameter: Parameter, columns: int) -> list[str]:
    """An argument's meaning in Google style; none for an argument that says nothing."""
    schema = parameter.argument.schema
    text = "" if isinstance(schema, bool) else brief(str(schema.get("description", "")), _TEXT)
    if not isinstance(schema, bool) and schema.get("deprecated") is True:
        text = f"[deprecated] {text}".rstrip()
    if not text:
        return []
    first, *rest = tidy_lines(text)
    return wrap(f"    {parameter.identifier}: {' '.join([first, *rest])}", columns, " " * 8)
