"""The user's policy: what is decided about a package and its tools, as plain frozen data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, cast

from ...runtime.operation import Approval, Reading
from ...runtime.result import RESULT_TOKENS
from ..model.catalogue import RateLimit
from ..model.nodes import Location
from ..naming import Naming
from ..plain import is_array


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


def _plain(value: Any) -> Any:
    """Plain data without what is None, so that a decision not taken leaves no trace."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {key: _plain(members[key]) for key in sorted(members) if members[key] is not None}
    if is_array(value):
        return [_plain(item) for item in value]
    return value
