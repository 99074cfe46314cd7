"""The table of what `[[package]]` of toolmint.toml may say.

Reading it, the errors for wrong keys and the JSON Schema for editors all come from the table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from ...runtime.operation import Approval, Reading
from ..errors import InputError
from ..model.catalogue import RateLimit
from ..model.nodes import Location
from ..naming import Naming
from ..selection import nearest
from .policy import EffectSettings, GateSettings, GraphQLSettings, PackageSettings, ToolSettings
from .values import (
    Read,
    below,
    choice_of,
    choices_of,
    read_count,
    read_duration,
    read_flag,
    read_number,
    read_table,
    read_tables,
    read_text,
    read_texts,
)


def package_settings(data: Mapping[str, Any], file: str, pointer: str = "") -> PackageSettings:
    """The settings of one `[[package]]` table.

    Raises InputError that names the place, and for an unknown key the nearest one.
    """
    location = Location(file=file, pointer=pointer)
    return PackageSettings(**_members(PACKAGE, data, location), location=location)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of toolmint.toml, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolmint.toml",
        "type": "object",
        "properties": {"package": {"type": "array", "items": _object_schema(PACKAGE)}},
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting: how its value is read, and what an editor is told."""

    read: Read
    schema: Mapping[str, Any]
    text: str


# ── reading ─────────────────────────────────────────────────────────────────────────


def _members(keys: Mapping[str, Key], data: Any, location: Location) -> dict[str, Any]:
    """The values of a table by key, each read; what the table does not say is left out."""
    table = read_table(data, location)
    for name in table:
        if name not in keys:
            raise InputError.at(location, _unknown(name, keys))
    return {name: keys[name].read(table[name], below(location, name)) for name in table}


def _unknown(name: str, keys: Mapping[str, Key]) -> str:
    near = nearest(name, keys)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(keys)}."
    return f"unknown key {name!r}; {hint}"


def _rate_limit(value: Any, location: Location) -> RateLimit:
    said = _members(RATE_LIMIT, value, location)
    missing = [name for name in RATE_LIMIT if name not in said]
    if missing:
        raise InputError.at(location, f"a rate limit needs {' and '.join(missing)}.")
    return RateLimit(requests=said["requests"], seconds=said["per"], source="settings")


def _tools(value: Any, location: Location) -> dict[str, ToolSettings]:
    return {
        name: ToolSettings(**_members(TOOL, one, below(location, name)))
        for name, one in read_table(value, location).items()
    }


# ── the table ───────────────────────────────────────────────────────────────────────


def _text_key(text: str) -> Key:
    return Key(read=read_text, schema={"type": "string", "minLength": 1}, text=text)


def _flag_key(text: str) -> Key:
    return Key(read=read_flag, schema={"type": "boolean"}, text=text)


def _texts_key(text: str) -> Key:
    return Key(read=read_texts, schema={"type": "array", "items": {"type": "string"}}, text=text)


def _count_key(text: str) -> Key:
    return Key(read=read_count, schema={"type": "integer", "minimum": 1}, text=text)


def _choice_key(alias: Any, text: str) -> Key:
    return _option_key(get_args(alias), text)


def _option_key(options: tuple[str, ...], text: str) -> Key:
    return Key(read=choice_of(*options), schema={"enum": list(options)}, text=text)


def _record_key(kind: Callable[..., Any], keys: Mapping[str, Key], text: str) -> Key:
    def read(value: Any, location: Location) -> Any:
        return kind(**_members(keys, value, location))

    return Key(read=read, schema=_object_schema(keys), text=text)


def _object_schema(keys: Mapping[str, Key]) -> dict[str, Any]:
    members = {name: {**key.schema, "description": key.text} for name, key in keys.items()}
    return {"type": "object", "properties": members, "additionalProperties": False}


_TABLES: Mapping[str, Any] = {"type": "object", "additionalProperties": {"type": "object"}}

