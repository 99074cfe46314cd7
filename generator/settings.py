"""The user's policy: what `[[package]]` of toolmint.toml may say, as one table of keys.

Parsing, the errors for wrong keys and the JSON Schema for editors all come from the table.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias, cast, get_args

from ..runtime.operation import Approval, Reading
from ..runtime.result import RESULT_TOKENS
from .errors import InputError
from .model.catalogue import RateLimit
from .model.nodes import Location
from .naming import Naming
from .plain import is_array
from .pointers import join
from .rates import duration
from .selection import nearest

Read: TypeAlias = Callable[[Any, Location], Any]
"""Checks one value and gives it its type. Raises InputError that names its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSettings:
    """Verdicts that override the judged ones; None leaves one as it is."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """A gate that overrides the usual one; None leaves a part as it is."""

    approval: Approval | None = None
    requires: tuple[str, ...] = ()  # as the user spells operations
    reads: tuple[Reading, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """What the user decides about one tool; None leaves it to the description."""

    name: str | None = None
    description: str | None = None
    effects: EffectSettings | None = None
    gate: GateSettings | None = None
    rate_limit: RateLimit | None = None
    media_type: str | None = None  # of the request body, where the description offers several
    fields: tuple[str, ...] | None = None  # GraphQL: dotted paths, exactly what is selected
    depth: int | None = None  # GraphQL, as are the next: levels of objects
    budget: int | None = None  # leaves
    types: tuple[str, ...] | None = None  # possible types to open
    page: int | None = None
    lift: tuple[str, ...] | None = None  # paths of fields whose arguments become the tool's
    args: Mapping[str, Mapping[str, Any]] | None = None  # dotted path → fixed arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLSettings:
    """What the user decides about a GraphQL package; None leaves it to the defaults."""

    operations: tuple[str, ...] = ()  # files, folders or patterns of documents
    preset: str | None = None
    include_deprecated: bool = False
    header: str | None = None  # the header that carries an API key
    scalars: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    leaves: int | None = None
    bytes: int | None = None
    depth: int | None = None
    page: int | None = None
    nested_page: int | None = None
    types: int | None = None
    get: bool = False  # queries by GET
    persisted: Literal["no", "apq", "trusted"] = "no"
    stream: Literal["sse", "websocket"] = "sse"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageSettings:
    """What the user decides about one package."""

    source: str = ""
    upstream: str = ""
    output: str = ""
    package: str = ""  # the import name; empty: the last part of `output`
    document_url: str = ""  # what relative servers and references resolve against
    overlays: tuple[str, ...] = ()  # files of changes to the description, in their order
    reference_folders: tuple[str, ...] = ()  # read besides the description's own
    allow_remote_refs: bool = False
    endpoint: str = ""  # where a GraphQL server is
    graphql: GraphQLSettings = field(default_factory=GraphQLSettings)
    format: str = ""  # a command that lays out the generated files
    class_name: str = ""
    naming: Naming = "operation_id"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    schema_tokens: int = 1500
    description_tokens: int = 400
    result_tokens: int = RESULT_TOKENS
    rate_limit: RateLimit | None = None
    enforce_order: bool = False
    tools: Mapping[str, ToolSettings] = field(default_factory=dict[str, ToolSettings])
    # ^ by operationId, `METHOD path` or tool name
    location: Location = field(default_factory=lambda: Location(file="settings", pointer=""))

    @classmethod
    def parse(cls, data: Mapping[str, Any], file: str, pointer: str = "") -> "PackageSettings":
        """The settings of one `[[package]]` table.

        Raises InputError that names the place, and for an unknown key the nearest one.
        """
        location = Location(file=file, pointer=pointer)
        return cls(**_members(PACKAGE, data, location), location=location)

    @property
    def media_types(self) -> Mapping[str, str]:
        """The media types chosen for request bodies, by the tools' keys."""
        return {key: tool.media_type for key, tool in self.tools.items() if tool.media_type}

    def as_data(self) -> dict[str, Any]:
        """The decisions that differ from the defaults and change the package, as plain data.

        No file's place is among them: they are the same on every machine.
        """
        decided, usual = _plain(asdict(self)), _plain(asdict(PackageSettings()))
        kept = _differing(decided, usual)
        if graphql := _differing(decided["graphql"], usual["graphql"]):
            kept["graphql"] = graphql
        else:
            kept.pop("graphql", None)
        return kept


