"""What a model is told of a toolset, and `describe_type`, the helper for what was cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from .edge.arguments import read_arguments
from .errors import ToolError
from .operation import Effects
from .shown.subschema import subschema
from .tool import Tool
from .validation import Problem, Validator, did_you_mean, message

if TYPE_CHECKING:
    from .dialects import Described

TYPE_HELPER = "describe_type"
HELPERS = (TYPE_HELPER,)
"""Names that no operation's tool may have."""


def loader_name(prefix: str, group: str) -> str:
    """What the loader of a group is called."""
    return f"{prefix}load_{group}_tools"


def loaded_group(name: str, prefix: str) -> str | None:
    """The group that a loader of this name would offer; None for any other name."""
    inner = name.removeprefix(f"{prefix}load_").removesuffix("_tools")
    return inner if name == loader_name(prefix, inner) else None


def refuse_to_load(group: str) -> NoReturn:
    """The answer of a loader outside a run, where there is no list of tools to add to."""
    raise ToolError(f"the tools of {group!r} are loaded inside a run only; call them by name")


TYPE_TOKENS = 1500  # cap of one answer of `describe_type`


class TypeHelper:
    """The helper that shows what was cut from an advertised schema."""

    description = (
        "Show the full schema of one argument, or of a part of it, where a tool's own schema "
        "says that it was cut short. It changes nothing."
    )
    effects = Effects(read_only=True, idempotent=True, open_world=False, reason="reads a schema")

    def __init__(self, prefix: str) -> None:
        self.name = f"{prefix}{TYPE_HELPER}"

    @property
    def advertised_schema(self) -> dict[str, Any]:
        """A tool's name and a path into its arguments."""
        return {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "description": "The name of the tool."},
                "argument": {
                    "type": "string",
                    "description": (
                        "Which part: an argument, then the members below it, as `filter.author` "
                        "or the JSON pointer `/filter/author`. Items of arrays need no step."
                    ),
                },
            },
            "required": ["tool", "argument"],
            "additionalProperties": False,
        }


def described(tools: Sequence[Tool], prefix: str) -> list[Described]:
    """What a model is told of: every tool, and `describe_type` where a schema was cut."""
    told: list[Described] = list(tools)
    if any(tool.trimmed for tool in tools):
        told.append(TypeHelper(prefix))
    return told


def explain_type(tools: Sequence[Tool], arguments: object) -> dict[str, Any] | bool:
    """The answer of `describe_type`: the schema of one place in a tool's arguments, capped.

    Raises `ToolError` for arguments that lead nowhere.
    """
    try:
        given = read_arguments(arguments)
    except ValueError as error:
        raise _refused([Problem("", None, str(error))]) from None
    problems = Validator(TypeHelper("").advertised_schema).problems(given)
    if problems:
        raise _refused(problems)
    wanted = cast("Mapping[str, str]", given)
    tool = next((tool for tool in tools if tool.name == wanted["tool"]), None)
    if tool is None:
        meant = did_you_mean(wanted["tool"], [tool.name for tool in tools])
        raise _refused([Problem("/tool", "tool", f"is no tool's name{meant}")])
    try:
        return subschema(tool.input_schema, wanted["argument"], TYPE_TOKENS)
    except LookupError as error:
        raise _refused([Problem("/argument", "argument", str(error.args[0]))]) from None


def _refused(problems: list[Problem]) -> ToolError:
    return ToolError(
        message(TYPE_HELPER, problems),
        outcome="invalid_arguments",
        details=[problem.detail() for problem in problems],
    )