RATE_LIMIT: Mapping[str, Key] = {
    "requests": Key(
        read=read_number,
        schema={"type": "number", "exclusiveMinimum": 0},
        text="How many requests.",
    ),
    "per": Key(
        read=read_duration,
        schema={"type": "string", "minLength": 1},
        text='In what time: "30s", "1h".',
    ),
}
GATE: Mapping[str, Key] = {
    "approval": _choice_key(Approval, "Which calls a person approves."),
    "requires": _texts_key("Operations that must have run before, for the same thing."),
    "reads": Key(
        read=choices_of(*get_args(Reading)),
        schema={"type": "array", "items": {"enum": list(get_args(Reading))}},
        text="What a call brings into a conversation: others' text, sensitive data.",
    ),
}
EFFECTS: Mapping[str, Key] = {
    "read_only": _flag_key("The call changes nothing."),
    "destructive": _flag_key("The call loses data or access that an ordinary call cannot restore."),
    "idempotent": _flag_key("Repeating the call changes nothing more."),
    "open_world": _flag_key("The call reaches things outside the API's own data."),
}
_RATE_LIMIT_SCHEMA = {**_object_schema(RATE_LIMIT), "required": list(RATE_LIMIT)}
TOOL: Mapping[str, Key] = {
    "name": _text_key("The tool's name."),
    "description": _text_key("What a model reads of the tool."),
    "effects": _record_key(EffectSettings, EFFECTS, "Verdicts that override the judged ones."),
    "gate": _record_key(GateSettings, GATE, "When a call needs approval."),
    "rate_limit": Key(
        read=_rate_limit, schema=_RATE_LIMIT_SCHEMA, text="A limit for this tool alone."
    ),
    "media_type": _text_key("Which of several media types the request body is sent as."),
    "fields": _texts_key("GraphQL: exactly these fields of the result, as dotted paths."),
    "depth": _count_key("GraphQL: how many levels of objects are selected."),
    "budget": _count_key("GraphQL: how many leaves are selected."),
    "types": _texts_key("GraphQL: which possible types of an interface or union are opened."),
    "page": _count_key("GraphQL: how many items of a connection are asked for."),
    "lift": _texts_key("GraphQL: fields below whose arguments become the tool's."),
    "args": Key(
        read=read_tables, schema=_TABLES, text="GraphQL: fixed arguments of fields below, by path."
    ),
}
GRAPHQL: Mapping[str, Key] = {
    "operations": _texts_key("Files, folders or patterns of hand-written documents."),
    "preset": _option_key(("github", "shopify", "relay", "hasura"), "Whose habits hold."),
    "include_deprecated": _flag_key("Make tools of deprecated root fields too."),
    "header": _text_key("The header that carries an API key, instead of a bearer token."),
    "scalars": Key(read=read_tables, schema=_TABLES, text="JSON Schemas of custom scalars."),
    "leaves": _count_key("How many leaves a document selects."),
    "bytes": _count_key("How long a document may be, about."),
    "depth": _count_key("How many levels of objects a document selects."),
    "page": _count_key("How many items of a root connection are asked for."),
    "nested_page": _count_key("How many items of connections below are asked for."),
    "types": _count_key("How many possible types get a fragment."),
    "get": _flag_key("Send queries by GET."),
    "persisted": _option_key(
        ("no", "apq", "trusted"), "Send a document's hash instead of its text."
    ),
    "stream": _option_key(("sse", "websocket"), "How subscriptions are listened to."),
}
PACKAGE: Mapping[str, Key] = {
    "source": _text_key("The description: a file beside this one, or a URL."),
    "upstream": _text_key("Where the source is published."),
    "output": _text_key("The package's own folder."),
    "package": _text_key("The import name; without one, the last part of output."),
    "document_url": _text_key("What relative servers and references resolve against."),
    "overlays": _texts_key("Overlay files, which change the description before it is read."),
    "reference_folders": _texts_key("Folders that references may lead to besides its own."),
    "allow_remote_refs": _flag_key("Whether references may lead to public web addresses."),
    "endpoint": _text_key("GraphQL: where the server is; without a source, read from it too."),
    "graphql": _record_key(GraphQLSettings, GRAPHQL, "What holds for a GraphQL package."),
    "format": _text_key("A command that lays out the generated files."),
    "class_name": _text_key("The toolset's class."),
    "naming": _choice_key(Naming, "What tools are named after."),
    "include": _texts_key("Patterns of the operations to take; without any, all."),
    "exclude": _texts_key("Patterns of the operations to leave out."),
    "schema_tokens": _count_key("Budget for what a model is shown of one tool."),
    "result_tokens": _count_key("About how much of a result a model is shown."),
    "description_tokens": _count_key("Budget for one tool's description."),
    "rate_limit": Key(
        read=_rate_limit, schema=_RATE_LIMIT_SCHEMA, text="The limit of all tools together."
    ),
    "enforce_order": _flag_key("Whether the suggested order of calls is required."),
    "tools": Key(
        read=_tools,
        schema={"type": "object", "additionalProperties": _object_schema(TOOL)},
        text="Decisions about single tools, by operationId, METHOD path or tool name.",
    ),
}