_PLACES = frozenset(
    (
        *("document_url", "location", "operations", "output", "overlays", "package"),
        *("reference_folders", "source", "upstream"),
    )
)


def _differing(decided: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: decided[key]
        for key in sorted(decided)
        if key not in _PLACES and decided[key] != usual.get(key)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting: how its value is read, and what an editor is told."""

    read: Read
    schema: Mapping[str, Any]
    text: str


def json_schema() -> dict[str, Any]:
    """The JSON Schema of toolmint.toml, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolmint.toml",
        "type": "object",
        "properties": {"package": {"type": "array", "items": _object_schema(PACKAGE)}},
        "additionalProperties": False,
    }


# ── reading ─────────────────────────────────────────────────────────────────────────


def _members(keys: Mapping[str, Key], data: Any, location: Location) -> dict[str, Any]:
    """The values of a table by key, each read; what the table does not say is left out."""
    if not isinstance(data, Mapping):
        raise InputError.at(location, f"expected a table, not {_shown(data)}.")
    table = cast("Mapping[str, Any]", data)
    for name in table:
        if name not in keys:
            raise InputError.at(location, _unknown(name, keys))
    return {name: keys[name].read(table[name], _below(location, name)) for name in table}


def _unknown(name: str, keys: Mapping[str, Key]) -> str:
    near = nearest(name, keys)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(keys)}."
    return f"unknown key {name!r}; {hint}"


def _below(location: Location, name: str | int) -> Location:
    return Location(file=location.file, pointer=join(location.pointer, name))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _text(value: Any, location: Location) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise InputError.at(location, f"expected a text, not {_shown(value)}.")


def _flag(value: Any, location: Location) -> bool:
    if isinstance(value, bool):
        return value
    raise InputError.at(location, f"expected true or false, not {_shown(value)}.")


def _count(value: Any, location: Location) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise InputError.at(location, f"expected a whole number above 0, not {_shown(value)}.")


def _number(value: Any, location: Location) -> float:
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value > 0
    ):
        return value
    raise InputError.at(location, f"expected a number above 0, not {_shown(value)}.")


def _texts(value: Any, location: Location) -> tuple[str, ...]:
    if not is_array(value):
        raise InputError.at(location, f"expected a list of texts, not {_shown(value)}.")
    return tuple(_text(item, _below(location, index)) for index, item in enumerate(value))


def _seconds(value: Any, location: Location) -> float:
    seconds = duration(value) if isinstance(value, str) else None
    if seconds is None:
        raise InputError.at(
            location, f'expected a duration such as "30s" or "1h", not {_shown(value)}.'
        )
    return seconds


def _choices(*options: str) -> Read:
    read = _choice(*options)

    def read_all(value: Any, location: Location) -> tuple[str, ...]:
        texts = _texts(value, location)
        return tuple(read(text, _below(location, index)) for index, text in enumerate(texts))

    return read_all


def _choice(*options: str) -> Read:
    def read(value: Any, location: Location) -> str:
        if isinstance(value, str) and value in options:
            return value
        near = nearest(value, options) if isinstance(value, str) else None
        hint = f" Did you mean {near!r}?" if near else ""
        listed = ", ".join(options)
        raise InputError.at(location, f"expected one of {listed}, not {_shown(value)}.{hint}")

    return read


def _rate_limit(value: Any, location: Location) -> RateLimit:
    said = _members(RATE_LIMIT, value, location)
    missing = [name for name in RATE_LIMIT if name not in said]
    if missing:
        raise InputError.at(location, f"a rate limit needs {' and '.join(missing)}.")
    return RateLimit(requests=said["requests"], seconds=said["per"], source="settings")


def _gate(value: Any, location: Location) -> GateSettings:
    return GateSettings(**_members(GATE, value, location))


def _effects(value: Any, location: Location) -> EffectSettings:
    return EffectSettings(**_members(EFFECTS, value, location))


def _tool(value: Any, location: Location) -> ToolSettings:
    return ToolSettings(**_members(TOOL, value, location))


def _graphql(value: Any, location: Location) -> GraphQLSettings:
    return GraphQLSettings(**_members(GRAPHQL, value, location))


def _tables(value: Any, location: Location) -> dict[str, Mapping[str, Any]]:
    """A table of tables, whose members are anybody's."""
    if not isinstance(value, Mapping):
        raise InputError.at(location, f"expected a table, not {_shown(value)}.")
    tables = cast("Mapping[str, Any]", value)
    for name, one in tables.items():
        if not isinstance(one, Mapping):
            raise InputError.at(_below(location, name), f"expected a table, not {_shown(one)}.")
    return dict(tables)


def _tools(value: Any, location: Location) -> dict[str, ToolSettings]:
    if not isinstance(value, Mapping):
        raise InputError.at(location, f"expected a table, not {_shown(value)}.")
    tables = cast("Mapping[str, Any]", value)
    return {name: _tool(tables[name], _below(location, name)) for name in tables}


# ── the table ───────────────────────────────────────────────────────────────────────


def _text_key(text: str) -> Key:
    return Key(read=_text, schema={"type": "string", "minLength": 1}, text=text)


def _flag_key(text: str) -> Key:
    return Key(read=_flag, schema={"type": "boolean"}, text=text)


def _texts_key(text: str) -> Key:
    return Key(read=_texts, schema={"type": "array", "items": {"type": "string"}}, text=text)


def _count_key(text: str) -> Key:
    return Key(read=_count, schema={"type": "integer", "minimum": 1}, text=text)


def _choice_key(alias: Any, text: str) -> Key:
    options: tuple[str, ...] = get_args(alias)
    return Key(read=_choice(*options), schema={"enum": list(options)}, text=text)


def _option_key(options: tuple[str, ...], text: str) -> Key:
    return Key(read=_choice(*options), schema={"enum": list(options)}, text=text)


_TABLES: Mapping[str, Any] = {"type": "object", "additionalProperties": {"type": "object"}}


def _object_schema(keys: Mapping[str, Key]) -> dict[str, Any]:
    members = {name: {**key.schema, "description": key.text} for name, key in keys.items()}
    return {"type": "object", "properties": members, "additionalProperties": False}


RATE_LIMIT: Mapping[str, Key] = {
    "requests": Key(
        read=_number, schema={"type": "number", "exclusiveMinimum": 0}, text="How many requests."
    ),
    "per": Key(
        read=_seconds, schema={"type": "string", "minLength": 1}, text='In what time: "30s", "1h".'
    ),
}
GATE: Mapping[str, Key] = {
    "approval": _choice_key(Approval, "Which calls a person approves."),
    "requires": _texts_key("Operations that must have run before, for the same thing."),
    "reads": Key(
        read=_choices(*get_args(Reading)),
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
    "effects": Key(
        read=_effects,
        schema=_object_schema(EFFECTS),
        text="Verdicts that override the judged ones.",
    ),
    "gate": Key(read=_gate, schema=_object_schema(GATE), text="When a call needs approval."),
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
        read=_tables, schema=_TABLES, text="GraphQL: fixed arguments of fields below, by path."
    ),
}
GRAPHQL: Mapping[str, Key] = {
    "operations": _texts_key("Files, folders or patterns of hand-written documents."),
    "preset": _option_key(("github", "shopify", "relay", "hasura"), "Whose habits hold."),
    "include_deprecated": _flag_key("Make tools of deprecated root fields too."),
    "header": _text_key("The header that carries an API key, instead of a bearer token."),
    "scalars": Key(read=_tables, schema=_TABLES, text="JSON Schemas of custom scalars."),
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
    "graphql": Key(
        read=_graphql, schema=_object_schema(GRAPHQL), text="What holds for a GraphQL package."
    ),
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


def _plain(value: Any) -> Any:
    """Plain data without what is None, so that a decision not taken leaves no trace."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {key: _plain(members[key]) for key in sorted(members) if members[key] is not None}
    if is_array(value):
        return [_plain(item) for item in value]
    return value
